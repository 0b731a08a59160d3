package import Cupola

// The parts of a report that require training or reading all photos.
// 1. Train the hog baseline before photos are decoded, so that each photo is decoded only once.
// 2. Measure the baseline and fit the learning curve. 3. Add the photo check.

package struct ReportRefits: Sendable {
  /// The training photos; empty if the photos are not split.
  package var training: [LabeledPhoto] = []
  /// The test photos; no baseline is trained if it would lack any of their buildings.
  package var asked: [LabeledPhoto] = []
  package var decoder = PhotoDecoder()
  package var cache: FeatureCache?
  package var threads = 1
  /// Returns a progress callback for a part of the work, given its name and its number of photos.
  package var progress: @Sendable (_ part: String, _ photos: Int) -> (@Sendable (Int) -> Void)? = {
    _, _ in nil
  }

  package init() {}

  package func preparation(of set: PhotoSet, beside model: Model) async -> ReportPreparation {
    let reader = await DatasetCheck.reader(of: set.photos, decoder, threads)
    let photos = trained(model)
    guard !photos.isEmpty, model.recipe.features.kind != HOG.kind else {
      return ReportPreparation(reader: reader, baseline: nil)
    }
    if let lack = Self.lack(of: photos.map(\.label), for: calibratedBuildings(of: model)) {
      return ReportPreparation(reader: reader, baseline: nil, lack: lack)
    }
    do {
      let baseline = try await Baseline.trained(on: photos, seed: model.provenance.seed, by: self)
      return ReportPreparation(reader: reader, baseline: baseline)
    } catch {
      return ReportPreparation(reader: reader, baseline: nil, failure: "no hog baseline: \(error)")
    }
  }

  /// Training photos with labels of the model, excluding non-building photos that were given only to the evaluation.
  private func trained(_ model: Model) -> [LabeledPhoto] {
    let names = Set(model.labels.names)
    return training.filter { names.contains($0.label) }
  }

  private func calibratedBuildings(of model: Model) -> [LabeledPhoto] {
    let names = Set(model.labels.buildings.map { model.labels.names[$0] })
    return asked.filter { $0.split != .testUnknown && names.contains($0.label) }
  }

  /// Adds the baseline and the learning curve; returns the reason if there is no baseline.
  package func add(
    to report: inout EvaluationReport, of seen: ScoredPhotos, _ look: ReportPreparation,
    model: Model
  ) async -> String? {
    let known = trained(model)
    guard !known.isEmpty else { return nil }
    // A label is not trained if all its photos are unusable.
    let photos = report.evaluation.known.map(\.photo)
    let lack =
      look.lack
      ?? look.baseline.flatMap { Self.lack(of: $0.recognizer.model.labels.names, for: photos) }
    if let baseline = look.baseline, lack == nil {
      report.baseline = await Baseline(
        baseline, of: seen, beside: report.evaluation, threads: threads)
    }
    // The error may contain the path of the photos, which reports omit.
    report.baselineLack = lack ?? look.failure.map { _ in "no hog baseline: training it failed" }
    await addLearningCurve(to: &report, of: model)
    return look.failure ?? lack
  }

  /// Adds only the learning curve, which needs no baseline.
  package func addLearningCurve(to report: inout EvaluationReport, of model: Model) async {
    let known = trained(model)
    guard !known.isEmpty else { return }
    let curve = await LearningCurve(of: model, photos: known, by: self)
    (report.learningCurve, report.splits) = (curve.points, curve.splits)
  }

  /// Returns the reason if a baseline would not be comparable because it covers fewer photos.
  private static func lack(of labels: [String], for photos: [LabeledPhoto]) -> String? {
    let unknown = Set(photos.map(\.label)).subtracting(labels).sorted()
    guard let first = unknown.first else { return nil }
    return
      "no hog baseline: \(FigureText.count(unknown.count, "tested building")) without training photos, "
      + "such as \(first)"
  }

  /// Adds the findings about the photos of a folder; returns the reason if the check failed.
  ///
  /// - Parameter hasNegatives: Whether non-building photos are in another folder; if so, neither they nor kinds of them
  ///   are reported as missing.
  package func check(
    _ set: PhotoSet, campus: Campus?, hasNegatives: Bool, of seen: ScoredPhotos,
    _ look: ReportPreparation,
    for report: inout EvaluationReport
  ) async -> String? {
    do {
      let check = try await DatasetCheck(
        of: set, campus: campus, reader: look.reader, seen: seen.checked, threads: threads,
        progress: progress("checking photos", set.photos.count),
        comparing: progress("comparing photos", set.photos.count))
      let name = set.root.split(separator: "/").last.map(String.init) ?? set.root
      // The folder may contain only test photos.
      report.check = CheckReport(
        check, folder: name,
        leavingOut: hasNegatives
          ? [.nothingTrains, .noBackground, .missingKinds] : [.nothingTrains])
      return nil
    } catch {
      return "the photos were not checked: \(error)"
    }
  }
}

/// The photo check and the baseline of a report; prepared before the other photos are decoded.
package struct ReportPreparation: Sendable {
  let reader: PhotoReader
  /// The `hog` baseline; `nil` if the model itself uses `hog`, or if training was skipped or failed.
  let baseline: Baseline.Trained?
  var failure: String?
  var lack: String?

  /// Checks and recognizes a decoded photo; returns `nil` for models with another input size.
  func look(
    _ photo: LabeledPhoto, _ opened: Photo, _ image: RGBImage, for recipe: Recipe
  ) throws(CupolaError) -> (checked: CheckedPhoto, baseline: [Float]?)? {
    guard recipe.inputSide == Light.side else { return nil }
    let recognizer = baseline.flatMap {
      $0.recognizer.model.recipe.inputSide == recipe.inputSide ? $0.recognizer : nil
    }
    return (
      try CheckedPhoto(photo, opened, image, with: reader), try recognizer?.look(at: image)
    )
  }
}

/// The classic `hog` features, trained and tested on the same photos as the model, as a baseline for comparison.
package struct Baseline: Sendable {
  let figures: Figures
  let named: Share
  let mcnemar: McNemar
  let trainingPhotos: Int
  let answers: [[UInt8]: String]

  var json: JSONObject {
    figures.json.adding(["mcnemar": mcnemar.json, "training_photos": trainingPhotos])
  }

  /// Larger sets are reduced to this number of photos, evenly by label, to limit time and memory.
  static let mostPhotos = 800

  /// Evaluates a trained baseline; decodes photos only if their logits are missing.
  init(_ trained: Trained, of seen: ScoredPhotos, beside own: Evaluation, threads: Int) async {
    var evaluator = Evaluator(trained.recognizer.model)
    evaluator.recognizer = trained.recognizer
    evaluator.usesPlace = false
    evaluator.threads = threads
    let photos =
      if let known = seen.ofBaseline { known } else { await evaluator.look(at: seen.listed) }
    let evaluation = await evaluator.evaluate(photos)
    trainingPhotos = trained.photos
    figures = Figures(evaluation)
    named = evaluation.named
    answers = Dictionary(
      evaluation.all.compactMap { answer in
        answer.candidates.first.map { (answer.photo.file, $0.label) }
      }
    ) { first, _ in first }
    let right = Dictionary(evaluation.known.map { ($0.photo.file, $0.isRight) }) {
      first, _ in first
    }
    let both = own.known.filter { right[$0.photo.file] != nil }
    mcnemar = McNemar(
      both.map { ($0.isRight, right[$0.photo.file] ?? false) }, sessions: both.sessions)
  }

  struct Trained: Sendable {
    let recognizer: Recognizer
    let photos: Int
  }

  static func trained(
    on photos: [LabeledPhoto], seed: UInt64, by refits: ReportRefits
  ) async throws(TrainingError) -> Trained {
    var trainer = Trainer()
    trainer.recipe = .hog
    trainer.seed = seed
    (trainer.decoder, trainer.cache, trainer.threads) = (
      refits.decoder, refits.cache, refits.threads
    )
    let progress = refits.progress("hog baseline", photos.count)
    let chosen = photos.thinned(byLabelTo: mostPhotos)
    let model = try await trainer.train(on: chosen) {
      if $0.step == .describingPhotos { progress?($0.done) }
    }.model
    var recognizer = Recognizer(model: model)
    recognizer.decoder = refits.decoder
    return Trained(recognizer: recognizer, photos: chosen.count)
  }
}

extension [LabeledPhoto] {
  /// Returns an evenly spaced sample with the same number of photos of each label, at least two.
  func thinned(byLabelTo most: Int) -> [LabeledPhoto] {
    guard count > most else { return self }
    let byLabel = Dictionary(grouping: self, by: \.label)
    let room = Swift.max(2, most / byLabel.count)
    return byLabel.keys.sorted().flatMap { (byLabel[$0] ?? []).thinned(to: room) }
  }
}
