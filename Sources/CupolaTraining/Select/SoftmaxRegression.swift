internal import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Compute the regularized loss and its gradient in blocks of examples (`Objective`).
// 2. Minimize it (`LBFGS`).
// 3. Return the minimum as a linear classifier.

/// L2-regularized multinomial logistic regression, fitted by L-BFGS over BLAS.
///
/// Minimizes `C * sum_i w_i * -log p(label_i
///  x_i) +
///
/// W
///
/// ^2 / 2`, like scikit-learn's `LogisticRegression`; biases are not regularized.
struct SoftmaxRegression {
  var regularization: Double
  var balanced = true
  /// The weight that is distributed evenly over all labels with examples (label smoothing, Szegedy et al. 2016).
  var smoothing = 0.0
  var solver = LBFGS()
  /// Whether to determine the first step length on a sample, because the line search is expensive.
  var findsFirstStep = false

  struct Fit {
    let classifier: LinearClassifier
    let iterations: Int
    let converged: Bool
  }

  /// Fits examples (one per row) with labels in 0..<labelCount; some labels may have no examples.
  func fit(
    _ examples: Matrix, labels: [Int], labelCount: Int, from start: LinearClassifier? = nil,
    isStepDone: (() -> Void)? = nil
  ) -> Fit {
    precondition(labels.count == examples.rows, "\(labels.count) labels, \(examples.rows) rows")
    let initial =
      start.map { $0.weights.values + $0.biases }
      ?? [Float](repeating: 0, count: labelCount * (examples.columns + 1))
    var solver = solver
    if findsFirstStep {
      let some = Array(labels.indices).sampled(to: Self.mostForFirstStep)
      var objective = objective(
        examples.selecting(rows: some), some.map { labels[$0] }, labelCount)
      solver.firstStep = solver.lengthOfFirstStep(from: initial) {
        objective.value(at: $0, gradient: &$1)
      }
    }
    var objective = objective(examples, labels, labelCount)
    let minimum = solver.minimize(from: initial, isStepDone: isStepDone) {
      objective.value(at: $0, gradient: &$1)
    }
    let weightCount = labelCount * examples.columns
    let weights = Matrix(
      rows: labelCount, columns: examples.columns, values: Array(minimum.point[..<weightCount]))
    return Fit(
      classifier: LinearClassifier(
        weights: weights, biases: Array(minimum.point[weightCount...])),
      iterations: minimum.iterations, converged: minimum.converged)
  }

  private static let mostForFirstStep = 1_024

  private func objective(_ examples: Matrix, _ labels: [Int], _ labelCount: Int) -> Objective {
    Objective(
      examples: examples, labels: labels, labelCount: labelCount,
      exampleWeights: exampleWeights(labels, labelCount), smoothing: smoothing,
      regularization: regularization)
  }

  /// The same as scikit-learn's `class_weight="balanced"`: examples / (labels present * examples of the label).
  private func exampleWeights(_ labels: [Int], _ labelCount: Int) -> [Float] {
    guard balanced else { return [Float](repeating: 1, count: labels.count) }
    var counts = [Int](repeating: 0, count: labelCount)
    for label in labels { counts[label] += 1 }
    let present = counts.count { $0 > 0 }
    return labels.map { Float(Double(labels.count) / Double(present * counts[$0])) }
  }
}

/// The loss divided by C and the total weight, so that the gradient's scale does not depend on the input.
private struct Objective {
  let examples: Matrix
  let labels: [Int]
  let exampleWeights: [Float]
  let penalty: Float
  private let shares: [Float]
  private let ownShare: Float
  private var weights: Matrix
  private var scores: Matrix
  private var weightGradient: Matrix
  private static let blockRows = 8_192

  init(
    examples: Matrix, labels: [Int], labelCount: Int, exampleWeights: [Float],
    smoothing: Double, regularization: Double
  ) {
    let present = Set(labels)
    shares = (0..<labelCount).map {
      present.contains($0) ? Float(smoothing) / Float(present.count) : 0
    }
    ownShare = Float(1 - smoothing)
    let total = exampleWeights.reduce(0.0) { $0 + Double($1) }
    self.examples = examples
    self.labels = labels
    self.exampleWeights = exampleWeights.map { Float(Double($0) / total) }
    penalty = Float(1 / (regularization * total))
    weights = Matrix(rows: labelCount, columns: examples.columns)
    scores = Matrix(rows: 0, columns: labelCount)
    weightGradient = weights
  }

  mutating func value(at point: [Float], gradient: inout [Float]) -> Double {
    let weightCount = weights.values.count
    let biases = Array(point[weightCount...])
    weights.values.replaceSubrange(0..<weightCount, with: point[..<weightCount])
    var biasGradient = [Double](repeating: 0, count: biases.count)
    var loss = 0.0
    for start in stride(from: 0, to: max(1, examples.rows), by: Self.blockRows) {
      let rows = start..<min(start + Self.blockRows, examples.rows)
      if scores.rows != rows.count { scores = Matrix(rows: rows.count, columns: biases.count) }
      BLAS.multiply(examples, weights, rowsOfA: rows, transposeB: true, into: &scores)
      loss += residuals(of: &scores.values, rows, biases: biases, &biasGradient)
      BLAS.multiply(
        scores, examples, rowsOfB: rows, transposeA: true, beta: start == 0 ? 0 : 1,
        into: &weightGradient)
    }
    VectorMath.add(weights.values, times: penalty, to: &weightGradient.values)
    gradient.replaceSubrange(0..<weightCount, with: weightGradient.values)
    for label in biases.indices { gradient[weightCount + label] = Float(biasGradient[label]) }
    return loss + 0.5 * Double(penalty) * VectorMath.preciseDot(weights.values, weights.values)
  }

  /// Replaces logits without biases by weighted residuals, and returns the weighted loss.
  private func residuals(
    of scores: inout [Float], _ rows: Range<Int>, biases: [Float], _ biasGradient: inout [Double]
  ) -> Double {
    let smooths = ownShare < 1
    var loss = 0.0
    var all = scores.mutableSpan
    for (place, example) in rows.enumerated() {
      var row = all._mutatingExtracting(place * biases.count..<(place + 1) * biases.count)
      let label = labels[example]
      let weight = exampleWeights[example]
      var largest = -Float.infinity
      for index in row.indices {
        row[index] += biases[index]
        largest = max(largest, row[index])
      }
      var target = ownShare * row[label]
      if smooths {
        for index in row.indices { target += shares[index] * row[index] }
      }
      var sum: Float = 0
      for index in row.indices {
        row[index] = expf(row[index] - largest)
        sum += row[index]
      }
      loss += Double(weight) * (Double(largest - target) + log(Double(sum)))
      let scale = weight / sum
      for index in row.indices { row[index] *= scale }
      row[label] -= weight * ownShare
      if smooths {
        for index in row.indices { row[index] -= weight * shares[index] }
      }
      for index in row.indices { biasGradient[index] += Double(row[index]) }
    }
    return loss
  }
}

/// Limited-memory BFGS (Liu & Nocedal 1989) with a weak Wolfe line search (Lewis & Overton 2013).
struct LBFGS {
  var memory = 12
  var maximumIterations = 500
  var gradientTolerance: Float = 1e-5
  /// The first trial step is the gradient (normalized if its norm is more than 1) times this factor.
  var firstStep: Float = 1

  struct Minimum {
    var point: [Float]
    var value: Double
    var iterations: Int
    /// Whether the gradient is below the tolerance or the limit of 32-bit precision is reached.
    var converged: Bool
  }

  typealias Objective = (_ point: [Float], _ gradient: inout [Float]) -> Double

  func minimize(
    from start: [Float], isStepDone: (() -> Void)? = nil, _ objective: Objective
  ) -> Minimum {
    var gradient = [Float](repeating: 0, count: start.count)
    var minimum = Minimum(
      point: start, value: objective(start, &gradient), iterations: 0, converged: false)
    var history = History(memory: memory)
    // The result of a canceled task is discarded.
    while minimum.iterations < maximumIterations, !Task.isCancelled {
      if Self.isFlat(gradient, gradientTolerance) {
        minimum.converged = true
        return minimum
      }
      let direction = history.direction(against: gradient)
      let first = history.isEmpty ? firstStep / max(1, Self.norm(gradient)) : 1
      guard
        let step = Self.search(
          from: minimum, gradient, along: direction, firstStep: first, objective)
      else {
        if history.isEmpty {
          // A steepest descent step fails only at the limit of precision.
          minimum.converged = Self.isFlat(gradient, 100 * gradientTolerance)
          return minimum
        }
        history = History(memory: memory)
        continue
      }
      history.add(
        step: VectorMath.difference(step.point, minimum.point),
        change: VectorMath.difference(step.gradient, gradient))
      minimum.point = step.point
      minimum.value = step.value
      minimum.iterations += 1
      isStepDone?()
      gradient = step.gradient
    }
    return minimum
  }

  /// The length of the first step, to use as ``firstStep`` for a similar, more expensive function.
  func lengthOfFirstStep(from start: [Float], _ objective: Objective) -> Float {
    var gradient = [Float](repeating: 0, count: start.count)
    let value = objective(start, &gradient)
    let unit = max(1, Self.norm(gradient))
    let step = Self.search(
      from: Minimum(point: start, value: value, iterations: 0, converged: false), gradient,
      along: gradient.map { -$0 }, firstStep: firstStep / unit, objective)
    return step.map { $0.length * unit } ?? firstStep
  }

  private struct Step {
    var point: [Float]
    var value: Double
    var gradient: [Float]
    var length: Float
  }

  /// A step that satisfies the weak Wolfe conditions, or the best found; `nil` at the limit of precision.
  private static func search(
    from start: Minimum, _ gradient: [Float], along direction: [Float], firstStep: Float,
    _ objective: Objective
  ) -> Step? {
    let slope = VectorMath.preciseDot(gradient, direction)
    guard slope < 0 else { return nil }
    var (low, high): (Float, Float) = (0, .infinity)
    var length = firstStep
    var trial = Step(point: start.point, value: 0, gradient: gradient, length: length)
    var best: Step?
    for _ in 0..<30 {
      VectorMath.add(direction, times: length, to: start.point, into: &trial.point)
      trial.length = length
      trial.value = objective(trial.point, &trial.gradient)
      if !(trial.value <= start.value + 1e-4 * Double(length) * slope) {
        high = length
      } else {
        best = trial
        if VectorMath.preciseDot(trial.gradient, direction) >= 0.9 * slope { return trial }
        low = length
      }
      length = high.isFinite ? (low + high) / 2 : 2 * length
    }
    return best
  }

  private static func isFlat(_ gradient: [Float], _ tolerance: Float) -> Bool {
    gradient.allSatisfy { abs($0) <= tolerance }
  }

  private static func norm(_ vector: [Float]) -> Float {
    Float(VectorMath.preciseDot(vector, vector).squareRoot())
  }
}

private struct History {
  let memory: Int
  private var steps: [[Float]] = []
  private var changes: [[Float]] = []
  private var inverseCurvatures: [Double] = []

  init(memory: Int) { self.memory = memory }

  var isEmpty: Bool { steps.isEmpty }

  mutating func add(step: [Float], change: [Float]) {
    let curvature = VectorMath.preciseDot(step, change)
    guard curvature > 1e-12 * VectorMath.preciseDot(change, change) else { return }
    if steps.count == memory {
      steps.removeFirst()
      changes.removeFirst()
      inverseCurvatures.removeFirst()
    }
    steps.append(step)
    changes.append(change)
    inverseCurvatures.append(1 / curvature)
  }

  /// The two-loop recursion.
  func direction(against gradient: [Float]) -> [Float] {
    var vector = gradient.map { -$0 }
    var weights = [Double](repeating: 0, count: steps.count)
    for index in steps.indices.reversed() {
      weights[index] = inverseCurvatures[index] * VectorMath.preciseDot(steps[index], vector)
      VectorMath.add(changes[index], times: -Float(weights[index]), to: &vector)
    }
    if let change = changes.last, let inverse = inverseCurvatures.last {
      let scale = Float(1 / (inverse * VectorMath.preciseDot(change, change)))
      for index in vector.indices { vector[index] *= scale }
    }
    for index in steps.indices {
      let weight = inverseCurvatures[index] * VectorMath.preciseDot(changes[index], vector)
      VectorMath.add(steps[index], times: Float(weights[index] - weight), to: &vector)
    }
    return vector
  }
}
