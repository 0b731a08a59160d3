/// Maps with at most `threads` calls under way; results come in the order of the inputs.
///
/// Each result depends on its own input only, so the number of threads does not change them.
package func parallelMap<Input: Sendable, Output: Sendable>(
  _ inputs: [Input], threads: Int, progress: (@Sendable (Int) -> Void)? = nil,
  _ transform: @escaping @Sendable (Input) -> Output
) async -> [Output] {
  precondition(threads > 0, "\(threads) threads")
  return await withTaskGroup(of: (Int, Output).self) { group in
    var results = [Output?](repeating: nil, count: inputs.count)
    var next = 0
    func startNext() {
      guard next < inputs.count else { return }
      let (index, input) = (next, inputs[next])
      next += 1
      group.addTask { (index, transform(input)) }
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
  /// Where each element stands, such as a label among all.
  var indexByElement: [Element: Int] {
    Dictionary(uniqueKeysWithValues: enumerated().map { ($1, $0) })
  }
}

extension Array {
  /// At most so many of the elements, evenly spread, with the first and the last.
  func thinned(to most: Int) -> [Element] {
    precondition(most > 1, "\(most) elements")
    guard count > most else { return self }
    return (0..<most).map { self[$0 * (count - 1) / (most - 1)] }
  }

  /// As many as that, evenly spread from the first on; all of them when they are no more.
  func sampled(to most: Int) -> [Element] {
    let kept = Swift.min(count, most)
    return (0..<kept).map { self[$0 * count / kept] }
  }
}

extension String {
  /// Whether its bytes come before those of another: also names that Swift takes to be equal, é as one
  /// character and as two, have an order.
  func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

extension StringProtocol {
  /// What stands behind the last dot of a file's name, in lowercase; `nil` without a dot.
  var fileExtension: String? {
    lastIndex(of: ".").map { self[index(after: $0)...].lowercased() }
  }
}
