internal import Cupola

/// Evens out how much examples of one class differ from each other, direction by direction.
///
/// The covariance within the classes is shrunk toward its mean variance (Ledoit & Wolf 2004; the
/// heart of linear discriminant analysis); examples are multiplied with the inverse of its root and
/// scaled to mean squared norm 1. Directions in which photos of one building differ, such as light, then count
/// less.
struct Whitening {
  /// Lower triangular: the covariance is `factor * factor'`, but for the scale.
  private let factor: Matrix
  /// The examples that it was made for, whitened.
  let examples: Matrix

  /// - Parameters:
  ///   - classes: the class of each example; `nil` leaves it out of the covariance.
  ///   - shrinkage: more than 0, at most 1, at which nothing is whitened.
  init(examples: Matrix, classes: [Int?], shrinkage: Double) {
    precondition(shrinkage > 0 && shrinkage <= 1, "a shrinkage of \(shrinkage)")
    let centered = Self.centered(examples, classes)
    // The lower triangle, which is all that the factorization reads.
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
    // Examples of zeros have no norm to bring to 1.
    let scale = square > 0 ? Float((square / Double(examples.rows)).squareRoot()) : 1
    for index in root.values.indices { root.values[index] *= scale }
    for index in whitened.values.indices { whitened.values[index] /= scale }
    factor = root
    self.examples = whitened
  }

  /// The classifier that gives for examples what this one gives for whitened examples.
  func classifier(from inner: LinearClassifier) -> LinearClassifier {
    var weights = inner.weights.transposed
    BLAS.solve(lower: factor, transposed: true, into: &weights)
    return LinearClassifier(weights: weights.transposed, biases: inner.biases)
  }

  /// `examples * inverse(lower')`, a block of rows at a time: their transposed copies stay small.
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

  /// The examples that have a class, less their class's mean.
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
