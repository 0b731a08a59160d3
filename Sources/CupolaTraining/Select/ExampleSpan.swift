internal import Cupola

// 1. Compute the inner products of all examples (`InnerProducts`).
// 2. Factor these with pivoting, to get coordinates in the span of the examples (`Coordinates`).
// 3. For many examples, use a principal subspace instead (`PrincipalSubspace`).
// 4. Convert a classifier over coordinates to one over features.

/// Represents examples in an orthonormal basis of their span, or of its principal subspace.
///
/// If there are fewer examples than features, the coordinates preserve all inner products and norms. The regularized
/// solution is therefore the same (representer theorem), and each solver step is cheaper.
struct ExampleSpan {
  let coordinates: Coordinates
  private let basis: Basis

  private enum Basis {
    case features
    case pivots([Int])
    case subspace(PrincipalSubspace)
  }

  /// The squared residual, relative to the largest squared norm, at which an example counts as part of the span.
  private static let tolerance: Float = 1e-5

  init(of examples: ExampleRows, threads: Int) async {
    self.init(of: examples, products: await Self.products(of: examples, threads: threads))
  }

  /// - Parameter products: The inner products of the unweighted examples; see ``products(of:threads:)``.
  init(of examples: ExampleRows, products: InnerProducts?) {
    guard let products else {
      (coordinates, basis) = (Coordinates(examples.all), .features)
      return
    }
    var gram = products.matrix(weights: examples.weights)
    let largest = (0..<gram.rows).map { gram[$0, $0] }.max() ?? 0
    let (pivots, rank) = BLAS.factorWithPivots(&gram, tolerance: Self.tolerance * largest)
    coordinates = Coordinates(trapezoid: gram, rank: rank, pivots: pivots)
    basis = .pivots(Array(pivots.prefix(rank)))
  }

  init(of examples: ExampleRows, sample: ExampleRows, threads: Int) async {
    guard examples.columns > PrincipalSubspace.mostDirections else {
      (coordinates, basis) = (Coordinates(examples.all), .features)
      return
    }
    let subspace = await PrincipalSubspace(of: sample, threads: threads)
    coordinates = Coordinates(subspace.coordinates(of: examples))
    basis = .subspace(subspace)
  }

  /// Computes the inner products; `nil` if there are no more features than examples.
  static func products(of examples: ExampleRows, threads: Int) async -> InnerProducts? {
    guard examples.rows < examples.columns else { return nil }
    return await InnerProducts(of: examples, threads: threads)
  }

  func classifier(from inner: LinearClassifier, over examples: ExampleRows) -> LinearClassifier {
    switch basis {
    case .features: return inner
    case .subspace(let subspace):
      return LinearClassifier(
        weights: BLAS.product(inner.weights, subspace.directions), biases: inner.biases)
    case .pivots(let pivots): return classifier(from: inner, over: examples, pivots)
    }
  }

  private func classifier(
    from inner: LinearClassifier, over examples: ExampleRows, _ basis: [Int]
  ) -> LinearClassifier {
    // The weights over features are W L^-1 X, where X contains the pivots' features and L their coordinates.
    var solved = inner.weights.transposed
    BLAS.solve(lower: coordinates.selecting(rows: basis), transposed: true, into: &solved)
    var shares = Matrix(rows: examples.rows, columns: solved.columns)
    for (row, pivot) in basis.enumerated() {
      shares.values.replaceSubrange(
        shares.range(ofRow: pivot), with: solved.values[solved.range(ofRow: row)])
    }
    var weights = Matrix(rows: solved.columns, columns: examples.columns)
    for columns in examples.columnBlocks {
      let part = BLAS.product(shares, examples.matrix(columns: columns), transposeA: true)
      weights.replace(columns: columns, with: part)
    }
    return LinearClassifier(weights: weights, biases: inner.biases)
  }
}

/// The coordinates of examples in their span; the zeros of the trapezoid are not stored.
struct Coordinates: Sendable {
  let rows: Int
  let columns: Int
  private let values: [Float]
  private let place: [Int]?

  init(_ matrix: Matrix) {
    rows = matrix.rows
    columns = matrix.columns
    values = matrix.values
    place = nil
  }

  /// - Parameter factor: Rows in pivot order; row `i` has `min(i + 1, rank)` nonzero values.
  init(trapezoid factor: Matrix, rank: Int, pivots: [Int]) {
    rows = factor.rows
    columns = rank
    var place = [Int](repeating: 0, count: factor.rows)
    for (row, pivot) in pivots.enumerated() { place[pivot] = row }
    self.place = place
    var values: [Float] = []
    values.reserveCapacity(Self.start(of: factor.rows, rank))
    for row in 0..<factor.rows {
      let start = factor.range(ofRow: row).lowerBound
      values += factor.values[start..<start + min(row + 1, rank)]
    }
    self.values = values
  }

  func selecting(rows chosen: [Int]) -> Matrix {
    var selected: [Float] = []
    selected.reserveCapacity(chosen.count * columns)
    for example in chosen {
      if let place {
        let row = place[example]
        let count = min(row + 1, columns)
        let start = Self.start(of: row, columns)
        selected += values[start..<start + count]
        selected += repeatElement(0, count: columns - count)
      } else {
        selected += values[example * columns..<(example + 1) * columns]
      }
    }
    return Matrix(rows: chosen.count, columns: columns, values: selected)
  }

  private static func start(of row: Int, _ rank: Int) -> Int {
    row <= rank ? row * (row + 1) / 2 : rank * (rank + 1) / 2 + (row - rank) * rank
  }
}

/// The inner products of the examples, stored separately for two feature parts, so that the parts can be reweighted.
struct InnerProducts: Sendable {
  /// The lower triangles of the products for the columns before the split and after it, row by row.
  private let parts: [[Float]]
  private let split: Int?
  private let rows: Int
  private static let tileRows = 256

  init(of examples: ExampleRows, threads: Int) async {
    rows = examples.rows
    split = examples.weights?.count
    let first = min(split ?? examples.columns, examples.columns)
    var parts: [[Float]] = []
    for columns in [0..<first, first..<examples.columns] where !columns.isEmpty || parts.isEmpty {
      parts.append(await Self.triangle(of: examples.unweighted, columns, threads: threads))
    }
    self.parts = parts
  }

  func matrix(weights: ExampleRows.Weights?) -> Matrix {
    precondition(weights == nil || weights?.count == split, "the weights split other columns")
    var result = Matrix(rows: rows, columns: rows)
    for (part, weight) in zip(parts, [weights?.first ?? 1, weights?.rest ?? 1]) {
      var values = result.values.mutableSpan
      let (source, square) = (part.span, weight * weight)
      for row in 0..<rows {
        let start = Self.start(ofRow: row)
        var target = values._mutatingExtracting(row * rows..<row * rows + row + 1)
        let own = source.extracting(start..<start + row + 1)
        for column in 0..<own.count { target[column] += square * own[column] }
      }
    }
    return result
  }

  private static func start(ofRow row: Int) -> Int { row * (row + 1) / 2 }

  /// Reads each value once, in blocks of columns.
  private static func triangle(
    of examples: ExampleRows, _ columns: Range<Int>, threads: Int
  ) async -> [Float] {
    let rows = examples.rows
    let tiles =
      stride(from: 0, to: rows, by: tileRows).map { $0..<min($0 + tileRows, rows) }
      .reversed() as [Range<Int>]
    var triangle = [Float](repeating: 0, count: start(ofRow: rows))
    for block in examples.columnBlocks(of: columns) {
      let values = examples.matrix(columns: block)
      let products = await parallelMap(tiles, threads: threads) { tile in
        var product = Matrix(rows: tile.count, columns: tile.upperBound)
        BLAS.multiply(
          values, values, rowsOfA: tile, rowsOfB: 0..<tile.upperBound, transposeB: true,
          into: &product)
        return product
      }
      for (tile, product) in zip(tiles, products) { add(product, of: tile, to: &triangle) }
    }
    return triangle
  }

  private static func add(_ product: Matrix, of tile: Range<Int>, to triangle: inout [Float]) {
    let source = product.values.span
    var target = triangle.mutableSpan
    for row in tile {
      let first = (row - tile.lowerBound) * product.columns
      let own = source.extracting(first..<first + row + 1)
      var sums = target._mutatingExtracting(start(ofRow: row)..<start(ofRow: row + 1))
      for column in 0..<own.count { sums[column] += own[column] }
    }
  }
}

/// The principal directions of a sample, as an orthonormal basis computed with a randomized algorithm.
///
/// Uses a range finder with power iterations (Halko, Martinsson & Tropp, SIAM Review 2011) on the Gram matrix `G`:
/// `Y = G O` with random signs `O`, orthonormalized by shifted Cholesky (Fukaya et al., SIAM J. Sci. Comput. 2020).
struct PrincipalSubspace: Equatable, Sendable {
  let directions: Matrix
  static let mostSampled = 2_304
  /// The number of directions; on three sets of up to 3,000 photos, this was as accurate as all features.
  static let mostDirections = 768
  private static let seed: UInt64 = 0x5ABC_ACE5

  init(
    of sample: ExampleRows, most: Int = mostDirections, powers: Int = 1, threads: Int
  ) async {
    let products = await InnerProducts(of: sample, threads: threads)
    self.init(
      of: sample, gram: products.matrix(weights: sample.weights).mirroredAcrossDiagonal,
      most: most, powers: powers)
  }

  init(of sample: ExampleRows, gram: Matrix, most: Int, powers: Int) {
    let count = min(most, sample.rows)
    var generator = SplitMix64(seed: Self.seed)
    let signs = Matrix(
      rows: sample.rows, columns: count,
      values: (0..<sample.rows * count).map { _ in generator.next() >> 63 == 0 ? 1 : -1 })
    var range = BLAS.product(gram, signs)
    for _ in 1..<max(1, powers) { range = BLAS.product(gram, Self.orthonormal(range)) }
    // Repeat the step, because a single factorization of nearly dependent columns is inexact.
    for _ in 0..<3 { range = Self.orthonormal(range) }
    let small = BLAS.product(BLAS.product(gram, range), range, transposeA: true)
    // Each row contains the samples' coefficients in one direction.
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

  private static func orthonormal(_ matrix: Matrix) -> Matrix {
    var rows = matrix.transposed
    BLAS.solve(lower: factor(BLAS.product(matrix, matrix, transposeA: true)), into: &rows)
    return rows.transposed
  }

  /// The Cholesky factor of a semidefinite matrix, which is first shifted by the size of its rounding error.
  private static func factor(_ matrix: Matrix) -> Matrix {
    var shifted = matrix
    let trace = (0..<matrix.rows).reduce(Float(0)) { $0 + matrix[$1, $1] }
    let shift = max(trace * 2e-6, .leastNormalMagnitude)
    for index in 0..<matrix.rows { shifted[index, index] += shift }
    return BLAS.cholesky(shifted)
  }

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
  fileprivate var mirroredAcrossDiagonal: Matrix {
    var result = self
    for row in 0..<rows {
      for column in 0..<row { result[column, row] = self[row, column] }
    }
    return result
  }

  mutating func replace(columns: Range<Int>, with part: Matrix) {
    for row in 0..<rows {
      let start = range(ofRow: row).lowerBound
      values.replaceSubrange(
        start + columns.lowerBound..<start + columns.upperBound,
        with: part.values[part.range(ofRow: row)])
    }
  }
}
