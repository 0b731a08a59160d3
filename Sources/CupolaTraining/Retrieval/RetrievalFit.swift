internal import Cupola

/// Makes a ``RetrievalClassifier`` of examples: whitening within the buildings, the directions in which all labels
/// extend most, and codes of what the examples are there.
///
/// There is nothing to choose and nothing to iterate: the cost of a fit does not depend on the number of labels.
struct RetrievalFit {
  /// Shrinkage of the covariance within buildings. Measured on three sets, as the other figures.
  static let shrinkage = 0.3
  /// Values of the vectors that are compared: 64 and 256 name as many photos right.
  static let mostDimensions = 128
  /// 16, 24 and 32 tell the same photos apart.
  static let concentration: Float = 24
  /// Directions are found in three looks at the examples; one loses a photo in a hundred.
  private static let powers = 3
  private static let seed: UInt64 = 0xC0DE_B00C
  private static let widthOfPart = 4

  /// What becomes of whitened examples.
  let classifier: RetrievalClassifier

  /// - Parameters:
  ///   - examples: views, those of a photo one after the other, photos of a label in the order to be remembered.
  ///   - labels: one an example.
  ///   - viewsPerPhoto: how many are of one photo.
  init(_ examples: Matrix, labels: [Int], names: Labels, viewsPerPhoto: Int) {
    let classes = labels.map { names.buildings.contains($0) ? $0 : nil }
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
    classifier = empty.remembering(codes, biases: empty.biases)
  }

  /// Vectors of length 1.
  private static func vectors(_ examples: Matrix, _ projection: LinearClassifier) -> Matrix {
    let projected = projection.logits(ofRows: examples)
    return Matrix(
      rows: projected.rows, columns: projected.columns,
      values: (0..<projected.rows).flatMap { VectorMath.unit(projected.row($0)) })
  }

  /// The principal directions about the middle of the labels, each of which counts the same however many examples
  /// it has.
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

  /// As many as make whole parts of a code, which has one at least: photos that are all flat extend in no direction.
  /// Where there are fewer, those that are missing are zeros.
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
