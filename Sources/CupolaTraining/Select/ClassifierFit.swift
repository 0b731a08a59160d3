package import Cupola

// 1. Select the rows of the training photos (`LabeledExamples`, `PhotoViews`).
// 2. Whiten the within-class covariance (`Whitening`).
// 3. Fit one classifier per setting (`SoftmaxRegression.fits`).

struct ClassifierFit {
  let classifier: Classifier
  let iterations: Int
  let converged: Bool
}

struct LabeledExamples: Sendable {
  let source: Coordinates
  let views: PhotoViews
  let labels: [Int]
  let names: Labels
  var scale = TrainingScale.full
  var memory: FitCache?

  /// Fits one classifier for each setting to the first `most` views of each photo (`nil` uses all views).
  ///
  /// - Parameter isDone: Called with the amount of finished work, in units of ``TrainingScale/unitsOfFit`` per setting.
  func fits(
    _ settings: [ClassifierSettings], to photos: [Int], firstViews most: Int? = nil,
    isDone: ((Int) -> Void)? = nil
  ) -> [ClassifierFit] {
    guard settings.first?.classifier != .retrieval else {
      defer { isDone?(settings.count * scale.unitsOfFit) }
      return settings.map { _ in retrievalFit(photos) }
    }
    return regressions(settings, to: photos, firstViews: most, isDone: isDone).map {
      ClassifierFit(
        classifier: .softmax($0.classifier), iterations: $0.iterations, converged: $0.converged)
    }
  }

  private func retrievalFit(_ photos: [Int]) -> ClassifierFit {
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
    // Report each solver step, because fits to many photos are slow.
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

  func tests(of photos: [Int]) -> Matrix {
    source.selecting(rows: photos.map(views.testRow))
  }
}

package struct ClassifierSettings: Equatable, Sendable {
  /// The covariance shrinkage used for whitening; `nil` disables whitening.
  package var whitening: Double?
  package var regularization: Double
  package var colorWeight: Float?
  package var smoothing = 0.0
  package var classifier = ClassifierKind.softmax

  /// The settings of a retrieval classifier, for which training has nothing to choose except the color weight.
  static func retrieval(colorWeight: Float?) -> ClassifierSettings {
    ClassifierSettings(
      whitening: RetrievalFit.shrinkage, regularization: 1, colorWeight: colorWeight,
      classifier: .retrieval)
  }
}

extension SoftmaxRegression {
  /// The default solver; a tighter tolerance overfits and lowers accuracy on photos from other days.
  static let usualSolver = LBFGS(gradientTolerance: 1e-4)

  private static let boundedSolver = LBFGS(
    maximumIterations: TrainingScale.mostSteps, gradientTolerance: 1e-4)

  /// Fits one classifier for each setting; starts from the previous solution if the whitening is the same.
  static func fits(
    _ settings: [ClassifierSettings], _ examples: Matrix, labels: [Int], names: Labels,
    scale: TrainingScale = .full, isStepDone: (() -> Void)? = nil
  ) -> [Fit] {
    let buildings = Set(names.buildings)
    let classes = labels.map { buildings.contains($0) ? $0 : nil }
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
        converged: fit.converged || scale == .bounded)
    }
  }
}

/// Whitens examples using their within-class covariance, as in linear discriminant analysis.
///
/// Directions in which photos of the same building differ, such as lighting, then have less weight. The covariance is
/// shrunk toward its mean variance (Ledoit & Wolf 2004), and the result is scaled to a mean squared norm of 1.
struct Whitening {
  private let factor: Matrix
  let examples: Matrix

  /// - Parameter classes: The class of each example; `nil` excludes it from the covariance.
  init(examples: Matrix, classes: [Int?], shrinkage: Double) {
    precondition(shrinkage > 0 && shrinkage <= 1, "shrinkage \(shrinkage) is not in 0...1")
    let centered = Self.centered(examples, classes)
    var covariance = BLAS.productsOfColumns(centered)
    let count = Float(max(1, centered.rows))
    let trace = (0..<covariance.rows).reduce(Float(0)) { $0 + covariance[$1, $1] / count }
    let mean = max(trace / Float(max(1, covariance.rows)), 1e-12)
    for index in covariance.values.indices {
      covariance.values[index] *= Float(1 - shrinkage) / count
    }
    for index in 0..<covariance.rows { covariance[index, index] += Float(shrinkage) * mean }
    var root = BLAS.cholesky(covariance)
    covariance = Matrix(rows: 0, columns: 0)
    var whitened = Self.solve(examples, root)
    let square = VectorMath.preciseDot(whitened.values, whitened.values)
    let scale = square > 0 ? Float((square / Double(examples.rows)).squareRoot()) : 1
    for index in root.values.indices { root.values[index] *= scale }
    for index in whitened.values.indices { whitened.values[index] /= scale }
    factor = root
    self.examples = whitened
  }

  func classifier(from inner: LinearClassifier) -> LinearClassifier {
    var weights = inner.weights.transposed
    BLAS.solve(lower: factor, transposed: true, into: &weights)
    return LinearClassifier(weights: weights.transposed, biases: inner.biases)
  }

  /// Computes `examples * inverse(lower')` in blocks of rows, to limit the size of transposed copies.
  private static func solve(_ examples: Matrix, _ lower: Matrix) -> Matrix {
    var result = examples
    for start in stride(from: 0, to: examples.rows, by: blockRows) {
      let rows = Array(start..<min(start + blockRows, examples.rows))
      var columns = examples.selecting(rows: rows).transposed
      BLAS.solve(lower: lower, into: &columns)
      result.values.replaceSubrange(
        start * examples.columns..<(start + rows.count) * examples.columns,
        with: columns.transposed.values)
    }
    return result
  }

  private static let blockRows = 256

  private static func centered(_ examples: Matrix, _ classes: [Int?]) -> Matrix {
    let kept = classes.indices.filter { classes[$0] != nil }
    let count = (classes.compactMap { $0 }.max() ?? -1) + 1
    var sums = Matrix(rows: count, columns: examples.columns)
    var counts = [Float](repeating: 0, count: count)
    for row in kept {
      guard let own = classes[row] else { continue }
      counts[own] += 1
      add(examples, row: row, times: 1, to: &sums, row: own)
    }
    var result = examples.selecting(rows: kept)
    for (row, original) in kept.enumerated() {
      guard let own = classes[original] else { continue }
      add(sums, row: own, times: -1 / counts[own], to: &result, row: row)
    }
    return result
  }

  private static func add(
    _ rows: Matrix, row: Int, times factor: Float, to sums: inout Matrix, row target: Int
  ) {
    let source = rows.values.span.extracting(rows.range(ofRow: row))
    let range = sums.range(ofRow: target)
    var all = sums.values.mutableSpan
    var own = all._mutatingExtracting(range)
    for column in 0..<own.count { own[column] += factor * source[column] }
  }
}

/// Maps photos to the rows of their views; each photo's rows are consecutive.
struct PhotoViews: Equatable, Sendable {
  private let starts: [Int]
  let testView: Int
  /// The views that show each geometry once (``TrainingViews/once``), in ascending order.
  private let once: [Int]

  /// - Parameter once: The views that show each geometry once (`nil` uses only the test view); photos with fewer views
  ///   use all of them.
  init(counts: [Int], testView: Int, once: [Int]? = nil) {
    precondition(counts.allSatisfy { $0 > testView }, "a photo has no test view")
    self.once = once ?? [testView]
    var starts = [0]
    for count in counts { starts.append(starts[starts.count - 1] + count) }
    self.starts = starts
    self.testView = testView
  }

  func rows(of photo: Int) -> Range<Int> { starts[photo]..<starts[photo + 1] }

  func rows(of photo: Int, first most: Int?) -> Range<Int> {
    let all = rows(of: photo)
    return all.prefix(most ?? all.count)
  }

  var viewsOnce: Int { once.count }

  func rowsOnce(of photo: Int) -> [Int] {
    let all = rows(of: photo)
    if let last = once.last, last < all.count { return once.map { all.lowerBound + $0 } }
    precondition(all.count >= once.count, "\(all.count) views, \(once.count) needed")
    return Array(all.prefix(once.count))
  }

  func testRow(of photo: Int) -> Int { starts[photo] + testView }

  /// Returns the views of the given photos, renumbered from 0 in the given order.
  func selecting(_ photos: [Int]) -> PhotoViews {
    PhotoViews(counts: photos.map { rows(of: $0).count }, testView: testView, once: once)
  }
}
