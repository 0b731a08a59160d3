/// The memory between the pixels of a frame and its logits, for one model.
struct FrameWorkspace: Sendable {
  var resampler: AreaResampler?
  /// What the features see.
  var square: RGBImage
  private var features: [Float]
  private var classifier = RetrievalClassifier.Workspace()

  init(_ recipe: Recipe) {
    square = RGBImage(width: recipe.inputSide, height: recipe.inputSide)
    features = [Float](repeating: 0, count: recipe.featureCount)
  }

  /// From the square to logits, one a label of the model.
  ///
  /// - Parameter among: the labels that compete; `nil` is all.
  mutating func write(
    logits: inout [Float], by model: Model, among: [Bool]?, _ timing: inout StageTiming
  ) throws(CupolaError) {
    try timing.measure(.features) { () throws(CupolaError) in
      try model.extractor.read(square, into: &features)
    }
    timing.measure(.classify) {
      model.classifier.write(logits: &logits, of: features, among: among, in: &classifier)
    }
  }
}
