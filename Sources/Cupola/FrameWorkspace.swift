/// The memory between the pixels of a frame and its logits, for one model.
struct FrameWorkspace: Sendable {
  var resampler: AreaResampler?
  /// What the features see.
  var square: RGBImage
  var features: [Float]
  var classifier = RetrievalClassifier.Workspace()

  init(_ recipe: Recipe) {
    square = RGBImage(width: recipe.inputSide, height: recipe.inputSide)
    features = [Float](repeating: 0, count: recipe.featureCount)
  }
}
