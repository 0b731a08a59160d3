public import Cupola

// 1. List facts about the training, the thresholds and the photos, for JSON and for readers.
// 2. State the limits of the metrics in sentences.

/// The origin of a model and its metrics, and the limits of these metrics (Mitchell et al., FAT* 2019).
///
/// The card has no timestamps and no paths, so the same photos and model produce the same card.
public struct EvaluationCard: Sendable {
  package let model: String
  let recognizer: Recognizer
  /// The number of evaluated photos in each split; the key is `undivided` if the photos are not split.
  let evaluatedPhotos: [String: Int]
  /// The same photos by kind, as the rest of the report counts them.
  private let photosByKind: String
  package let photosThatTrained: Int
  package let limits: [String]

  static let facts: [Column<EvaluationCard>] =
    [.text("model") { $0.model }] + ofTraining.map { $0.of { $0.recognizer.model } }
    + ofLine.map { $0.of { $0.recognizer.point } }
    + [
      Column("evaluated_photos", "photos evaluated") {
        .other($0.evaluatedPhotos, $0.photosByKind)
      },
      .count("photos_that_trained", "evaluated photos of buildings that are training photos") {
        $0.photosThatTrained
      },
    ]

  private static let ofTraining: [Column<Model>] = [
    .text("cupola_version", "trained by Cupola") { $0.provenance.version },
    .text("kernel") { $0.provenance.kernel },
    Column("labels") {
      .other($0.labels.names.count, FigureText.count($0.labels.buildings.count, "building"))
    },
    Column("training_photos", "training photos") {
      let photos = $0.provenance.photos
      let buildings = photos.reduce(0) { Labels.isBackground($1.key) ? $0 : $0 + $1.value }
      let drawn = DrawnPhotos.labels.reduce(0) { $0 + (photos[$1] ?? 0) }
      let others = [
        (photos.values.reduce(0, +) - buildings - drawn, "non-building photo"),
        (drawn, "rendered image"),
      ].filter { $0.0 > 0 }.map { ", " + FigureText.count($0.0, $0.1) }
      return .other(photos, "\(buildings) of buildings" + others.joined())
    }, .text("data_sha256", "SHA-256 of the training photos") { $0.provenance.dataDigest },
    Column("seed") { .other($0.provenance.seed, "\($0.provenance.seed)") },
    .text("features") { $0.recipe.features.kind },
    .text("classifier") { $0.classifierKind.rawValue },
    .count("feature_count", "features per photo") { $0.recipe.featureCount },
    .text("weights") { $0.weightFormat.rawValue },
    Column("regularisation", "regularization") {
      $0.classifierKind == .softmax
        ? .other($0.provenance.regularization, "C = \($0.provenance.regularization)")
        : .text("none")
    }, .decimal("whitening", "whitening shrinkage") { $0.provenance.whitening },
    .decimal("temperature", digits: 3) { $0.calibration.temperature },
    .count("buildings_on_map", "buildings on the map") { $0.campus?.buildings.count },
    .decimal("position_weight", "position weight") {
      $0.usesPlace ? $0.place?.positionWeight : nil
    },
    .decimal("heading_weight", "heading weight") {
      $0.campus == nil ? nil : $0.place?.headingWeight
    },
  ]

  private static let ofLine: [Column<Thresholds>] = [
    Column("max_error", "target for wrong names") {
      .other($0.maximumError, "\(FigureText.smallPercent($0.maximumError)); \($0.title)")
    },
    Column("least_odds", "odds threshold") {
      .other($0.leastOdds, FigureText.odds($0.leastOdds))
    },
    // Minus infinity means no threshold, and JSON cannot represent it.
    Column("least_share", "name threshold") { .other(max($0.leastShare, 0), $0.nameThresholdText) },
  ]

  var json: JSONObject {
    Table([self], Self.facts).json[0].adding([
      "recipe": recognizer.model.recipe, "limits": limits,
    ])
  }

  /// Creates the card of an evaluation.
  ///
  /// - Parameters:
  ///   - recognizer: The recognizer of the evaluated model.
  ///   - name: The name of the model file.
  ///   - evaluation: The evaluation to describe.
  public init(_ recognizer: Recognizer, named name: String, evaluation: Evaluation) {
    let model = recognizer.model
    self.model = name
    self.recognizer = recognizer
    evaluatedPhotos = Dictionary(grouping: evaluation.all) {
      $0.photo.split?.rawValue ?? "undivided"
    }
    .mapValues(\.count)
    photosByKind = evaluation.byKind.map { "\($0.counts.photos) of \($0.kind.rawValue)" }
      .joined(separator: ", ")
    let trained = Set(model.provenance.photoDigests.values.flatMap(\.values))
    photosThatTrained = evaluation.known.count { trained.contains($0.facts.digest) }
    limits = Self.limits(evaluation, photosThatTrained: photosThatTrained)
  }

  /// A session is shorter than a day, so photos of one day can be from several sessions.
  private static func oneOccasion(_ evaluation: Evaluation) -> String? {
    let isOneDay = evaluation.isOfOneDay
    let isOneSession = evaluation.named.sessions == 1 && evaluation.known.count > 1
    guard isOneDay || isOneSession, !evaluation.isOfOtherDays else { return nil }
    let start = "All test photos of buildings are from one \(isOneDay ? "day" : "session")"
    return start
      + (isOneDay && evaluation.trainedDays != nil
        ? ", like some of the training photos, so accuracy on another day, "
        : ". If the training photos are from the same day, accuracy on another day, ")
      + "in different lighting, is unknown."
  }

  private static let fewPhotos = 100
  private static let fewPhotosOfALabel = 5

  private static func limits(_ evaluation: Evaluation, photosThatTrained: Int) -> [String] {
    let known = evaluation.known.count
    let few = evaluation.confusion.perLabel.count { $0.support < fewPhotosOfALabel }
    let limits = [
      evaluation.point.reasonForNoNames.map { "No photo received a name: \($0)." },
      photosThatTrained == 0
        ? nil
        : "\(photosThatTrained) of the \(known) photos are also training photos, which inflates the metrics.",
      evaluation.known.allSatisfy { $0.photo.split != nil }
        ? nil
        : "These photos have no split into training and test. If they include training photos, or photos of the "
          + "same sessions, the metrics are inflated.",
      known >= fewPhotos
        ? nil
        : known == 0
          ? "There are no photos of known buildings, so accuracy is unknown."
          : "Only \(FigureText.count(known, "photo")) of known buildings: see the confidence intervals in the details.",
      few == 0 || known == 0
        ? nil
        : "\(few) of \(evaluation.confusion.labels.count) buildings \(few == 1 ? "has" : "have") fewer than "
          + "\(fewPhotosOfALabel) test photos; their metrics are unreliable.",
      evaluation.background.isEmpty
        ? "There are no non-building photos, so it is unknown how well the model rejects them."
        : nil,
      evaluation.unknown.isEmpty
        ? "There are no photos of unknown buildings, so "
          + (evaluation.point.unknownNamed.map {
            "only training estimates how many of them get a name: up to \(FigureText.percent($0))."
          } ?? "it is unknown how well the model rejects them.")
        : nil,
      oneOccasion(evaluation),
      "The metrics apply only to places, seasons, cameras and lighting similar to these photos.",
    ]
    return limits.compactMap(\.self)
  }
}
