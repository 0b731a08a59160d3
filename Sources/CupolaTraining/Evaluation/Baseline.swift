public import Cupola

/// What the classic `hog` features, trained on the same photos, make of the same test: what a better
/// model must be better than.
public struct Baseline: Encodable, Sendable {
  /// Share of the known photos that it names right.
  public let top1: Double?
  let top1Interval: [Double]
  let top3: Double?
  let macroF1: Double?
  let auroc: Double?
  let mcnemar: McNemar
  /// The building that it takes each photo for, by the photo's name.
  let answers: [String: String]

  enum CodingKeys: String, CodingKey {
    case top1, top3, auroc, mcnemar
    case top1Interval = "top1_interval"
    case macroF1 = "macro_f1"
  }

  init(_ evaluation: Evaluation, beside own: Evaluation) {
    top1 = evaluation.top1
    top1Interval = evaluation.top1Interval.ends
    top3 = evaluation.top3
    macroF1 = evaluation.confusion.macroF1
    auroc = evaluation.backgroundRejection.area
    answers = Dictionary(
      evaluation.all.compactMap { answer in
        answer.candidates.first.map { (answer.photo.name, $0.label) }
      }
    ) { first, _ in first }
    let right = Dictionary(evaluation.known.map { ($0.photo.name, $0.isRight) }) { first, _ in first
    }
    let pairs = own.known.compactMap { answer in
      right[answer.photo.name].map { (answer.isRight, $0) }
    }
    mcnemar = McNemar(
      onlyFirst: pairs.count { $0 && !$1 }, onlySecond: pairs.count { !$0 && $1 })
  }

  /// Trains the baseline and asks it about the photos that were evaluated.
  ///
  /// - Throws: ``TrainingError`` when nothing can be learned from the training photos.
  public static func evaluation(
    of photos: [LabelledPhoto], trainedOn training: [LabelledPhoto], seed: UInt64,
    decoder: PhotoDecoder, cache: FeatureCache?, threads: Int,
    progress: (@Sendable (Int) -> Void)? = nil
  ) async throws -> Evaluation {
    var trainer = Trainer()
    trainer.recipe = .hog
    trainer.seed = seed
    trainer.decoder = decoder
    trainer.cache = cache
    trainer.threads = threads
    let model = try await trainer.train(on: training, progress: progress).model
    var evaluator = Evaluator(model)
    evaluator.recognizer.decoder = decoder
    evaluator.usesPlace = false
    evaluator.threads = threads
    return await evaluator.evaluate(photos)
  }
}

extension McNemar: Encodable {
  private enum CodingKeys: String, CodingKey {
    case method
    case onlyFirst = "only_first"
    case onlySecond = "only_second"
    case pValue = "p_value"
  }

  /// Writes both counts, the method and the p-value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(onlyFirst, forKey: .onlyFirst)
    try container.encode(onlySecond, forKey: .onlySecond)
    try container.encode(method.rawValue, forKey: .method)
    try container.encode(pValue, forKey: .pValue)
  }
}
