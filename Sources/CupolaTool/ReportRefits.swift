import Cupola
import CupolaTraining

/// The parts of a report that take a training: the `hog` baseline and the learning curve.
struct ReportRefits {
  /// The photos that train, none where nothing divides the photos.
  let training: [LabelledPhoto]
  let cache: FeatureCache?
  let common: CommonOptions

  /// Adds to a report what training photos allow.
  func add(
    to report: inout EvaluationReport, of evaluation: Evaluation, asking photos: [LabelledPhoto],
    model: Model
  ) async {
    guard !training.isEmpty else { return }
    if !evaluation.usesHOGFeatures { await addBaseline(&report, evaluation, photos, model) }
    let known = training.filter { model.labels.names.contains($0.label) }
    let progress = Progress("learning curve", total: known.count, quiet: common.quiet)
    let curve = await LearningCurve(
      of: model, photos: known, decoder: common.decoder, cache: cache, threads: common.threads
    ) { progress.update($0) }
    (report.learningCurve, report.splits) = (curve.points, curve.splits)
  }

  private func addBaseline(
    _ report: inout EvaluationReport, _ evaluation: Evaluation, _ photos: [LabelledPhoto],
    _ model: Model
  ) async {
    let progress = Progress("hog baseline", total: training.count, quiet: common.quiet)
    do {
      report.baseline = try await Baseline(
        asking: photos, beside: evaluation, trainedOn: training, seed: model.provenance.seed,
        decoder: common.decoder, cache: cache, threads: common.threads
      ) { progress.update($0) }
    } catch {
      Console.note("warning: no hog baseline: \(error)")
    }
  }
}
