extension Model {
  /// The building that logits, one a label, stand for; `nil` when they stand for none.
  package func building(logits: [Float]) -> String? {
    let decision = Decision(labels: labels, point: OperatingPoint(calibration))
    let probabilities = Softmax.probabilities(logits, temperature: calibration.temperature)
    let outcome = decision.outcome(probabilities)
    return outcome.reason == .recognized ? outcome.ranked.first.map { labels.names[$0] } : nil
  }
}
