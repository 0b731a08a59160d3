internal import Cupola
internal import CupolaCampus

/// Keeps finished fits in the cache, so that a training that was interrupted, or is repeated with another map or
/// format of weights, goes on from them.
struct FitMemory: Sendable {
  let cache: FeatureCache
  /// A digest of all that fits depend on but what is asked of each: photos, features, kernels.
  private let identity: String
  /// Of features: what is fitted to the zeros in their place is not kept.
  private let failures: ReadingFailures

  private enum Name {
    static func weights(_ number: Int) -> String { "weights.\(number)" }
    static func biases(_ number: Int) -> String { "biases.\(number)" }
    static func steps(_ number: Int) -> String { "steps.\(number)" }
  }

  init(_ cache: FeatureCache, identity: [String], failures: ReadingFailures) {
    (self.cache, self.failures) = (cache, failures)
    self.identity = FeatureCache.Key(["fit", cupolaVersion, BLAS.kernel] + identity).name
  }

  /// The same for fits to something that is made of these photos.
  func adding(_ part: String) -> FitMemory {
    FitMemory(cache, identity: [identity, part], failures: failures)
  }

  /// What was kept under a name, or else is made now and kept.
  ///
  /// - Parameters:
  ///   - count: how many fits these are.
  ///   - shape: labels, and values of an example.
  func fits(
    _ name: [String], count: Int, shape: [Int], make: () -> [SoftmaxRegression.Fit]
  ) -> [SoftmaxRegression.Fit] {
    let key = FeatureCache.Key([identity] + name)
    if let tensors = cache.read(key)?.tensors {
      let fits = (0..<count).compactMap { Self.fit($0, tensors, shape: shape) }
      if fits.count == count { return fits }
    }
    let fits = make()
    // What a canceled task makes is not finished, and the key says nothing of features that could not be read.
    if !Task.isCancelled, failures.noted == nil { cache.write(Self.tensors(fits), key) }
    return fits
  }

  private static func tensors(_ fits: [SoftmaxRegression.Fit]) -> [String: SafeTensors.Tensor] {
    var tensors: [String: SafeTensors.Tensor] = [:]
    for (number, fit) in fits.enumerated() {
      let weights = fit.classifier.weights
      tensors[Name.weights(number)] = SafeTensors.Tensor(
        floats: weights.values, shape: [weights.rows, weights.columns])
      tensors[Name.biases(number)] = SafeTensors.Tensor(
        floats: fit.classifier.biases, shape: [weights.rows])
      tensors[Name.steps(number)] = SafeTensors.Tensor(
        floats: [Float(fit.iterations), fit.converged ? 1 : 0], shape: [2])
    }
    return tensors
  }

  /// `nil` when there is none, or one that no training makes.
  private static func fit(
    _ number: Int, _ tensors: [String: SafeTensors.Tensor], shape: [Int]
  ) -> SoftmaxRegression.Fit? {
    func floats(_ name: String, _ shape: [Int]) -> [Float]? {
      guard let tensor = tensors[name], tensor.shape == shape, let floats = tensor.floats,
        floats.allSatisfy({ $0.magnitude <= mostWeight })
      else { return nil }
      return floats
    }
    guard let weights = floats(Name.weights(number), shape),
      let biases = floats(Name.biases(number), [shape[0]]),
      let steps = floats(Name.steps(number), [2])
    else { return nil }
    return SoftmaxRegression.Fit(
      classifier: LinearClassifier(
        weights: Matrix(rows: shape[0], columns: shape[1], values: weights), biases: biases),
      iterations: Int(saturating: Double(steps[0])), converged: steps[1] == 1)
  }

  /// No weight of a model that can be read is larger.
  private static let mostWeight: Float = 1_000_000
}
