internal import Cupola

/// The directions in which a sample of examples extends most: an orthonormal basis, found at random.
///
/// A randomized range finder with power iterations (Halko, Martinsson & Tropp, SIAM Review 2011), in the
/// inner products of the sample: `Y = G O` with random signs `O`, made orthonormal by shifted Cholesky
/// factorizations (Fukaya et al., SIAM J. Sci. Comput. 2020).
struct PrincipalSubspace: Equatable, Sendable {
  /// Directions x features, orthonormal rows.
  let directions: Matrix

  /// Examples that it is found from.
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

  /// Coordinates of examples, a row each.
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
