extension EvaluationReport {
  /// Curves have at most so many points in JSON and in pictures.
  static let mostPoints = 200

  struct PerLabel: Encodable, Sendable {
    let label: String
    let precision: Double?
    let recall: Double?
    let f1: Double?
    let support: Int

    init(_ figures: ConfusionMatrix.LabelFigures) {
      label = figures.label
      precision = figures.precision
      recall = figures.recall
      f1 = figures.f1
      support = figures.support
    }
  }

  struct Rejection: Encodable, Sendable {
    let photos: Int
    let auroc: Double?
    let fprAt95TPR: Double?
    let roc: [ROCPoint]
    let unknownBuildings: Int
    let unknownBuildingsAUROC: Double?
    let unknownBuildingsROC: [ROCPoint]

    enum CodingKeys: String, CodingKey {
      case photos, auroc, roc
      case fprAt95TPR = "fpr_at_95_tpr"
      case unknownBuildings = "unknown_buildings"
      case unknownBuildingsAUROC = "unknown_buildings_auroc"
      case unknownBuildingsROC = "unknown_buildings_roc"
    }

    init(_ evaluation: Evaluation) {
      let (background, unknown) = (evaluation.backgroundRejection, evaluation.unknownRejection)
      photos = evaluation.background.count
      auroc = background.area
      fprAt95TPR = background.falsePositiveRate(atTruePositiveRate: 0.95)
      roc = background.points.thinned(to: mostPoints).map(ROCPoint.init)
      unknownBuildings = evaluation.unknown.count
      unknownBuildingsAUROC = unknown.area
      unknownBuildingsROC = unknown.points.thinned(to: mostPoints).map(ROCPoint.init)
    }
  }

  struct ROCPoint: Encodable, Sendable {
    let threshold: Double
    let tpr: Double
    let fpr: Double

    init(_ point: ROCCurve.Point) {
      threshold = point.threshold
      tpr = point.truePositiveRate
      fpr = point.falsePositiveRate
    }
  }

  struct CalibrationErrors: Encodable, Sendable {
    struct Bin: Encodable, Sendable {
      let lower: Double
      let upper: Double
      let photos: Int
      let right: Int
      let meanProbability: Double?
      let accuracy: Double?

      enum CodingKeys: String, CodingKey {
        case lower, upper, photos, right, accuracy
        case meanProbability = "mean_probability"
      }
    }

    let ece: Double?
    let brier: Double?
    let reliability: [Bin]

    init(_ figures: CalibrationFigures) {
      ece = figures.ece
      brier = figures.brier
      reliability = figures.bins.map {
        Bin(
          lower: $0.lower, upper: $0.upper, photos: $0.photos, right: $0.right,
          meanProbability: $0.meanProbability, accuracy: $0.accuracy)
      }
    }
  }

  struct RiskCoverageFigures: Encodable, Sendable {
    struct Point: Encodable, Sendable {
      let threshold: Double?
      let coverage: Double
      let risk: Double?
    }

    let area: Double?
    let points: [Point]
    /// What the model's own line gives: photos that are named, and how many of them wrongly.
    let operatingPoint: Point?

    enum CodingKeys: String, CodingKey {
      case area, points
      case operatingPoint = "operating_point"
    }

    init(_ evaluation: Evaluation) {
      let curve = evaluation.riskCoverage
      area = curve.area
      points = curve.points.thinned(to: mostPoints).map {
        Point(threshold: $0.threshold, coverage: $0.coverage, risk: $0.risk)
      }
      let counts = evaluation.verdicts(evaluation.known)
      let named = counts.right + counts.wrong
      operatingPoint =
        evaluation.known.isEmpty
        ? nil
        : Point(
          threshold: nil, coverage: Double(named) / Double(evaluation.known.count),
          risk: named == 0 ? nil : Double(counts.wrong) / Double(named))
    }
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
    let top1FusedInterval: [Double]
    let photos: Int

    enum CodingKeys: String, CodingKey {
      case photos
      case top1ImageOnly = "top1_image_only"
      case top1Fused = "top1_fused"
      case top1FusedInterval = "top1_fused_interval"
    }

    init(_ evaluation: Evaluation) {
      top1ImageOnly = evaluation.top1
      top1Fused = evaluation.top1WithPlace
      top1FusedInterval = evaluation.top1WithPlaceInterval.ends
      photos = evaluation.known.count(where: \.facts.isPlaced)
    }
  }

  struct SliceFigures: Encodable, Sendable {
    let by: String
    let value: String
    let photos: Int
    let right: Int
    let accuracy: Double
    let interval: [Double]
    let rightFused: Int

    enum CodingKeys: String, CodingKey {
      case by, value, photos, right, accuracy, interval
      case rightFused = "right_fused"
    }

    init(_ slice: Slice) {
      by = slice.by
      value = slice.value
      photos = slice.photos
      right = slice.right
      accuracy = slice.accuracy
      interval = slice.interval.ends
      rightFused = slice.rightWithPlace
    }
  }

  struct LatencyFigures: Encodable, Sendable {
    let median: Double
    let percentile95: Double

    enum CodingKeys: String, CodingKey {
      case median
      case percentile95 = "p95"
    }
  }

  struct Failure: Encodable, Sendable {
    let photo: String
    let message: String
  }
}
