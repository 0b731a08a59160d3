internal import Cupola

/// Finds what rounding the weights changes, on photos that the fits did not see.
struct RoundingCheck: Sendable {
  let span: ExampleSpan
  /// Views of each photo among the examples, and the one that answers.
  let views: Int
  let testView: Int
  let targets: [Int]
  let folds: Folds
  let settings: ClassifierSettings

  /// Fits each fold's complement anew and asks both classifiers about the fold.
  ///
  /// - Parameters:
  ///   - model: how logits become answers, and the format to round to.
  ///   - rows: what to ask about, one a target.
  /// - Returns: `nil` when nothing is rounded or no photo can be held out.
  func changedAnswers(
    of model: Model, rows: [FeatureTable.Row], threads: Int
  ) async -> TrainingResult.ChangedAnswers? {
    guard model.weightFormat != .float32, folds.count > 0 else { return nil }
    let parts = await parallelMap(Array(0..<folds.count), threads: threads) { fold in
      let heldOut = targets.indices.filter { folds.assignment[$0] == fold }
      let exact = classifier(without: fold, names: model.labels)
      let rounded = exact.rounded(to: model.weightFormat)
      let changed = heldOut.count { photo in
        let features = features(of: rows[photo])
        return model.building(logits: exact.logits(features))
          != model.building(logits: rounded.logits(features))
      }
      return TrainingResult.ChangedAnswers(changed: changed, asked: heldOut.count)
    }
    return TrainingResult.ChangedAnswers(
      changed: parts.reduce(0) { $0 + $1.changed }, asked: parts.reduce(0) { $0 + $1.asked })
  }

  private func classifier(without fold: Int, names: Labels) -> LinearClassifier {
    let training = targets.indices.filter { folds.assignment[$0] != fold }
    let examples = span.coordinates.selecting(
      rows: training.flatMap { photo in (0..<views).map { photo * views + $0 } })
    let labels = training.flatMap { [Int](repeating: targets[$0], count: views) }
    let fit = ClassifierSettings.fits([settings], examples, labels: labels, names: names)[0]
    return span.classifier(from: fit.classifier)
  }

  private func features(of row: FeatureTable.Row) -> [Float] {
    let values = row.features.halves ?? []
    let count = values.count / views
    return Array(values[testView * count..<(testView + 1) * count])
  }
}
