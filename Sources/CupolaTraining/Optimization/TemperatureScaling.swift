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
  static func temperature(logits: Matrix, labels: [Int]) -> Double {
    guard !labels.isEmpty else { return 1 }
    let golden = (5.0.squareRoot() - 1) / 2
    var (low, high) = (log(0.05), log(20.0))
    for _ in 0..<40 {
      let span = golden * (high - low)
      let (left, right) = (high - span, low + span)
      if loss(logits, labels, exp(left)) <= loss(logits, labels, exp(right)) {
        high = right
      } else {
        low = left
      }
    }
    return exp((low + high) / 2)
  }

  /// Mean negative log-likelihood at a temperature.
  static func loss(_ logits: Matrix, _ labels: [Int], _ temperature: Double) -> Double {
    var total = 0.0
    for (row, label) in labels.enumerated() {
      let values = logits.values[logits.range(ofRow: row)].map { Double($0) / temperature }
      let largest = values.max() ?? 0
      total += largest - values[label] + log(values.reduce(0) { $0 + exp($1 - largest) })
    }
    return total / Double(labels.count)
  }
}
