import Cupola
import CupolaTraining

/// The parts of a report that take long: the `hog` baseline and the learning curve, which take a training,
/// and the check of the photos, which reads all of them.
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
    report.learningCurve =
      await LearningCurve(
        of: model, photos: known, decoder: common.decoder, cache: cache, threads: common.threads
      ) { progress.update($0) }.points
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

  /// Adds what is wrong with a folder of photos, and from where they were taken.
  ///
  /// - Parameter hasNegatives: whether photos of no buildings are elsewhere, so that they are not missed.
  func check(
    _ root: String, split: String?, campus: Campus?, photos: Int, hasNegatives: Bool,
    for report: inout EvaluationReport
  ) async {
    let progress = Progress("checking photos", total: photos, quiet: common.quiet)
    do {
      let check = try await DatasetCheck(
        root: root, splitFile: split, campus: campus, decoder: common.decoder,
        threads: common.threads
      ) { progress.update($0) }
      // No report says where its photos are kept.
      let name = root.split(separator: "/").last.map(String.init) ?? root
      report.check = DatasetCheckJSON(
        check, folder: name, leavingOut: hasNegatives ? [.noBackground] : [])
    } catch {
      Console.note("warning: the photos were not checked: \(error)")
    }
  }
}
