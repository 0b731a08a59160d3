public import Cupola

extension Trainer {
  /// A trainer that goes on from a model: for photos of which most trained it before.
  ///
  /// What the model's features learned is kept, and so are its map, its seed, its format of weights,
  /// its regularization if that was given, and whether drawn photos train it. Only the classifier, the
  /// calibration and the threshold are fitted anew. With a cache, only photos that are new to it are
  /// described. Equal photos give the same model again, byte for byte.
  public init(updating model: Model) {
    self.init()
    base = model
    recipe = model.recipe
    addsDrawnNegatives = model.labels.names.contains(DrawnPhotos.label)
    campus = model.campus
    seed = model.provenance.seed
    classifier = model.classifierKind
    weightFormat = model.weightFormat
    if model.provenance.isRegularizationGiven { regularization = model.provenance.regularization }
  }
}
