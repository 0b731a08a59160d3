public import Cupola

// The model card of a report (Mitchell et al., FAT* 2019).
// 1. Facts of the training, the threshold and the photos, each for JSON and for people.
// 2. The limits of the figures, in sentences.

/// Where a model and the figures about it come from, and what they do not say (Mitchell et al., FAT*
/// 2019). No time stamps and no paths: the same photos and model give the same card.
public struct EvaluationCard: Sendable {
  package let model: String
  let recognizer: Recognizer
  /// Photos evaluated, by the part of the split; `undivided` without one.
  let evaluatedPhotos: [String: Int]
  /// Evaluated photos of known buildings that also trained the model, by their digests.
  package let photosThatTrained: Int
  package let limits: [String]

  static let facts: [Column<EvaluationCard>] =
    [.text("model") { $0.model }] + ofTraining.map { $0.of { $0.recognizer.model } }
    + ofLine.map { $0.of { $0.recognizer.point } }
    + [
      Column("evaluated_photos", "photos evaluated") {
        let parts = $0.evaluatedPhotos.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return .other($0.evaluatedPhotos, parts.joined(separator: ", "))
      }, .count("photos_that_trained", "of these also trained the model") { $0.photosThatTrained },
    ]

  private static let ofTraining: [Column<Model>] = [
    .text("cupola_version", "trained by Cupola") { $0.provenance.version },
    .text("kernel") { $0.provenance.kernel },
    .count("labels") { $0.labels.names.count },
    Column("training_photos", "training photos") {
      .other($0.provenance.photos, "\($0.provenance.photos.values.reduce(0, +))")
    }, .text("data_sha256", "their SHA-256") { $0.provenance.dataDigest },
    Column("seed") { .other($0.provenance.seed, "\($0.provenance.seed)") },
    .text("features") { $0.recipe.features.kind },
    .text("classifier") { $0.classifierKind.rawValue },
    .count("feature_count", "values of a photo") { $0.recipe.featureCount },
    .text("weights") { $0.weightFormat.rawValue },
    Column("regularisation", "regularization") {
      $0.classifierKind == .softmax
        ? .other($0.provenance.regularization, "C = \($0.provenance.regularization)")
        : .text("none")
    }, .decimal("whitening", "shrinkage of the whitening") { $0.provenance.whitening },
    .decimal("temperature", digits: 3) { $0.calibration.temperature },
    .count("buildings_on_map", "buildings on the map") { $0.campus?.buildings.count },
    .decimal("position_weight", "weight of the place") { $0.place?.positionWeight },
    .decimal("heading_weight", "weight of the heading") { $0.place?.headingWeight },
  ]

  private static let ofLine: [Column<Thresholds>] = [
    .share("max_error", "error asked for") { $0.maximumError },
    Column("least_odds", "odds that a name needs") {
      .other($0.leastOdds, FigureText.odds($0.leastOdds))
    },
    // Minus infinity where any share will do, which JSON has no word for.
    .share("least_share", "share that a name needs") { max($0.leastShare, 0) },
  ]

  var json: JSONObject {
    Table([self], Self.facts).json[0].adding([
      "recipe": recognizer.model.recipe, "limits": limits,
    ])
  }

  /// The card of an evaluation.
  ///
  /// - Parameters:
  ///   - recognizer: what was evaluated.
  ///   - name: the name of the model's file.
  ///   - evaluation: what came of it.
  public init(_ recognizer: Recognizer, named name: String, evaluation: Evaluation) {
    let model = recognizer.model
    self.model = name
    self.recognizer = recognizer
    evaluatedPhotos = Dictionary(grouping: evaluation.all) {
      $0.photo.split?.rawValue ?? "undivided"
    }
    .mapValues(\.count)
    let trained = Set(model.provenance.photoDigests.values.flatMap(\.values))
    photosThatTrained = evaluation.known.count { trained.contains($0.facts.digest) }
    limits = Self.limits(evaluation, photosThatTrained: photosThatTrained)
  }

  private static let fewPhotos = 100
  private static let fewPhotosOfALabel = 5

  private static func limits(_ evaluation: Evaluation, photosThatTrained: Int) -> [String] {
    let known = evaluation.known.count
    let few = evaluation.confusion.perLabel.count { $0.support < fewPhotosOfALabel }
    // Of photos whose session nobody knows it cannot be said.
    let sessions = Set(evaluation.known.map(\.session))
    let limits = [
      evaluation.point.reasonForNoNames.map { "No photo gets a name: \($0)." },
      photosThatTrained == 0
        ? nil
        : "\(photosThatTrained) of the \(known) photos also trained the model: the figures flatter it.",
      evaluation.known.allSatisfy { $0.photo.split != nil }
        ? nil
        : "Nothing divides these photos into training and test: figures of photos that trained the "
          + "model, or of the same sessions, flatter it.",
      known >= fewPhotos
        ? nil
        : known == 0
          ? "No photos of known buildings: how many are named right is not known."
          : "Only \(FigureText.count(known, "photo")) of known buildings: mind the intervals.",
      few == 0 || known == 0
        ? nil
        : "\(few) of \(evaluation.confusion.labels.count) buildings have fewer than "
          + "\(fewPhotosOfALabel) photos here: their own figures say little.",
      evaluation.background.isEmpty
        ? "No photos of anything but buildings: how well such are refused is not known." : nil,
      evaluation.unknown.isEmpty
        ? "No photos of buildings that are none of the labels: likewise not known." : nil,
      sessions.count == 1 && !sessions.contains(nil)
        ? "All photos are of one session: another day's light is not measured." : nil,
      "Photos of other places, seasons, cameras and lights than those above are not measured.",
    ]
    return limits.compactMap(\.self)
  }
}
