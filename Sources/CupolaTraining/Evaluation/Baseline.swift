internal import Cupola

/// What the classic `hog` features, trained on the same photos, make of the same test: what a better
/// model must be better than.
public struct Baseline: Sendable {
  /// What it makes of the test; it knows no place.
  let figures: Figures
  /// Photos of known buildings that it names right.
  let named: Share
  let mcnemar: McNemar
  /// Photos that it was trained on.
  let trainingPhotos: Int
  /// The building that it takes each photo for, by its file.
  let answers: [[UInt8]: String]

  var json: JSONObject {
    figures.json.adding(["mcnemar": mcnemar.json, "training_photos": trainingPhotos])
  }

  /// More photos than this are thinned out, label by label, so that time and memory are bounded.
  static let mostPhotos = 800

  init(_ evaluation: Evaluation, trainedOn photos: Int, beside own: Evaluation) {
    trainingPhotos = photos
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

  /// The baseline, trained.
  struct Trained: Sendable {
    let recognizer: Recognizer
    /// Photos that it was trained on.
    let photos: Int
  }

  /// Trains the baseline.
  ///
  /// - Parameter training: thinned out where there are more than ``mostPhotos``.
  /// - Throws: ``TrainingError`` when nothing can be learned from the training photos.
  static func trained(
    on training: [LabeledPhoto], seed: UInt64, decoder: PhotoDecoder, cache: FeatureCache?,
    threads: Int, progress: (@Sendable (Int) -> Void)?
  ) async throws(TrainingError) -> Trained {
    var trainer = Trainer()
    trainer.recipe = .hog
    trainer.seed = seed
    trainer.decoder = decoder
    trainer.cache = cache
    trainer.threads = threads
    let chosen = training.thinned(byLabelTo: Self.mostPhotos)
    let model = try await trainer.train(on: chosen) {
      if $0.step == .describingPhotos { progress?($0.done) }
    }.model
    var recognizer = Recognizer(model: model)
    recognizer.decoder = decoder
    return Trained(recognizer: recognizer, photos: chosen.count)
  }

  /// What the baseline makes of photos that were evaluated; it sees those that it has not seen.
  init(_ trained: Trained, of seen: SeenPhotos, beside own: Evaluation, threads: Int) async {
    var evaluator = Evaluator(trained.recognizer.model)
    evaluator.recognizer = trained.recognizer
    evaluator.usesPlace = false
    evaluator.threads = threads
    let photos =
      if let known = seen.ofBaseline { known } else { await evaluator.look(at: seen.listed) }
    self.init(await evaluator.evaluate(photos), trainedOn: trained.photos, beside: own)
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
