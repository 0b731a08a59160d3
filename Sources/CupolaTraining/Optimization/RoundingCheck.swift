internal import Cupola

/// Finds what rounding the weights changes, on photos that the fits did not see.
struct RoundingCheck: Sendable {
  let span: ExampleSpan
  /// The features themselves, one row a photo and view.
  let examples: ExampleRows
  /// Views of each photo among the examples, and the one that answers.
  let views: Int
  let testView: Int
  let targets: [Int]
  let folds: Folds
  let settings: ClassifierSettings
  /// What calibration added to the backgrounds' logits.
  let backgroundShift: Float

  /// Fits each fold's complement anew and asks both classifiers about the fold.
  ///
  /// - Parameter model: how logits become answers, and the format to round to.
  /// - Returns: `nil` when nothing is rounded or no photo can be held out.
  func changedAnswers(
    of model: Model, threads: Int
  ) async -> TrainingResult.ChangedAnswers? {
    guard model.weightFormat != .float32, folds.count > 0 else { return nil }
    let parts = await parallelMap(Array(0..<folds.count), threads: threads) { fold in
      let heldOut = targets.indices.filter { folds.assignment[$0] == fold }
      let exact = classifier(without: fold, names: model.labels)
      let rounded = exact.rounded(to: model.weightFormat)
      let changed = heldOut.count { photo in
        let features = examples.row(photo * views + testView)
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
    let coordinates = span.coordinates.selecting(
      rows: training.flatMap { photo in (0..<views).map { photo * views + $0 } })
    let labels = training.flatMap { [Int](repeating: targets[$0], count: views) }
    let fit = ClassifierSettings.fits([settings], coordinates, labels: labels, names: names)[0]
    return span.classifier(from: fit.classifier, over: examples)
      .shiftingBackgrounds(of: names, by: backgroundShift)
  }
}
