internal import CupolaSupport

// Memory that is kept from one photo to the next:
// 1. A pool hands each thread a workspace and takes it back.
// 2. The workspace of a frame holds its square, its features and what the classifier needs.

/// The memory between the pixels of a frame and its logits, for one model.
struct FrameWorkspace: Sendable {
  var resampler: AreaResampler?
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

/// The memory that pictures are worked on in, kept from one picture to the next: as many as there were threads at
/// work at once.
final class WorkspacePool<Workspace: Sendable>: Sendable {
  private let free = Locked<[Workspace]>([])

  init() {}

  /// What `body` makes in a workspace that nobody else uses meanwhile.
  ///
  /// - Parameters:
  ///   - fits: whether one that is left from before will do.
  ///   - make: makes a new one.
  func with<Result, Failure: Error>(
    fitting fits: (Workspace) -> Bool = { _ in true }, orMade make: () -> Workspace,
    _ body: (inout Workspace) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var workspace: Workspace
    if let kept = free.withLock({ $0.popLast() }), fits(kept) {
      workspace = kept
    } else {
      workspace = make()
    }
    defer { give(back: workspace) }
    return try body(&workspace)
  }

  private func give(back workspace: consuming Workspace) {
    let workspace = workspace
    free.withLock { $0.append(workspace) }
  }
}
