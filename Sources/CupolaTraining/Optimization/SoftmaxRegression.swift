#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
internal import Cupola

/// L2-regularized multinomial logistic regression, fitted by L-BFGS over BLAS.
///
/// Minimizes `C * sum_i w_i * -log p(label_i | x_i) + ||W||^2 / 2`, as scikit-learn's
/// `LogisticRegression` does; the biases are not regularized.
struct SoftmaxRegression {
  /// C: the inverse strength of regularization, more than 0.
  var regularization: Double
  /// Weigh every label the same, however many examples it has.
  var balanced = true
  /// The share of each example's weight that goes to all labels that have examples, evenly: label
  /// smoothing (Szegedy et al., CVPR 2016).
  var smoothing = 0.0
  var solver = LBFGS()

  struct Fit {
    let classifier: LinearClassifier
    let iterations: Int
    let converged: Bool
  }

  /// Fits examples, one a row, with labels in 0..<labelCount.
  ///
  /// A label without examples gets a bias that makes it improbable, as the regularization finds it.
  /// - Parameter start: a solution to begin from.
  func fit(
    _ examples: Matrix, labels: [Int], labelCount: Int, from start: LinearClassifier? = nil
  ) -> Fit {
    precondition(labels.count == examples.rows, "\(labels.count) labels, \(examples.rows) rows")
    var objective = Objective(
      examples: examples, labels: labels, labelCount: labelCount,
      exampleWeights: exampleWeights(labels, labelCount), smoothing: smoothing,
      regularization: regularization)
    let initial =
      start.map { $0.weights.values + $0.biases }
      ?? [Float](repeating: 0, count: labelCount * (examples.columns + 1))
    let minimum = solver.minimize(from: initial) { objective.value(at: $0, gradient: &$1) }
    let weightCount = labelCount * examples.columns
    let weights = Matrix(
      rows: labelCount, columns: examples.columns, values: Array(minimum.point[..<weightCount]))
    return Fit(
      classifier: LinearClassifier(
        weights: weights, biases: Array(minimum.point[weightCount...])),
      iterations: minimum.iterations, converged: minimum.converged)
  }

  /// scikit-learn's `class_weight="balanced"`: examples / (labels present * examples of the label).
  private func exampleWeights(_ labels: [Int], _ labelCount: Int) -> [Float] {
    guard balanced else { return [Float](repeating: 1, count: labels.count) }
    var counts = [Int](repeating: 0, count: labelCount)
    for label in labels { counts[label] += 1 }
    let present = counts.count { $0 > 0 }
    return labels.map { Float(Double(labels.count) / Double(present * counts[$0])) }
  }
}

/// The regularized loss divided by C times the examples' total weight, so that its gradient has the
/// same scale for every problem.
private struct Objective {
  let examples: Matrix
  let labels: [Int]
  let exampleWeights: [Float]
  let penalty: Float
  /// The share that an example gives to each label, beside what is its own.
  private let shares: [Float]
  private let ownShare: Float
  private var weights: Matrix
  private var scores: Matrix
  private var weightGradient: Matrix

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
    scores = Matrix(rows: examples.rows, columns: labelCount)
    weightGradient = weights
  }

  mutating func value(at point: [Float], gradient: inout [Float]) -> Double {
    let weightCount = weights.values.count
    let biases = Array(point[weightCount...])
    weights.values.replaceSubrange(0..<weightCount, with: point[..<weightCount])
    BLAS.multiply(examples, weights, transposeB: true, into: &scores)
    var biasGradient = [Double](repeating: 0, count: biases.count)
    let loss = residuals(of: &scores.values, biases, &biasGradient)
    BLAS.multiply(scores, examples, transposeA: true, into: &weightGradient)
    VectorMath.add(weights.values, times: penalty, to: &weightGradient.values)
    gradient.replaceSubrange(0..<weightCount, with: weightGradient.values)
    for label in biases.indices { gradient[weightCount + label] = Float(biasGradient[label]) }
    return loss + 0.5 * Double(penalty) * VectorMath.preciseDot(weights.values, weights.values)
  }

  /// Turns logits without biases into weighted residuals; returns the weighted loss.
  private func residuals(
    of scores: inout [Float], _ biases: [Float], _ biasGradient: inout [Double]
  ) -> Double {
    let smooths = ownShare < 1
    var loss = 0.0
    var all = scores.mutableSpan
    for example in labels.indices {
      var row = all._mutatingExtracting(example * biases.count..<(example + 1) * biases.count)
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
