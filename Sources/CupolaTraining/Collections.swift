/// Transforms the inputs with at most `threads` concurrent calls; the results are in input order.
package func parallelMap<Input: Sendable, Output: Sendable>(
  _ inputs: [Input], threads: Int, progress: (@Sendable (Int) -> Void)? = nil,
  _ transform: @escaping @Sendable (Input) async -> Output
) async -> [Output] {
  precondition(threads > 0, "\(threads) threads")
  return await withTaskGroup(of: (Int, Output).self) { group in
    var results = [Output?](repeating: nil, count: inputs.count)
    var next = 0
    func startNext() {
      guard next < inputs.count else { return }
      let (index, input) = (next, inputs[next])
      next += 1
      group.addTask { (index, await transform(input)) }
    }
    for _ in 0..<min(threads, inputs.count) { startNext() }
    var done = 0
    while let (index, output) = await group.next() {
      results[index] = output
      done += 1
      progress?(done)
      startNext()
    }
    return results.compactMap { $0 }
  }
}

extension Array where Element: Hashable {
  var indexByElement: [Element: Int] {
    Dictionary(uniqueKeysWithValues: enumerated().map { ($1, $0) })
  }
}

extension Array {
  /// Returns at most `most` elements, evenly spaced, including the first and the last.
  func thinned(to most: Int) -> [Element] {
    precondition(most > 1, "at most \(most) elements; at least 2 expected")
    guard count > most else { return self }
    return (0..<most).map { self[$0 * (count - 1) / (most - 1)] }
  }

  /// Returns at most `most` elements, evenly spaced, starting with the first.
  func sampled(to most: Int) -> [Element] {
    let kept = Swift.min(count, most)
    return (0..<kept).map { self[$0 * count / kept] }
  }
}

extension String {
  /// Compares UTF-8 bytes, so that canonically equivalent strings, such as two forms of "é", also have an order.
  func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

extension StringProtocol {
  /// The text after the last dot, in lowercase; `nil` if there is no dot.
  package var fileExtension: String? {
    lastIndex(of: ".").map { self[index(after: $0)...].lowercased() }
  }
}
