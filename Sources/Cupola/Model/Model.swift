/// Everything that was learned, and everything needed to use it: read from a file, or made by training.
public struct Model: Equatable, Sendable {
  /// From a photo to its feature vector.
  public package(set) var recipe: Recipe
  /// The recipe's features, with what was learned for them.
  package var extractor: FeatureExtractor
  /// The names of the classifier's rows.
  public package(set) var labels: Labels
  /// From a feature vector to logits.
  package var classifier: Classifier
  /// From logits to probabilities and a decision.
  public package(set) var calibration: Calibration
  /// The geofence and the catalog, if the model was trained with a map.
  public package(set) var campus: Campus?
  /// What place and heading say; `nil` when neither photos nor map knew any place.
  package var place: PlaceModel?
  /// How it was made.
  public package(set) var provenance: Provenance
  /// How feature vectors become logits.
  public var classifierKind: ClassifierKind { classifier.kind }
  /// How its file stores the weights; ``rounded(to:)`` changes it.
  public package(set) var weightFormat: WeightFormat
  /// Whether the file it was read from has a digest of all of it, as models that are written have; older ones have
  /// one of their tensors, so that damage to their texts goes unseen.
  package var isSealed = true

  /// Joins parts that fit each other.
  package init(
    recipe: Recipe, extractor: FeatureExtractor, labels: Labels, classifier: Classifier,
    calibration: Calibration, campus: Campus?, place: PlaceModel? = nil, provenance: Provenance,
    weightFormat: WeightFormat = .float32
  ) {
    precondition(
      labels.names.count == classifier.biases.count,
      "\(labels.names.count) labels, \(classifier.biases.count) rows of weights")
    precondition(
      recipe.featureCount == classifier.featureCount,
      "\(recipe.featureCount) features, \(classifier.featureCount) columns of weights")
    precondition(extractor.settings == recipe.features, "features of another recipe")
    self.recipe = recipe
    self.extractor = extractor
    self.labels = labels
    self.classifier = classifier
    self.calibration = calibration
    self.campus = campus
    self.place = place
    self.provenance = provenance
    self.weightFormat = weightFormat
  }
}
