/// An evaluation as the JSON that `cupola evaluate --json` prints: schema `cupola.evaluation/1`.
public struct EvaluationReport: Encodable, Sendable {
  struct PerLabel: Encodable, Sendable {
    let label: String
    let precision: Double?
    let recall: Double?
    let f1: Double?
    let support: Int
  }

  struct Rejection: Encodable, Sendable {
    let photos: Int
    let auroc: Double?
    let fprAt95TPR: Double?
    let unknownBuildings: Int
    let unknownBuildingsAUROC: Double?

    enum CodingKeys: String, CodingKey {
      case photos, auroc
      case fprAt95TPR = "fpr_at_95_tpr"
      case unknownBuildings = "unknown_buildings"
      case unknownBuildingsAUROC = "unknown_buildings_auroc"
    }
  }

  struct CalibrationErrors: Encodable, Sendable {
    let ece: Double?
    let brier: Double?
  }

  struct VerdictCounts: Encodable, Sendable {
    let right: Int
    let wrong: Int
    let unsure: Int
    let notACampusBuilding: Int
    let notOnCampus: Int

    enum CodingKeys: String, CodingKey {
      case right, wrong, unsure
      case notACampusBuilding = "not_a_campus_building"
      case notOnCampus = "not_on_campus"
    }

    init(_ counts: Evaluation.Verdicts) {
      right = counts.right
      wrong = counts.wrong
      unsure = counts.unsure
      notACampusBuilding = counts.notACampusBuilding
      notOnCampus = counts.notOnCampus
    }
  }

  struct Place: Encodable, Sendable {
    let top1ImageOnly: Double?
    let top1Fused: Double?

    enum CodingKeys: String, CodingKey {
      case top1ImageOnly = "top1_image_only"
      case top1Fused = "top1_fused"
    }
  }

  struct Failure: Encodable, Sendable {
    let photo: String
    let message: String
  }

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
  let verdicts: [String: VerdictCounts]
  let place: Place
  let baselineHOGTop1: Double?
  let errors: [Failure]
  /// Photos that trained the model; absent when there are none or nobody looked.
  let leaks: LeakReport?

  enum CodingKeys: String, CodingKey {
    case schema, photos, top1, top3, labels, confusion, rejection, calibration, verdicts, errors
    case leaks
    case place
    case top1Interval = "top1_interval"
    case macroF1 = "macro_f1"
    case perLabel = "per_label"
    case baselineHOGTop1 = "baseline_hog_top1"
  }

  /// The figures of an evaluation.
  ///
  /// - Parameter overlap: which of the photos trained the model, where that is known.
  public init(_ evaluation: Evaluation, overlap: TrainingOverlap? = nil) {
    let interval = evaluation.top1Interval
    let background = evaluation.backgroundRejection
    photos = evaluation.known.count
    top1 = evaluation.top1
    top1Interval = [interval.lower, interval.upper]
    top3 = evaluation.top3
    macroF1 = evaluation.confusion.macroF1
    labels = evaluation.confusion.labels
    confusion = evaluation.confusion.counts
    perLabel = evaluation.confusion.perLabel.map {
      PerLabel(
        label: $0.label, precision: $0.precision, recall: $0.recall, f1: $0.f1,
        support: $0.support)
    }
    rejection = Rejection(
      photos: evaluation.background.count, auroc: background.area,
      fprAt95TPR: background.falsePositiveRate(atTruePositiveRate: 0.95),
      unknownBuildings: evaluation.unknown.count,
      unknownBuildingsAUROC: evaluation.unknownRejection.area)
    let figures = evaluation.calibration
    calibration = CalibrationErrors(ece: figures.ece, brier: figures.brier)
    verdicts = [
      "buildings": VerdictCounts(evaluation.verdicts(evaluation.known)),
      "not_buildings": VerdictCounts(evaluation.verdicts(evaluation.background)),
      "unknown_buildings": VerdictCounts(evaluation.verdicts(evaluation.unknown)),
    ]
    place = Place(top1ImageOnly: evaluation.top1, top1Fused: evaluation.top1WithPlace)
    baselineHOGTop1 = evaluation.usesHOGFeatures ? evaluation.top1 : nil
    leaks = overlap.flatMap { LeakReport($0, evaluation) }
    errors = evaluation.errors.map { Failure(photo: $0.name, message: $0.message) }
  }
}
