public import Cupola

/// An evaluation as the JSON that `cupola evaluate --json` prints: schema `cupola.evaluation/1`.
public struct EvaluationReport: Encodable, Sendable {
  /// The answers.
  let evaluation: Evaluation
  /// What stands for the model as a whole.
  let figures: Figures
  /// What photos that trained the model do to the figures; `nil` when there are none or nobody looked.
  public let leaks: LeakReport?
  /// What visitors get of whom some point at buildings that did not train.
  let visits: VisitFigures?
  /// Whether anything tells of such visits.
  package var knowsVisits: Bool { visits != nil }

  /// The figures of the `hog` features, trained and measured on the same photos.
  public var baseline: Baseline?
  /// Why there is none, where one was tried: `no hog baseline: ...`.
  var baselineLack: String?
  /// What more photos a building would give, and fewer.
  public var learningCurve: [LearningCurve.Point]?
  /// How much better the training photos would be named on a random split.
  public var splits: SplitComparison?
  /// What is wrong with the photos themselves, those that train included.
  public var check: CheckReport?
  /// The same photos as other models answered them.
  public var comparisons: [ModelComparison] = []
  /// Where the model and these figures come from.
  public var card: EvaluationCard?
  /// What is there beside the photos asked about and could not be asked about, such as folders that cannot be read.
  package var leftOut: [SkippedFile] = []

  /// The figures of an evaluation.
  ///
  /// - Parameters:
  ///   - evaluation: what was answered.
  ///   - unknownVisits: the share of visits to buildings that did not train, 0...1.
  public init(
    _ evaluation: Evaluation, unknownVisits: Double = OperatingPoint.unknownVisits
  ) {
    self.evaluation = evaluation
    visits = VisitFigures(evaluation, unknownShare: unknownVisits)
    figures = Figures(evaluation)
    leaks = LeakReport(evaluation)
  }

  /// Top-1 of the `hog` features on these photos, where known.
  var baselineHOGTop1: Double? {
    baseline?.figures["top1"] ?? (evaluation.usesHOGFeatures ? evaluation.top1 : nil)
  }

  /// Whether the place has a part in the answers.
  var placeCounts: Bool {
    evaluation.known.contains(where: \.facts.isPlaced)
      || evaluation.top1WithPlace != evaluation.top1
  }

  /// The figures that there are photos for, in order.
  var shown: [Figure] {
    Figure.all.filter { !$0.isOptional || figures[$0.name] != nil }.filter { figure in
      switch figure.photos {
      case .known: figure.name != "fused" || placeCounts
      case .background: !evaluation.background.isEmpty
      case .unknown: !evaluation.unknown.isEmpty
      case .leaks: leaks != nil
      }
    }
  }

  var json: JSONObject {
    var object: JSONObject = [
      "schema": "cupola.evaluation/1", "labels": evaluation.confusion.labels,
      "confusion": evaluation.confusion.counts, "per_label": perLabel.json,
      "rejection": [
        "roc": Table(thinned(evaluation.backgroundRejection.points), ROCCurve.Point.columns).json,
        "unknown_buildings_roc": Table(
          thinned(evaluation.unknownRejection.points), ROCCurve.Point.columns
        ).json,
      ] as JSONObject,
      "calibration": ["reliability": reliability.json] as JSONObject,
      "risk_coverage": ["points": riskCoverage.json] as JSONObject,
      "parts": partTable.json,
      "visits": visits.map { Table([$0], VisitFigures.columns).json[0] },
      "verdicts": verdicts.jsonByFirst, "slices": slices.json, "latency_ms": latency.jsonByFirst,
      "place": [
        "top1_image_only": evaluation.top1,
        "photos": evaluation.known.count(where: \.facts.isPlaced),
      ] as JSONObject,
      "errors": errors.json, "leaks": leaks?.json, "baseline_hog_top1": baselineHOGTop1,
      "baseline_hog": baseline?.json, "learning_curve": learningCurve.map { _ in learning.json },
      "splits": splits?.json, "check": check?.json,
      // Of one model an object, as it has always been.
      "comparison": comparisons.count == 1 ? comparisons[0].json : nil,
      "comparisons": comparisons.isEmpty ? nil : comparisons.map(\.json),
      "model_card": card?.json,
    ]
    figures.add(to: &object)
    return object
  }

  /// Writes all but the raw answers.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
