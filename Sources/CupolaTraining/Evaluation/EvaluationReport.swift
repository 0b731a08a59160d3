/// An evaluation as the JSON that `cupola evaluate --json` prints: schema `cupola.evaluation/1`.
public struct EvaluationReport: Encodable, Sendable {
  let schema = "cupola.evaluation/1"
  let photos: Int
  let top1: Double?
  let top1Interval: [Double]
  let top3: Double?
  let macroF1: Double?
  let labels: [String]
  let confusion: [[Int]]
  let perLabel: [PerLabel]
  let rejection: Rejection
  let calibration: CalibrationErrors
  let riskCoverage: RiskCoverageFigures
  let verdicts: [String: VerdictCounts]
  let place: Place
  let slices: [SliceFigures]
  let latency: [String: LatencyFigures]
  var baselineHOGTop1: Double?
  let errors: [Failure]
  /// Photos that trained the model; absent when there are none or nobody looked.
  let leaks: LeakReport?

  /// The figures of the `hog` features, trained and measured on the same photos.
  public var baseline: Baseline? {
    didSet { if let baseline { baselineHOGTop1 = baseline.top1 } }
  }
  /// What more photos a building would give, and fewer.
  public var learningCurve: [LearningCurve.Point]?
  /// What is wrong with the photos themselves, those that train included.
  public var check: DatasetCheckJSON?
  /// The same photos as another model answered them.
  public var comparison: ModelComparison?
  /// Where the model and these figures come from.
  public var card: EvaluationCard?

  enum CodingKeys: String, CodingKey {
    case schema, photos, top1, top3, labels, confusion, rejection, calibration, verdicts, errors
    case place, slices, comparison, leaks, check
    case top1Interval = "top1_interval"
    case macroF1 = "macro_f1"
    case perLabel = "per_label"
    case riskCoverage = "risk_coverage"
    case latency = "latency_ms"
    case baselineHOGTop1 = "baseline_hog_top1"
    case baseline = "baseline_hog"
    case learningCurve = "learning_curve"
    case card = "model_card"
  }

  /// The figures of an evaluation.
  ///
  /// - Parameter overlap: which of the photos trained the model, where that is known.
  public init(_ evaluation: Evaluation, overlap: TrainingOverlap? = nil) {
    photos = evaluation.known.count
    top1 = evaluation.top1
    top1Interval = evaluation.top1Interval.ends
    top3 = evaluation.top3
    macroF1 = evaluation.confusion.macroF1
    labels = evaluation.confusion.labels
    confusion = evaluation.confusion.counts
    perLabel = evaluation.confusion.perLabel.map(PerLabel.init)
    rejection = Rejection(evaluation)
    calibration = CalibrationErrors(evaluation.calibration)
    riskCoverage = RiskCoverageFigures(evaluation)
    verdicts = [
      "buildings": VerdictCounts(evaluation.verdicts(evaluation.known)),
      "not_buildings": VerdictCounts(evaluation.verdicts(evaluation.background)),
      "unknown_buildings": VerdictCounts(evaluation.verdicts(evaluation.unknown)),
    ]
    place = Place(evaluation)
    slices = Slice.all(of: evaluation).map(SliceFigures.init)
    latency = Dictionary(
      uniqueKeysWithValues: Latency.byStage(evaluation.all).map {
        ($0.stage, LatencyFigures(median: $0.latency.median, percentile95: $0.latency.percentile95))
      })
    baselineHOGTop1 = evaluation.usesHOGFeatures ? evaluation.top1 : nil
    leaks = overlap.flatMap { LeakReport($0, evaluation) }
    errors = evaluation.errors.map { Failure(photo: $0.name, message: $0.message) }
  }
}

extension WilsonInterval {
  /// Both ends, as JSON has them.
  var ends: [Double] { [lower, upper] }
}
