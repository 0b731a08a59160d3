#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The softmax function.
package enum Softmax {
  /// Probabilities that are proportional to `exp(logit / temperature)` and sum to 1.
  ///
  /// - Parameters:
  ///   - logits: at least one finite value.
  ///   - temperature: more than 0; above 1 the probabilities are more alike.
  package static func probabilities(_ logits: [Float], temperature: Double = 1) -> [Double] {
    precondition(temperature > 0, "temperature \(temperature) is not positive")
    let largest = Double(logits.max() ?? 0)
    let powers = logits.map { exp((Double($0) - largest) / temperature) }
    let sum = powers.reduce(0, +)
    return powers.map { $0 / sum }
  }
}
