import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTraining

@Suite("Softmax regression")
struct SoftmaxRegressionTests {
  /// Problems, and their solutions by scikit-learn, from Scripts/goldens/logistic_regression.py.
  struct Golden {
    let examples: Matrix
    let labels: [Int]
    private let file: SafeTensors

    init() throws {
      let url = try #require(
        Bundle.module.url(
          forResource: "logistic-regression", withExtension: "safetensors",
          subdirectory: "Fixtures"))
      file = try SafeTensors(bytes: Array(try Data(contentsOf: url)))
      examples = Matrix(
        rows: 150, columns: 12, values: try #require(file.tensors["X"]?.floats))
      labels = try Golden.integers(file.tensors["y"])
    }

    func regularization(_ problem: Int) throws -> Double {
      let bytes = try #require(file.tensors["C.\(problem)"]).bytes
      let bits = bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return Double(bitPattern: bits)
    }

    func isBalanced(_ problem: Int) throws -> Bool {
      try Golden.integers(file.tensors["balanced.\(problem)"]) == [1]
    }

    func floats(_ name: String) throws -> [Float] {
      try #require(file.tensors[name]?.floats)
    }

    func predictions(_ problem: Int) throws -> [Int] {
      try Golden.integers(file.tensors["predictions.\(problem)"])
    }

    private static func integers(_ tensor: SafeTensors.Tensor?) throws -> [Int] {
      let bytes = try #require(tensor).bytes
      return stride(from: 0, to: bytes.count, by: 4).map { at in
        let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[at + $1]) << (8 * $1) }
        return Int(Int32(bitPattern: bits))
      }
    }
  }

  @Test("Fits match scikit-learn", arguments: [0, 1, 2])
  func agreesWithScikitLearn(problem: Int) throws {
    let golden = try Golden()
    var regression = SoftmaxRegression(
      regularization: try golden.regularization(problem),
      balanced: try golden.isBalanced(problem))
    // This is the tolerance used in training; with a smaller one, some BLAS kernels fail because of rounding.
    regression.solver = SoftmaxRegression.usualSolver
    let usual = regression.fit(golden.examples, labels: golden.labels, labelCount: 5)
    #expect(usual.converged)
    regression.solver.gradientTolerance = 1e-5
    let fit = regression.fit(golden.examples, labels: golden.labels, labelCount: 5)
    let weights = Matrix(rows: 5, columns: 12, values: try golden.floats("coef.\(problem)"))
    let biases = Matrix(rows: 5, columns: 1, values: try golden.floats("intercept.\(problem)"))
    let found = Matrix(rows: 5, columns: 1, values: fit.classifier.biases)
    // The values must be within 0.1% of the largest coefficient and intercept.
    #expect(fit.classifier.weights.largestDifference(to: weights) <= 1e-3 * weights.largest)
    #expect(found.largestDifference(to: biases) <= 1e-3 * biases.largest)
    #expect(
      Self.predictions(fit.classifier, golden.examples) == (try golden.predictions(problem)))
  }

  @Test("The exact gradient vanishes at the solution", arguments: [true, false])
  func isOptimal(balanced: Bool) throws {
    let golden = try Golden()
    let regression = SoftmaxRegression(regularization: 3, balanced: balanced)
    let fit = regression.fit(golden.examples, labels: golden.labels, labelCount: 5)
    let definition = Definition(
      examples: golden.examples, labels: golden.labels, labelCount: 5, regularization: 3,
      balanced: balanced)
    let point = (fit.classifier.weights.values + fit.classifier.biases).map(Double.init)
    let start = [Double](repeating: 0, count: point.count)
    let steepest = definition.gradient(at: start).map(abs).max() ?? 0
    let left = definition.gradient(at: point).map(abs).max() ?? .infinity
    #expect(left <= 1e-3 * steepest)
    #expect(definition.value(at: point) < definition.value(at: start))
  }

  @Test("Smoothing equals training with spread labels")
  func smoothing() throws {
    let golden = try Golden()
    // Each example occurs 50 times: 45 times with its label, and 5 times with labels distributed evenly.
    let copies = 50
    let rows = golden.labels.indices.flatMap { [Int](repeating: $0, count: copies) }
    let spread = rows.indices.map { index in
      index % copies < 45 ? golden.labels[index / copies] : index % copies - 45
    }
    var plain = SoftmaxRegression(regularization: 2.0 / Double(copies), balanced: false)
    var smoothed = SoftmaxRegression(regularization: 2, balanced: false, smoothing: 0.1)
    plain.solver.gradientTolerance = 1e-5
    smoothed.solver.gradientTolerance = 1e-5
    let wanted = plain.fit(golden.examples.selecting(rows: rows), labels: spread, labelCount: 5)
    let found = smoothed.fit(golden.examples, labels: golden.labels, labelCount: 6)
    let weights = Matrix(
      rows: 5, columns: 12, values: Array(found.classifier.weights.values.prefix(60)))
    #expect(
      weights.largestDifference(to: wanted.classifier.weights)
        <= 2e-2 * wanted.classifier.weights.largest)
  }

  @Test("Separable data converge and are classified correctly")
  func separable() {
    var generator = SplitMix64(seed: 5)
    var examples = generator.matrix(60, 6)
    let labels = (0..<60).map { $0 % 3 }
    for (row, label) in labels.enumerated() { examples[row, label] += 20 }
    let fit = SoftmaxRegression(regularization: 100)
      .fit(examples, labels: labels, labelCount: 3)
    #expect(fit.converged)
    #expect(fit.iterations > 0)
    #expect(Self.predictions(fit.classifier, examples) == labels)
  }

  @Test("A fit that stops early reports that it did not converge")
  func stoppedEarly() throws {
    let golden = try Golden()
    var regression = SoftmaxRegression(regularization: 10)
    regression.solver.maximumIterations = 2
    let fit = regression.fit(golden.examples, labels: golden.labels, labelCount: 5)
    #expect(!fit.converged)
    #expect(fit.iterations == 2)
  }

  @Test("A warm start reaches the same solution")
  func warmStart() throws {
    let golden = try Golden()
    let strong = SoftmaxRegression(regularization: 0.1)
      .fit(golden.examples, labels: golden.labels, labelCount: 5)
    var weak = SoftmaxRegression(regularization: 1)
    weak.solver.gradientTolerance = 1e-5
    let cold = weak.fit(golden.examples, labels: golden.labels, labelCount: 5)
    let warm = weak.fit(
      golden.examples, labels: golden.labels, labelCount: 5, from: strong.classifier)
    #expect(warm.converged)
    let difference = warm.classifier.weights.largestDifference(to: cold.classifier.weights)
    #expect(difference <= 1e-3 * cold.classifier.weights.largest)
  }

  @Test("A label without examples is improbable")
  func labelWithoutExamples() throws {
    let golden = try Golden()
    let regression = SoftmaxRegression(regularization: 1)
    let with = regression.fit(golden.examples, labels: golden.labels, labelCount: 6)
    let without = regression.fit(golden.examples, labels: golden.labels, labelCount: 5)
    for row in 0..<golden.examples.rows {
      let features = Array(golden.examples.values[golden.examples.range(ofRow: row)])
      let six = Softmax.probabilities(with.classifier.logits(features))
      let five = Softmax.probabilities(without.classifier.logits(features))
      #expect(six[5] < 0.01)
      #expect(zip(six, five).allSatisfy { abs($0 - $1) < 0.02 })
    }
  }

  @Test("Balanced fits do not depend on repeated examples")
  func balanced() throws {
    let golden = try Golden()
    let rows = Array(0..<150) + (0..<150).filter { golden.labels[$0] == 4 }
    // The example weights are proportional to n / labels, so the strength is divided by this factor.
    let once = SoftmaxRegression(regularization: 1)
      .fit(golden.examples, labels: golden.labels, labelCount: 5)
    let twice = SoftmaxRegression(regularization: 150 / Double(rows.count))
      .fit(
        golden.examples.selecting(rows: rows), labels: rows.map { golden.labels[$0] },
        labelCount: 5)
    let difference = once.classifier.weights.largestDifference(to: twice.classifier.weights)
    #expect(difference <= 1e-3 * once.classifier.weights.largest)
  }

  private static func predictions(_ classifier: LinearClassifier, _ examples: Matrix) -> [Int] {
    let logits = classifier.logits(ofRows: examples)
    return (0..<logits.rows).compactMap { row in
      (0..<logits.columns).max { logits[row, $0] < logits[row, $1] }
    }
  }

  /// `C * sum_i w_i * -log p(label_i | x_i) + ||W||^2 / 2` in double precision.
  private struct Definition {
    let examples: Matrix
    let labels: [Int]
    let labelCount: Int
    let regularization: Double
    let balanced: Bool

    func value(at point: [Double]) -> Double {
      let loss = labels.indices.reduce(0.0) {
        $0 - weight($1) * log(probabilities($1, point)[labels[$1]])
      }
      let weights = point.prefix(labelCount * examples.columns)
      return regularization * loss + weights.reduce(0) { $0 + $1 * $1 } / 2
    }

    func gradient(at point: [Double]) -> [Double] {
      let columns = examples.columns
      let weightCount = labelCount * columns
      var gradient = point
      for label in 0..<labelCount { gradient[weightCount + label] = 0 }
      for row in labels.indices {
        let probabilities = probabilities(row, point)
        for label in 0..<labelCount {
          let residual = probabilities[label] - (label == labels[row] ? 1 : 0)
          let scaled = regularization * weight(row) * residual
          for column in 0..<columns {
            gradient[label * columns + column] += scaled * Double(examples[row, column])
          }
          gradient[weightCount + label] += scaled
        }
      }
      return gradient
    }

    private func weight(_ row: Int) -> Double {
      guard balanced else { return 1 }
      let ofSame = labels.count { $0 == labels[row] }
      return Double(labels.count) / Double(labelCount * ofSame)
    }

    private func probabilities(_ row: Int, _ point: [Double]) -> [Double] {
      let columns = examples.columns
      let powers = (0..<labelCount).map { label in
        let product = (0..<columns).reduce(0.0) {
          $0 + point[label * columns + $1] * Double(examples[row, $1])
        }
        return exp(product + point[labelCount * columns + label])
      }
      let sum = powers.reduce(0, +)
      return powers.map { $0 / sum }
    }
  }

  @Test("Blocks of examples yield the solution of all examples")
  func manyExamples() {
    var generator = SplitMix64(seed: 8)
    let few = generator.matrix(1_000, 3)
    let labels = (0..<1_000).map { few[$0, 0] + generator.normal() > 0 ? 1 : 0 }
    // Ten copies of each example at a tenth of the strength have the same minimum.
    let many = Matrix(
      rows: 10_000, columns: 3, values: (0..<10).flatMap { _ in few.values })
    let wanted = SoftmaxRegression(regularization: 1).fit(few, labels: labels, labelCount: 2)
    let found = SoftmaxRegression(regularization: 0.1).fit(
      many, labels: (0..<10).flatMap { _ in labels }, labelCount: 2)
    #expect(
      found.classifier.weights.largestDifference(to: wanted.classifier.weights) < 1e-3)
    #expect(abs(found.classifier.biases[0] - wanted.classifier.biases[0]) < 1e-3)
  }

  @Test("An estimated first step yields the same solution")
  func firstStep() {
    var generator = SplitMix64(seed: 9)
    let examples = generator.matrix(3_000, 12)
    let labels = (0..<3_000).map { row in
      (0..<6).max { examples[row, $0] < examples[row, $1] } ?? 0
    }
    var regression = SoftmaxRegression(regularization: 1)
    let usual = regression.fit(examples, labels: labels, labelCount: 6)
    regression.findsFirstStep = true
    let found = regression.fit(examples, labels: labels, labelCount: 6)
    #expect(found.converged)
    let difference = found.classifier.weights.largestDifference(to: usual.classifier.weights)
    #expect(difference < 0.05 * usual.classifier.weights.largest)
  }
}

@Suite("L-BFGS")
struct LBFGSTests {
  /// A quadratic bowl with curvatures from 1 to 100.
  private static func bowl(_ point: [Float], _ gradient: inout [Float]) -> Double {
    var value = 0.0
    for index in point.indices {
      let steepness = Float(1 + 99 * index / max(1, point.count - 1))
      let distance = point[index] - Float(index)
      gradient[index] = steepness * distance
      value += Double(steepness * distance * distance) / 2
    }
    return value
  }

  /// The Rosenbrock function, whose minimum is at (1, 1).
  private static func rosenbrock(_ point: [Float], _ gradient: inout [Float]) -> Double {
    let (x, y) = (Double(point[0]), Double(point[1]))
    gradient[0] = Float(-2 * (1 - x) - 400 * x * (y - x * x))
    gradient[1] = Float(200 * (y - x * x))
    return (1 - x) * (1 - x) + 100 * (y - x * x) * (y - x * x)
  }

  @Test("Finds the minimum of a quadratic function", arguments: [1, 2, 7, 40])
  func quadratic(dimensions: Int) {
    let start = [Float](repeating: -3, count: dimensions)
    let minimum = LBFGS().minimize(from: start, Self.bowl)
    #expect(minimum.converged)
    for (index, value) in minimum.point.enumerated() {
      #expect(abs(value - Float(index)) < 1e-3)
    }
  }

  @Test(
    "Finds the minimum of the Rosenbrock function",
    arguments: [(-1.2, 1), (0, 0), (3, -2)] as [(Float, Float)])
  func valley(x: Float, y: Float) {
    let minimum = LBFGS().minimize(from: [x, y], Self.rosenbrock)
    #expect(minimum.value < 1e-6)
    #expect(abs(minimum.point[0] - 1) < 1e-2)
    #expect(abs(minimum.point[1] - 1) < 1e-2)
  }

  @Test("The value never exceeds the initial value", arguments: 0...6)
  func descends(iterations: Int) {
    var gradient: [Float] = [0, 0]
    let start = Self.rosenbrock([-1.2, 1], &gradient)
    let solver = LBFGS(maximumIterations: iterations)
    let minimum = solver.minimize(from: [-1.2, 1], Self.rosenbrock)
    #expect(minimum.iterations == iterations)
    #expect(!minimum.converged)
    #expect(iterations == 0 ? minimum.value == start : minimum.value < start)
  }

  @Test("A point with zero gradient is kept")
  func flat() {
    let minimum = LBFGS().minimize(from: [1, 1], Self.rosenbrock)
    #expect(minimum.converged)
    #expect(minimum.iterations == 0)
    #expect(minimum.point == [1, 1])
  }

  @Test("The returned value belongs to the returned point")
  func valueFitsPoint() {
    var gradient: [Float] = [0, 0]
    let minimum = LBFGS(maximumIterations: 9).minimize(from: [-1.2, 1], Self.rosenbrock)
    #expect(minimum.value == Self.rosenbrock(minimum.point, &gradient))
  }

  @Test("A known first step saves evaluations")
  func firstStep() {
    // The function is nearly flat: the distance to the minimum is a thousand times the gradient.
    let flat: LBFGS.Objective = { point, gradient in
      gradient = point.map { ($0 - 1) / 1_000 }
      return point.reduce(0.0) { $0 + Double(($1 - 1) * ($1 - 1)) / 2_000 }
    }
    var solver = LBFGS()
    let length = solver.lengthOfFirstStep(from: [0, 0], flat)
    #expect(length > 100 && length < 2_000)
    func looks() -> Int {
      var looks = 0
      let minimum = solver.minimize(from: [0, 0]) { point, gradient in
        looks += 1
        return flat(point, &gradient)
      }
      #expect(minimum.converged)
      return looks
    }
    let before = looks()
    solver.firstStep = length
    #expect(looks() < before)
  }
}

@Suite("Classifier settings")
struct ClassifierSettingsTests {
  private static let names = Labels(["chapel", "tower", "_street"])

  private static func material() -> (examples: Matrix, labels: [Int]) {
    let (unscaled, classes) = WhiteningTests.material()
    var examples = unscaled
    let square = VectorMath.preciseDot(examples.values, examples.values) / Double(examples.rows)
    for index in examples.values.indices { examples.values[index] /= Float(square.squareRoot()) }
    return (examples, classes.map { $0 ?? 0 })
  }

  private static func setting(_ whitening: Double?, _ strength: Double) -> ClassifierSettings {
    ClassifierSettings(whitening: whitening, regularization: strength)
  }

  /// The largest logit difference relative to the largest logit.
  private static func difference(_ a: LinearClassifier, _ b: LinearClassifier) -> Float {
    let examples = material().examples
    let (one, other) = (a.logits(ofRows: examples), b.logits(ofRows: examples))
    return one.largestDifference(to: other) / max(1, other.largest)
  }

  @Test("Without whitening a fit equals softmax regression")
  func plain() throws {
    let (examples, labels) = Self.material()
    let fits = SoftmaxRegression.fits(
      [Self.setting(nil, 0.5)], examples, labels: labels, names: Self.names)
    let wanted = SoftmaxRegression(regularization: 0.5, solver: SoftmaxRegression.usualSolver).fit(
      examples, labels: labels, labelCount: 3)
    let fit = try #require(fits.first)
    #expect(fits.count == 1 && fit.classifier == wanted.classifier)
    #expect(fit.iterations == wanted.iterations && fit.converged == wanted.converged)
  }

  @Test("Whitening uses buildings only and is folded into the weights")
  func whitened() throws {
    let (examples, labels) = Self.material()
    let fit = try #require(
      SoftmaxRegression.fits(
        [Self.setting(0.3, 2)], examples, labels: labels, names: Self.names
      ).first)
    let classes = labels.map { $0 == 2 ? nil : Optional($0) }
    let whitening = Whitening(examples: examples, classes: classes, shrinkage: 0.3)
    let inner = SoftmaxRegression(regularization: 2, solver: SoftmaxRegression.usualSolver).fit(
      whitening.examples, labels: labels, labelCount: 3)
    #expect(Self.difference(fit.classifier, whitening.classifier(from: inner.classifier)) < 1e-4)
    let everything = Whitening(examples: examples, classes: labels, shrinkage: 0.3)
    let other = SoftmaxRegression(regularization: 2, solver: SoftmaxRegression.usualSolver).fit(
      everything.examples, labels: labels, labelCount: 3)
    #expect(Self.difference(fit.classifier, everything.classifier(from: other.classifier)) > 1e-3)
  }

  @Test("Fits follow the order of settings and are independent")
  func order() {
    let (examples, labels) = Self.material()
    let settings = [
      Self.setting(nil, 1), Self.setting(nil, 0.1), Self.setting(0.8, 1), Self.setting(0.8, 0.1),
      Self.setting(0.2, 0.1), Self.setting(nil, 0.3),
    ]
    let fits = SoftmaxRegression.fits(settings, examples, labels: labels, names: Self.names)
    #expect(fits.count == settings.count)
    for (setting, fit) in zip(settings, fits) {
      #expect(fit.converged, "\(setting) after \(fit.iterations)")
    }
    for (setting, fit) in zip(settings, fits) {
      let alone = SoftmaxRegression.fits([setting], examples, labels: labels, names: Self.names)
      for other in alone { #expect(Self.difference(fit.classifier, other.classifier) < 2e-2) }
    }
    for (index, fit) in fits.enumerated() {
      for other in fits[..<index] {
        #expect(Self.difference(fit.classifier, other.classifier) > 2e-2)
      }
    }
    #expect(SoftmaxRegression.fits([], examples, labels: labels, names: Self.names).isEmpty)
  }
}
