/// Maps with at most `threads` calls under way; results come in the order of the inputs.
///
/// Each result depends on its own input only, so the number of threads does not change them.
///
/// - Parameter progress: told how many are done, one call after another.
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
