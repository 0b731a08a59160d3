/// The taps of an axis as a table, for sums of many outputs at a time: first taps of all outputs, then second ones, and so
/// on; where an output has fewer, source 0 with weight 0.
struct TapTable: Sendable {
  /// Outputs.
  let count: Int
  /// The most taps of an output.
  let depth: Int
  /// Samples that an axis has at least.
  let sampled: Int
  /// `depth * count`.
  let sources: [UInt32]
  /// The same number, for each output summing to 1.
  let weights: [Float]

  init(_ taps: AxisTaps) {
    count = taps.count
    sampled = taps.sources
    let depth = (0..<taps.count).map { taps.range(of: $0).count }.max() ?? 0
    self.depth = depth
    var sources = [UInt32](repeating: 0, count: depth * taps.count)
    var weights = [Float](repeating: 0, count: depth * taps.count)
    let scale = 1 / Float(taps.total)
    for output in 0..<taps.count {
      for (place, tap) in taps.range(of: output).enumerated() {
        sources[place * taps.count + output] = UInt32(taps.source[tap])
        weights[place * taps.count + output] = Float(taps.weight[tap]) * scale
      }
    }
    self.sources = sources
    self.weights = weights
  }
}
