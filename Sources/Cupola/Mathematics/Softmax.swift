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
    var probabilities = [Double](repeating: 0, count: logits.count)
    write(&probabilities, of: logits, temperature: temperature)
    return probabilities
  }

  /// The same, written over what was there, one a logit.
  static func write(
    _ probabilities: inout [Double], of logits: [Float], temperature: Double = 1
  ) {
    precondition(temperature > 0, "temperature \(temperature) is not positive")
    precondition(probabilities.count == logits.count)
    var largest = -Float.infinity
    for logit in logits { largest = max(largest, logit) }
    var sum = 0.0
    for index in logits.indices {
      probabilities[index] = exp((Double(logits[index]) - Double(largest)) / temperature)
      sum += probabilities[index]
    }
    for index in logits.indices { probabilities[index] /= sum }
  }
}
