package import Cupola
internal import CupolaCampus

// 1. `LabeledExamples` selects the rows of some photos.
// 2. `SoftmaxRegression.fits` whitens them and fits one classifier for each of some settings.
// 3. `FitMemory` keeps finished fits in the cache.

/// A classifier over examples, and how it came about.
struct ClassifierFit {
  let classifier: Classifier
  let iterations: Int
  let converged: Bool
}

/// Examples and what they are of: all that a classifier is fitted to.
struct LabeledExamples: Sendable {
  let source: Coordinates
  let views: PhotoViews
  let labels: [Int]
  let names: Labels
  var scale = TrainingScale.full
  /// Where fits are kept.
  var memory: FitMemory?

  /// Fits to views of some photos, one a setting.
  ///
  /// - Parameters:
  ///   - most: how many views of each photo, the first ones; `nil` is all.
  ///   - isDone: told how much more is done, ``TrainingScale/unitsOfFit`` for each setting.
  func fits(
    _ settings: [ClassifierSettings], to photos: [Int], firstViews most: Int? = nil,
    isDone: ((Int) -> Void)? = nil
  ) -> [ClassifierFit] {
    guard settings.first?.classifier != .retrieval else {
      defer { isDone?(settings.count * scale.unitsOfFit) }
      return settings.map { _ in remembering(photos) }
    }
    return regressions(settings, to: photos, firstViews: most, isDone: isDone).map {
      ClassifierFit(
        classifier: .softmax($0.classifier), iterations: $0.iterations, converged: $0.converged)
    }
  }

  private func remembering(_ photos: [Int]) -> ClassifierFit {
    let rows = photos.map(views.rowsOnce)
    let fit = RetrievalFit(
      source.selecting(rows: rows.flatMap(\.self)),
      labels: zip(photos, rows).flatMap { [Int](repeating: labels[$0], count: $1.count) },
      names: names, viewsPerPhoto: views.viewsOnce)
    return ClassifierFit(
      classifier: .retrieval(fit.classifier), iterations: 0, converged: true)
  }

  private func regressions(
    _ settings: [ClassifierSettings], to photos: [Int], firstViews most: Int?,
    isDone: ((Int) -> Void)?
  ) -> [SoftmaxRegression.Fit] {
    // Those of many photos take long enough to tell of their steps.
    var steps = 0
    let isStepDone = {
      guard scale == .bounded else { return }
      steps += 1
      isDone?(1)
    }
    defer { isDone?(settings.count * scale.unitsOfFit - steps) }
    func make() -> [SoftmaxRegression.Fit] {
      let rows = photos.map { views.rows(of: $0, first: most) }
      return SoftmaxRegression.fits(
        settings, source.selecting(rows: rows.flatMap(\.self)),
        labels: zip(photos, rows).flatMap { [Int](repeating: labels[$0], count: $1.count) },
        names: names, scale: scale, isStepDone: isStepDone)
    }
    guard let memory else { return make() }
    var hash = SHA256()
    for photo in photos { hash.update(Array("\(photo) \(names.names[labels[photo]])\n".utf8)) }
    let name = settings.map { "\($0)" } + ["\(most ?? 0)", "\(scale)", hash.hexadecimal()]
    return memory.fits(
      name + names.names, count: settings.count, shape: [names.names.count, source.columns],
      make: make)
  }

  /// The views by which photos are judged, a row each.
  func tests(of photos: [Int]) -> Matrix {
    source.selecting(rows: photos.map(views.testRow))
  }
}

/// How the classifier is fitted.
package struct ClassifierSettings: Equatable, Sendable {
  /// Shrinkage of the within-class covariance that examples are whitened with; `nil` does not whiten.
  package var whitening: Double?
  /// The inverse strength of regularization, 1e-12...1e12.
  package var regularization: Double
  package var colorWeight: Float?
  package var smoothing = 0.0
  /// What is fitted; regularization and smoothing are of softmax.
  package var classifier = ClassifierKind.softmax

  /// Those of a retrieval classifier, of which there is nothing to choose.
  static func retrieval(colorWeight: Float?) -> ClassifierSettings {
    ClassifierSettings(
      whitening: RetrievalFit.shrinkage, regularization: 1, colorWeight: colorWeight,
      classifier: .retrieval)
  }
}

extension SoftmaxRegression {
  /// Where fits of photos stop: further steps only fit the training photos closer, and cost accuracy
  /// on photos of other days.
  static let usualSolver = LBFGS(gradientTolerance: 1e-4)

  /// Of many photos: as good after so many steps, see ``TrainingScale``.
  private static let boundedSolver = LBFGS(
    maximumIterations: TrainingScale.mostSteps, gradientTolerance: 1e-4)

  /// Fits a classifier over the examples for each of some settings.
  ///
  /// Fits of the same whitening start from each other's solution.
  static func fits(
    _ settings: [ClassifierSettings], _ examples: Matrix, labels: [Int], names: Labels,
    scale: TrainingScale = .full, isStepDone: (() -> Void)? = nil
  ) -> [Fit] {
    let classes = labels.map { names.buildings.contains($0) ? $0 : nil }
    var whitening:
      (shrinkage: Double?, transform: Whitening?, examples: Matrix, last: LinearClassifier?)?
    return settings.map { setting in
      if whitening == nil || whitening?.shrinkage != setting.whitening {
        let transform = setting.whitening.map {
          Whitening(examples: examples, classes: classes, shrinkage: $0)
        }
        whitening = (
          setting.whitening, transform, transform?.examples ?? examples, nil
        )
      }
      let fit = SoftmaxRegression(
        regularization: setting.regularization, smoothing: setting.smoothing,
        solver: scale == .bounded ? boundedSolver : usualSolver, findsFirstStep: scale == .bounded
      ).fit(
        whitening?.examples ?? examples, labels: labels, labelCount: names.names.count,
        from: whitening?.last, isStepDone: isStepDone)
      whitening?.last = fit.classifier
      let classifier = whitening?.transform?.classifier(from: fit.classifier) ?? fit.classifier
      return Fit(
        classifier: classifier, iterations: fit.iterations,
        // Of many photos that many steps are all that was meant.
        converged: fit.converged || scale == .bounded)
    }
  }
}

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
