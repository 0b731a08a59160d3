package import Cupola

// The parts of a report that take a training or read all photos.
// 1. secondLook trains the hog baseline before photos are decoded, so that each is decoded once.
// 2. add measures the baseline and fits the learning curve; 3. check adds the photo check.

package struct ReportRefits: Sendable {
  /// Photos that train, none where nothing divides the photos.
  package var training: [LabeledPhoto] = []
  /// Photos to measure with: what cannot stand beside the model's figures of them is not trained.
  package var asked: [LabeledPhoto] = []
  package var decoder = PhotoDecoder()
  package var cache: FeatureCache?
  package var threads = 1
  /// Gives what is told how far a part is, by its name and its number of photos.
  package var progress: @Sendable (_ part: String, _ photos: Int) -> (@Sendable (Int) -> Void)? = {
    _, _ in nil
  }

  package init() {}

  /// Prepares what the report asks of the photos of a folder beside the model.
  package func secondLook(at set: PhotoSet, beside model: Model) async -> SecondLook {
    let reader = await DatasetCheck.reader(of: set.photos, decoder, threads)
    let photos = trained(model)
    guard !photos.isEmpty, model.recipe.features.kind != HOG.kind else {
      return SecondLook(reader: reader, baseline: nil)
    }
    if let lack = Self.lack(of: photos.map(\.label), for: calibratedBuildings(of: model)) {
      return SecondLook(reader: reader, baseline: nil, lack: lack)
    }
    do {
      let baseline = try await Baseline.trained(on: photos, seed: model.provenance.seed, by: self)
      return SecondLook(reader: reader, baseline: baseline)
    } catch {
      return SecondLook(reader: reader, baseline: nil, failure: "no hog baseline: \(error)")
    }
  }

  /// Those of labels that the model knows: negatives that only the evaluation was given did not train it.
  private func trained(_ model: Model) -> [LabeledPhoto] {
    training.filter { model.labels.names.contains($0.label) }
  }

  private func calibratedBuildings(of model: Model) -> [LabeledPhoto] {
    let names = Set(model.labels.buildings.map { model.labels.names[$0] })
    return asked.filter { $0.split != .testUnknown && names.contains($0.label) }
  }

  /// Adds the baseline and the learning curve; returns why the baseline is missing, if it is.
  package func add(
    to report: inout EvaluationReport, of seen: SeenPhotos, _ look: SecondLook, model: Model
  ) async -> String? {
    let known = trained(model)
    guard !known.isEmpty else { return nil }
    // Labels of which no photo can be used do not train.
    let photos = report.evaluation.known.map(\.photo)
    let lack =
      look.lack
      ?? look.baseline.flatMap { Self.lack(of: $0.recognizer.model.labels.names, for: photos) }
    if let baseline = look.baseline, lack == nil {
      report.baseline = await Baseline(
        baseline, of: seen, beside: report.evaluation, threads: threads)
    }
    // What failed may name the folder of the photos, which no report does.
    report.baselineLack = lack ?? look.failure.map { _ in "no hog baseline: its training failed" }
    let curve = await LearningCurve(of: model, photos: known, by: self)
    (report.learningCurve, report.splits) = (curve.points, curve.splits)
    return look.failure ?? lack
  }

  /// Why a baseline cannot stand beside a model: its figures would be of fewer photos.
  private static func lack(of labels: [String], for photos: [LabeledPhoto]) -> String? {
    let unknown = Set(photos.map(\.label)).subtracting(labels).sorted()
    guard let first = unknown.first else { return nil }
    return "no hog baseline: \(FigureText.count(unknown.count, "building")) of the test without "
      + "photos to train it with, such as \(first)"
  }

  /// Adds what is wrong with the photos of a folder; returns why they could not be checked, if so.
  /// `hasNegatives`: photos of no buildings are elsewhere, so that they are not missed.
  package func check(
    _ set: PhotoSet, campus: Campus?, hasNegatives: Bool, of seen: SeenPhotos, _ look: SecondLook,
    for report: inout EvaluationReport
  ) async -> String? {
    do {
      let check = try await DatasetCheck(
        of: set, campus: campus, reader: look.reader, seen: seen.checked, threads: threads,
        progress: progress("checking photos", set.photos.count),
        comparing: progress("comparing photos", set.photos.count))
      // No report says where its photos are kept.
      let name = set.root.split(separator: "/").last.map(String.init) ?? set.root
      // Photos may well be there for the test alone.
      report.check = CheckReport(
        check, folder: name,
        leavingOut: hasNegatives ? [.nothingTrains, .noBackground] : [.nothingTrains])
      return nil
    } catch {
      return "the photos were not checked: \(error)"
    }
  }
}

/// What a report asks of photos beside the model, prepared before these are decoded: none is decoded again.
package struct SecondLook: Sendable {
  let reader: PhotoReader
  /// The `hog` features trained on the same photos; `nil` when the model has them itself, or nothing was learned.
  let baseline: Baseline.Trained?
  /// What its training threw, where that was tried.
  var failure: String?
  /// Why it was not tried: its figures could not stand beside the model's.
  var lack: String?

  /// What a picture that was decoded for a model tells; `nil` of pictures of another size than that needs.
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

/// What the classic `hog` features, trained on the same photos, make of the same test: what a better
/// model must be better than.
package struct Baseline: Sendable {
  let figures: Figures
  let named: Share
  let mcnemar: McNemar
  let trainingPhotos: Int
  let answers: [[UInt8]: String]

  var json: JSONObject {
    figures.json.adding(["mcnemar": mcnemar.json, "training_photos": trainingPhotos])
  }

  /// More photos than this are thinned out, label by label, so that time and memory are bounded.
  static let mostPhotos = 800

  /// What it makes of photos that were evaluated; it sees those that it has not seen.
  init(_ trained: Trained, of seen: SeenPhotos, beside own: Evaluation, threads: Int) async {
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
    let pairs = own.known.compactMap { answer in
      right[answer.photo.file].map { (answer.isRight, $0) }
    }
    mcnemar = McNemar(
      onlyFirst: pairs.count { $0 && !$1 }, onlySecond: pairs.count { !$0 && $1 })
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
  /// The same number of each label, evenly spread, at most so many together but for two of each; all
  /// of them when they are no more.
  func thinned(byLabelTo most: Int) -> [LabeledPhoto] {
    guard count > most else { return self }
    let byLabel = Dictionary(grouping: self, by: \.label)
    let room = Swift.max(2, most / byLabel.count)
    return byLabel.keys.sorted().flatMap { (byLabel[$0] ?? []).thinned(to: room) }
  }
}
