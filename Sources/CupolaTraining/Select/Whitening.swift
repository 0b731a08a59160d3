internal import Cupola

// 1. `Whitening` evens out the covariance within classes.
// 2. `PrincipalSubspace` finds the directions of most extent at random.

/// Evens out how much examples of one class differ from each other, direction by direction.
///
/// The covariance within the classes is shrunk toward its mean variance (Ledoit & Wolf 2004; the
/// heart of linear discriminant analysis); examples are multiplied with the inverse of its root and
/// scaled to mean squared norm 1. Directions in which photos of one building differ, such as light, then count
/// less.
struct Whitening {
  /// Lower triangular: the covariance is `factor * factor'`, but for the scale.
  private let factor: Matrix
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

/// The directions in which a sample of examples extends most: an orthonormal basis, found at random.
///
/// A randomized range finder with power iterations (Halko, Martinsson & Tropp, SIAM Review 2011), in the
/// inner products of the sample: `Y = G O` with random signs `O`, made orthonormal by shifted Cholesky
/// factorizations (Fukaya et al., SIAM J. Sci. Comput. 2020).
struct PrincipalSubspace: Equatable, Sendable {
  let directions: Matrix
  static let mostSampled = 2_304
  /// Directions that are kept. Measured on three sets of up to 3,000: the same photos are named right, and
  /// other things and unknown buildings told apart as well.
  static let mostDirections = 768
  private static let seed: UInt64 = 0x5ABC_ACE5

  /// - Parameters:
  ///   - sample: some rows of the examples.
  ///   - most: how many directions, if there are as many rows.
  ///   - powers: how often the sample is looked at: more find the directions more exactly.
  init(
    of sample: ExampleRows, most: Int = mostDirections, powers: Int = 1, threads: Int
  ) async {
    let products = await InnerProducts(of: sample, threads: threads)
    self.init(
      of: sample, gram: products.matrix(weights: sample.weights).mirroredAcrossDiagonal,
      most: most, powers: powers)
  }

  /// The same from the inner products of the sample.
  init(of sample: ExampleRows, gram: Matrix, most: Int, powers: Int) {
    let count = min(most, sample.rows)
    var generator = SplitMix64(seed: Self.seed)
    let signs = Matrix(
      rows: sample.rows, columns: count,
      values: (0..<sample.rows * count).map { _ in generator.next() >> 63 == 0 ? 1 : -1 })
    var range = BLAS.product(gram, signs)
    for _ in 1..<max(1, powers) { range = BLAS.product(gram, Self.orthonormal(range)) }
    // The first factorization is of nearly dependent columns, the second mends what it leaves.
    for _ in 0..<3 { range = Self.orthonormal(range) }
    let small = BLAS.product(BLAS.product(gram, range), range, transposeA: true)
    // Rows of shares are what each of the sample counts in a direction.
    var shares = range.transposed
    BLAS.solve(lower: Self.factor(small), into: &shares)
    directions = Self.combined(sample, shares)
  }

  func coordinates(of examples: ExampleRows) -> Matrix {
    var result = Matrix(rows: examples.rows, columns: directions.rows)
    for rows in examples.rowBlocks {
      let part = BLAS.product(examples.matrix(rows: rows), directions, transposeB: true)
      let start = result.range(ofRow: rows.lowerBound).lowerBound
      result.values.replaceSubrange(start..<start + part.values.count, with: part.values)
    }
    return result
  }

  /// The same span with orthonormal columns, as far as single precision goes.
  private static func orthonormal(_ matrix: Matrix) -> Matrix {
    var rows = matrix.transposed
    BLAS.solve(lower: factor(BLAS.product(matrix, matrix, transposeA: true)), into: &rows)
    return rows.transposed
  }

  /// The Cholesky factor of a positive semidefinite matrix, shifted by what rounding may have taken from it.
  private static func factor(_ matrix: Matrix) -> Matrix {
    var shifted = matrix
    let trace = (0..<matrix.rows).reduce(Float(0)) { $0 + matrix[$1, $1] }
    let shift = max(trace * 2e-6, .leastNormalMagnitude)
    for index in 0..<matrix.rows { shifted[index, index] += shift }
    return BLAS.cholesky(shifted)
  }

  /// `shares * sample`, a block of columns at a time.
  private static func combined(_ sample: ExampleRows, _ shares: Matrix) -> Matrix {
    var result = Matrix(rows: shares.rows, columns: sample.columns)
    for columns in sample.columnBlocks {
      let part = BLAS.product(shares, sample.matrix(columns: columns))
      result.replace(columns: columns, with: part)
    }
    return result
  }
}

extension Matrix {
  /// Symmetric, by the lower triangle.
  fileprivate var mirroredAcrossDiagonal: Matrix {
    var result = self
    for row in 0..<rows {
      for column in 0..<row { result[column, row] = self[row, column] }
    }
    return result
  }

  /// Puts values into some columns of all rows.
  mutating func replace(columns: Range<Int>, with part: Matrix) {
    for row in 0..<rows {
      let start = range(ofRow: row).lowerBound
      values.replaceSubrange(
        start + columns.lowerBound..<start + columns.upperBound,
        with: part.values[part.range(ofRow: row)])
    }
  }
}
