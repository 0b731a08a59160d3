package import Cupola

// 1. Whiten the examples within buildings.
// 2. Project them on the directions that separate the labels most.
// 3. Quantize the vectors with k-means (`ProductQuantizerFit`).

/// Fits a ``RetrievalClassifier`` in closed form; the cost does not depend on the number of labels.
struct RetrievalFit {
  /// The shrinkage of the within-class covariance; this constant and the following ones were tuned on three sets.
  static let shrinkage = 0.3
  /// The dimensions of the compared vectors; 64 and 256 were as accurate.
  static let mostDimensions = 128
  /// The kernel's concentration; 16 and 32 were as accurate.
  static let concentration: Float = 24
  /// The power iterations for the projection; with a single iteration, accuracy is 1% lower.
  private static let powers = 3
  private static let seed: UInt64 = 0xC0DE_B00C
  private static let widthOfPart = 4
  let classifier: RetrievalClassifier

  /// - Parameter examples: The views of a photo are in consecutive rows, and the photos of a label are in storage
  ///   order.
  init(_ examples: Matrix, labels: [Int], names: Labels, viewsPerPhoto: Int) {
    let buildings = Set(names.buildings)
    let classes = labels.map { buildings.contains($0) ? $0 : nil }
    let whitening = Whitening(examples: examples, classes: classes, shrinkage: Self.shrinkage)
    let whitened = whitening.examples
    let projection = Self.projection(of: whitened, labels: labels, count: names.names.count)
    let vectors = Self.vectors(whitened, projection)
    var generator = SplitMix64(seed: Self.seed)
    let quantizer = ProductQuantizerFit(width: Self.widthOfPart).fit(vectors, using: &generator)
    let empty = RetrievalClassifier(
      projection: whitening.classifier(from: projection), quantizer: quantizer, codes: [],
      starts: [Int](repeating: 0, count: names.names.count + 1), viewsPerPhoto: viewsPerPhoto,
      concentration: Self.concentration,
      biases: [Float](repeating: 0, count: names.names.count))
    var codes = [[UInt8]](repeating: [], count: names.names.count)
    for (row, label) in labels.enumerated() { codes[label] += quantizer.code(of: vectors.row(row)) }
    classifier = empty.storing(codes, biases: empty.biases)
  }

  private static func vectors(_ examples: Matrix, _ projection: LinearClassifier) -> Matrix {
    let projected = projection.logits(ofRows: examples)
    return Matrix(
      rows: projected.rows, columns: projected.columns,
      values: (0..<projected.rows).flatMap { VectorMath.unit(projected.row($0)) })
  }

  /// The principal directions about the mean of the label means, so that all labels have the same weight.
  private static func projection(
    of examples: Matrix, labels: [Int], count: Int
  ) -> LinearClassifier {
    var members = [Float](repeating: 0, count: count)
    for label in labels { members[label] += 1 }
    let present = Float(members.count { $0 > 0 })
    var middle = [Float](repeating: 0, count: examples.columns)
    for (row, label) in labels.enumerated() {
      VectorMath.add(examples.row(row), times: 1 / (members[label] * present), to: &middle)
    }
    var generator = SplitMix64(seed: seed)
    let sampled = generator.shuffled(0..<examples.rows).prefix(PrincipalSubspace.mostSampled)
      .sorted()
    var sample = examples.selecting(rows: sampled)
    for (row, original) in sampled.enumerated() {
      let scale = 1 / members[labels[original]].squareRoot()
      for column in 0..<sample.columns {
        sample[row, column] = (sample[row, column] - middle[column]) * scale
      }
    }
    let directions = directions(of: sample)
    return LinearClassifier(
      weights: directions,
      biases: BLAS.product(
        Matrix(rows: 1, columns: middle.count, values: middle), directions, transposeB: true
      ).values.map { -$0 })
  }

  private static func directions(of sample: Matrix) -> Matrix {
    let rows = ExampleRows(
      [SafeTensors.Tensor(floats: sample.values, shape: [sample.rows, sample.columns])],
      columns: sample.columns)
    let found = PrincipalSubspace(
      of: rows, gram: BLAS.product(sample, sample, transposeB: true),
      most: min(mostDimensions, sample.columns), powers: powers
    ).directions
    let count = max(1, (found.rows + widthOfPart - 1) / widthOfPart) * widthOfPart
    let missing = [Float](repeating: 0, count: (count - found.rows) * found.columns)
    return Matrix(rows: count, columns: found.columns, values: found.values + missing)
  }
}

struct ProductQuantizerFit {
  var width = 4
  var rounds = 10
  var mostSampled = 6_144

  func fit(_ vectors: Matrix, using generator: inout SplitMix64) -> ProductQuantizer {
    precondition(
      vectors.columns.isMultiple(of: width),
      "\(vectors.columns) values are not a multiple of \(width)")
    let chosen = generator.shuffled(0..<vectors.rows).prefix(mostSampled)
    let sample = vectors.selecting(rows: Array(chosen))
    let parts = vectors.columns / width
    let values = (0..<parts).flatMap { part in
      centroids(of: sample.selecting(columns: part * width..<(part + 1) * width)).values
    }
    return ProductQuantizer(
      parts: parts, values: Matrix(rows: values.count / width, columns: width, values: values))
  }

  /// - Parameter points: Points in random order; the first ones are the initial centroids.
  private func centroids(of points: Matrix) -> Matrix {
    let count = min(points.rows, ProductQuantizer.mostCentroids)
    var centroids = points.selecting(rows: Array(0..<count))
    for _ in 0..<rounds {
      var sums = Matrix(rows: count, columns: width)
      var members = [Float](repeating: 0, count: count)
      for (row, nearest) in Self.nearest(of: centroids, to: points).enumerated() {
        members[nearest] += 1
        for column in 0..<width { sums[nearest, column] += points[row, column] }
      }
      for row in 0..<count where members[row] > 0 {
        for column in 0..<width { centroids[row, column] = sums[row, column] / members[row] }
      }
    }
    return centroids
  }

  private static func nearest(of centroids: Matrix, to points: Matrix) -> [Int] {
    let squares = (0..<centroids.rows).map { row in
      centroids.row(row).reduce(0) { $0 + $1 * $1 } / 2
    }
    let products = BLAS.product(points, centroids, transposeB: true)
    let count = centroids.rows
    return (0..<points.rows).map { row in
      let own = products.values.span.extracting(products.range(ofRow: row))
      var (best, least) = (0, Float.infinity)
      for index in 0..<count where squares[index] - own[index] < least {
        (best, least) = (index, squares[index] - own[index])
      }
      return best
    }
  }
}

extension Matrix {
  fileprivate func selecting(columns chosen: Range<Int>) -> Matrix {
    Matrix(
      rows: rows, columns: chosen.count,
      values: (0..<rows).flatMap { row in
        let start = range(ofRow: row).lowerBound
        return values[start + chosen.lowerBound..<start + chosen.upperBound]
      })
  }
}

extension ClassifierKind {
  /// Above this number of buildings, training also tries retrieval, which is then cheaper.
  ///
  /// With up to 40 buildings, both are equally accurate, and softmax rejects more photos of unknown buildings.
  package static let mostInSoftmax = 300
}
