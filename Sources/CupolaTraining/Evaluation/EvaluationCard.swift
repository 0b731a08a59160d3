public import Cupola

/// Where a model and the figures about it come from, and what they do not say (Mitchell et al., FAT*
/// 2019). No time stamps and no paths: the same photos and model give the same card.
public struct EvaluationCard: Encodable, Sendable {
  /// The name of the model's file.
  public let model: String
  let version: String
  let features: String
  let featureCount: Int
  let recipe: Recipe
  let weights: WeightFormat
  let labels: Int
  let trainingPhotos: [String: Int]
  let dataDigest: String
  let seed: UInt64
  let regularisation: Double
  let whitening: Double?
  let kernel: String
  let temperature: Double
  let maximumError: Double
  let leastOdds: Double
  let leastShare: Double
  let buildingsOnMap: Int?
  let positionWeight: Double?
  let headingWeight: Double?
  /// Photos evaluated, by the part of the split; `undivided` without one.
  let evaluatedPhotos: [String: Int]
  /// Evaluated photos of known buildings that also trained the model, by their digests.
  public let photosThatTrained: Int
  /// What the figures do not say, in sentences.
  public let limits: [String]

  enum CodingKeys: String, CodingKey {
    case model, features, recipe, weights, labels, seed, regularisation, whitening, kernel
    case temperature, limits
    case version = "cupola_version"
    case featureCount = "feature_count"
    case trainingPhotos = "training_photos"
    case dataDigest = "data_sha256"
    case maximumError = "max_error"
    case leastOdds = "least_odds"
    case leastShare = "least_share"
    case buildingsOnMap = "buildings_on_map"
    case positionWeight = "position_weight"
    case headingWeight = "heading_weight"
    case evaluatedPhotos = "evaluated_photos"
    case photosThatTrained = "photos_that_trained"
  }

  /// The card of an evaluation.
  ///
  /// - Parameter name: the name of the model's file.
  public init(_ recognizer: Recognizer, named name: String, evaluation: Evaluation) {
    let model = recognizer.model
    let provenance = model.provenance
    self.model = name
    version = provenance.version
    if case .hog = model.recipe.features { features = "hog" } else { features = "fisher" }
    featureCount = model.recipe.featureCount
    recipe = model.recipe
    weights = model.weightFormat
    labels = model.labels.names.count
    trainingPhotos = provenance.photos
    dataDigest = provenance.dataDigest
    seed = provenance.seed
    regularisation = provenance.regularisation
    whitening = provenance.whitening
    kernel = provenance.kernel
    temperature = model.calibration.temperature
    maximumError = recognizer.point.maximumError
    leastOdds = recognizer.point.leastOdds
    // Minus infinity where any share will do, which JSON has no word for.
    leastShare = max(recognizer.point.leastShare, 0)
    buildingsOnMap = model.campus?.buildings.count
    positionWeight = model.place?.positionWeight
    headingWeight = model.place?.headingWeight
    evaluatedPhotos = Dictionary(grouping: evaluation.all) {
      $0.photo.split?.rawValue ?? "undivided"
    }
    .mapValues(\.count)
    let trained = Set(provenance.photoDigests.values.flatMap(\.values))
    photosThatTrained = evaluation.known.count { trained.contains($0.facts.digest) }
    limits = Self.limits(model, evaluation, photosThatTrained: photosThatTrained)
  }

  /// Where figures of few photos begin to mean something.
  private static let fewPhotos = 100
  private static let fewPhotosOfALabel = 5

  private static func limits(
    _ model: Model, _ evaluation: Evaluation, photosThatTrained: Int
  ) -> [String] {
    var limits: [String] = []
    let known = evaluation.known.count
    if photosThatTrained > 0 {
      limits.append(
        "\(photosThatTrained) of the \(known) photos also trained the model: the figures flatter it."
      )
    }
    if evaluation.all.contains(where: { $0.photo.split == nil }) {
      limits.append(
        "Nothing divides these photos into training and test: figures of photos that trained the "
          + "model, or of the same sessions, flatter it.")
    }
    if known < fewPhotos {
      limits.append("Only \(known) photos of known buildings: mind the intervals.")
    }
    let few = evaluation.confusion.perLabel.filter { $0.support < fewPhotosOfALabel }
    if !few.isEmpty, known > 0 {
      limits.append(
        "\(few.count) of \(evaluation.confusion.labels.count) buildings have fewer than "
          + "\(fewPhotosOfALabel) photos here: their own figures say little.")
    }
    if evaluation.background.isEmpty {
      limits.append("No photos of anything but buildings: how well such are refused is not known.")
    }
    if evaluation.unknown.isEmpty {
      limits.append("No photos of buildings that are none of the labels: likewise not known.")
    }
    if Set(evaluation.known.compactMap(\.session)).count == 1 {
      limits.append("All photos are of one session: another day's light is not measured.")
    }
    limits.append(
      "Photos of other places, seasons, cameras and lights than those above are not measured.")
    return limits
  }
}
