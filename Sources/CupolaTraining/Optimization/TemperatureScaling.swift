#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
internal import Cupola

/// Finds the temperature that makes probabilities honest (Guo et al., ICML 2017).
enum TemperatureScaling {
  /// The temperature in 0.05...20 with the least negative log-likelihood.
  ///
  /// The likelihood is unimodal in the logarithm of the temperature, so a golden section finds it.
  ///
  /// - Parameter trimmed: the share, 0..<1, of the labels that count for nothing, those that each
  ///   temperature explains worst, lest a few wrong ones blunt it (maximum trimmed likelihood, Hadi &
  ///   Luceño 1997).
  static func temperature(logits: Matrix, labels: [Int], trimmed: Double = 0) -> Double {
    precondition(trimmed >= 0 && trimmed < 1, "a share of \(trimmed)")
    guard !labels.isEmpty else { return 1 }
    let kept = labels.count - Int(trimmed * Double(labels.count))
    func loss(_ temperature: Double) -> Double {
      let losses = losses(logits, labels, temperature)
      return (kept < labels.count ? losses.sorted().prefix(kept) : losses[...]).reduce(0, +)
    }
    let golden = (5.0.squareRoot() - 1) / 2
    var (low, high) = (log(0.05), log(20.0))
    for _ in 0..<40 {
      let span = golden * (high - low)
      let (left, right) = (high - span, low + span)
      if loss(exp(left)) <= loss(exp(right)) {
        high = right
      } else {
        low = left
      }
    }
    return exp((low + high) / 2)
  }

  /// Mean negative log-likelihood at a temperature.
  static func loss(_ logits: Matrix, _ labels: [Int], _ temperature: Double) -> Double {
    losses(logits, labels, temperature).reduce(0, +) / Double(labels.count)
  }

  /// The negative log-likelihood of each label at a temperature.
  private static func losses(
    _ logits: Matrix, _ labels: [Int], _ temperature: Double
  ) -> [Double] {
    labels.enumerated().map { row, label in
      let values = logits.values[logits.range(ofRow: row)].map { Double($0) / temperature }
      let largest = values.max() ?? 0
      return largest - values[label] + log(values.reduce(0) { $0 + exp($1 - largest) })
    }
  }
}
