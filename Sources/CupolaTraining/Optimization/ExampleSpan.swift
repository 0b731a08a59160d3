internal import Cupola

/// Examples in an orthonormal basis of their own span.
///
/// With fewer examples than features, all inner products and norms, and so the regularized
/// solution, can be had from as many coordinates as the examples' rank: a lossless rotation after
/// which each step of the solver costs that much less (the representer theorem at work).
struct ExampleSpan {
  /// Examples x coordinates.
  let coordinates: Coordinates
  /// The examples that were chosen as pivots, whose coordinates are lower triangular; `nil` when the
  /// coordinates are the features themselves.
  private let basis: [Int]?

  /// What is left of an example's squared norm, relative to the largest, when it counts as spanned.
  private static let tolerance: Float = 1e-5

  init(of examples: ExampleRows) {
    guard examples.rows < examples.columns else {
      coordinates = Coordinates(examples.all)
      basis = nil
      return
    }
    var gram = Self.gram(examples)
    let largest = (0..<gram.rows).map { gram[$0, $0] }.max() ?? 0
    let (pivots, rank) = BLAS.factorWithPivots(&gram, tolerance: Self.tolerance * largest)
    coordinates = Coordinates(trapezoid: gram, rank: rank, pivots: pivots)
    basis = Array(pivots.prefix(rank))
  }

  /// The inner products of the examples: the lower triangle, which is all that the factorization reads.
  private static func gram(_ examples: ExampleRows) -> Matrix {
    var gram = Matrix(rows: examples.rows, columns: examples.rows)
    let blocks = examples.rowBlocks
    for (number, rows) in blocks.enumerated() {
      let block = examples.matrix(rows: rows)
      for others in blocks[...number] {
        let other = others == rows ? block : examples.matrix(rows: others)
        let part = BLAS.product(block, other, transposeB: true)
        for (row, own) in rows.enumerated() {
          let start = gram.range(ofRow: own).lowerBound
          gram.values.replaceSubrange(
            start + others.lowerBound..<start + others.upperBound,
            with: part.values[part.range(ofRow: row)])
        }
      }
    }
    return gram
  }

  /// The classifier over features that gives the same logits as one over coordinates.
  ///
  /// - Parameter examples: those that span this.
  func classifier(from inner: LinearClassifier, over examples: ExampleRows) -> LinearClassifier {
    guard let basis else { return inner }
    // Weights over features are W L^-1 X, where X are the pivots' features and L their coordinates.
    var solved = inner.weights.transposed
    BLAS.solve(lower: coordinates.selecting(rows: basis), transposed: true, into: &solved)
    // With a row of zeros for every other example, so that the pivots need not be copied.
    var shares = Matrix(rows: examples.rows, columns: solved.columns)
    for (row, pivot) in basis.enumerated() {
      shares.values.replaceSubrange(
        shares.range(ofRow: pivot), with: solved.values[solved.range(ofRow: row)])
    }
    var weights = Matrix(rows: solved.columns, columns: examples.columns)
    for columns in examples.columnBlocks {
      let part = BLAS.product(shares, examples.matrix(columns: columns), transposeA: true)
      for label in 0..<part.rows {
        let start = weights.range(ofRow: label).lowerBound
        weights.values.replaceSubrange(
          start + columns.lowerBound..<start + columns.upperBound,
          with: part.values[part.range(ofRow: label)])
      }
    }
    return LinearClassifier(weights: weights, biases: inner.biases)
  }
}
