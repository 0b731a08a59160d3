internal import Cupola

extension Trainer {
  /// Trains with a map whose buildings have the labels of the photos that mean them, see `LabelMatching`: else each would
  /// compete with itself.
  func joiningMap(
    to labels: [String], _ training: (Trainer) async throws -> TrainingResult
  ) async throws -> TrainingResult {
    guard let campus else { return try await training(self) }
    let kept = keepsOthers ? base?.labels.names ?? [] : []
    let matching = LabelMatching(labels + kept, campus.buildings)
    var trainer = self
    trainer.campus = campus.joined(by: matching)
    var result = try await training(trainer)
    result.labelMatching = matching
    return result
  }
}
