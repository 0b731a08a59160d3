internal import CupolaSupport

// Reuse memory for processing photos:
// 1. A pool lends each workspace to one thread at a time.
// 2. A frame's workspace holds the input square, its features, and the classifier's memory.

/// Memory for turning a frame's pixels into logits, for one model.
struct FrameWorkspace: Sendable {
  var resampler: AreaResampler?
  var square: RGBImage
  private var features: [Float]
  private var classifier = RetrievalClassifier.Workspace()

  init(_ recipe: Recipe) {
    square = RGBImage(width: recipe.inputSide, height: recipe.inputSide)
    features = [Float](repeating: 0, count: recipe.featureCount)
  }

  /// Computes the logits of the square, one per label. `among` flags the labels to include.
  mutating func write(
    logits: inout [Float], by model: Model, among: [Bool]?, _ timing: inout StageTiming
  ) throws(CupolaError) {
    try timing.measure(.features) { () throws(CupolaError) in
      try model.extractor.read(square, into: &features)
    }
    timing.measure(.classify) {
      guard let detector = model.novelty else {
        return model.classifier.write(
          logits: &logits, of: features, among: among, in: &classifier)
      }
      model.classifier.write(logits: &logits, of: features, among: nil, in: &classifier)
      detector.complete(
        &logits, of: features, labels: model.labels, temperature: model.calibration.temperature)
      Classifier.mask(&logits, among: among)
    }
  }
}

/// A pool of reusable workspaces. It holds at most one workspace per concurrent thread.
final class WorkspacePool<Workspace: Sendable>: Sendable {
  private let free = Locked<[Workspace]>([])

  init() {}

  /// Runs `body` with exclusive access to a workspace. Calls `make` if no free workspace fits.
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
