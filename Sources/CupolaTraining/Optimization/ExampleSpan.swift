internal import Cupola

/// Examples in an orthonormal basis of their own span, or of the most of it.
///
/// With fewer examples than features, all inner products and norms, and so the regularized
/// solution, can be had from as many coordinates as the examples' rank: a lossless rotation after
/// which each step of the solver costs that much less (the representer theorem at work).
struct ExampleSpan {
  /// Examples x coordinates.
  let coordinates: Coordinates
  private let basis: Basis

  private enum Basis {
    /// The coordinates are the features themselves.
    case features
    /// The examples that were chosen as pivots, whose coordinates are lower triangular.
    case pivots([Int])
    /// What is left of the examples in other directions does not count.
    case subspace(PrincipalSubspace)
  }

  /// What is left of an example's squared norm, relative to the largest, when it counts as spanned.
  private static let tolerance: Float = 1e-5

  init(of examples: ExampleRows, threads: Int) async {
    self.init(of: examples, products: await Self.products(of: examples, threads: threads))
  }

  /// - Parameter products: of the examples, whatever weights they have now; see ``products(of:threads:)``.
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

  /// In the principal directions of a sample, when there are fewer than features.
  init(of examples: ExampleRows, sample: ExampleRows, threads: Int) async {
    guard examples.columns > PrincipalSubspace.mostDirections else {
      (coordinates, basis) = (Coordinates(examples.all), .features)
      return
    }
    let subspace = await PrincipalSubspace(of: sample, threads: threads)
    coordinates = Coordinates(subspace.coordinates(of: examples))
    basis = .subspace(subspace)
  }

  /// What the span is found from; `nil` where the features themselves are as few.
  static func products(of examples: ExampleRows, threads: Int) async -> InnerProducts? {
    guard examples.rows < examples.columns else { return nil }
    return await InnerProducts(of: examples, threads: threads)
  }

  /// The classifier over features that gives the same logits as one over coordinates.
  ///
  /// - Parameter examples: those that span this.
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
      weights.replace(columns: columns, with: part)
    }
    return LinearClassifier(weights: weights, biases: inner.biases)
  }
}
