import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Whitening")
struct WhiteningTests {
  /// Three classes whose variances differ greatly between directions.
  static func material(
    _ count: Int = 60, columns: Int = 6
  ) -> (examples: Matrix, classes: [Int?]) {
    var generator = SplitMix64(seed: 12)
    let mixing = generator.matrix(columns, columns)
    var examples = BLAS.product(generator.matrix(count, columns), mixing)
    let classes = (0..<count).map { $0 % 3 }
    for row in 0..<count { examples[row, classes[row]] += 4 }
    return (examples, classes)
  }

  /// The within-class covariance in double precision; rows without a class are ignored.
  private static func within(_ examples: Matrix, _ classes: [Int?]) -> [[Double]] {
    let columns = examples.columns
    var result = [[Double]](repeating: [Double](repeating: 0, count: columns), count: columns)
    let kept = classes.indices.filter { classes[$0] != nil }
    for own in Set(classes.compactMap { $0 }) {
      let members = classes.indices.filter { classes[$0] == own }
      let mean = (0..<columns).map { column in
        members.reduce(0) { $0 + Double(examples[$1, column]) } / Double(members.count)
      }
      for row in members {
        let away = (0..<columns).map { Double(examples[row, $0]) - mean[$0] }
        for i in 0..<columns {
          for j in 0..<columns { result[i][j] += away[i] * away[j] / Double(kept.count) }
        }
      }
    }
    return result
  }

  private static func eigenvalues(_ matrix: [[Double]]) -> [Double] {
    BLAS.symmetricEigen(
      Matrix(
        rows: matrix.count, columns: matrix.count, values: matrix.flatMap { $0.map(Float.init) })
    ).values
  }

  private static func meanSquare(_ examples: Matrix) -> Double {
    VectorMath.preciseDot(examples.values, examples.values) / Double(examples.rows)
  }

  @Test(
    "The covariance within classes is whitened up to shrinkage",
    arguments: [0.001, 0.1, 0.5, 0.8, 1])
  func covariance(shrinkage: Double) {
    let (examples, classes) = Self.material()
    let whitened = Whitening(examples: examples, classes: classes, shrinkage: shrinkage).examples
    #expect(abs(Self.meanSquare(whitened) - 1) < 1e-4)
    // Up to a scale factor, eigenvalues d become d / ((1 - shrinkage) d + shrinkage * mean).
    let before = Self.eigenvalues(Self.within(examples, classes))
    let mean = before.reduce(0, +) / Double(before.count)
    let wanted = before.map { $0 / ((1 - shrinkage) * $0 + shrinkage * mean) }
    let found = Self.eigenvalues(Self.within(whitened, classes))
    #expect(wanted[0] / wanted[5] < before[0] / before[5] + 1e-9)
    for index in 0..<6 {
      #expect(abs(found[index] / found[0] - wanted[index] / wanted[0]) < 2e-3)
    }
  }

  @Test("A shrinkage of 1 only scales the examples")
  func full() {
    let (examples, classes) = Self.material()
    let whitened = Whitening(examples: examples, classes: classes, shrinkage: 1).examples
    let scale = Float(Self.meanSquare(examples).squareRoot())
    var wanted = examples
    for index in wanted.values.indices { wanted.values[index] /= scale }
    #expect(whitened.largestDifference(to: wanted) < 1e-5)
  }

  @Test("Examples without a class affect only the scale")
  func background() {
    let (examples, classes) = Self.material()
    let kept = Array(0..<40)
    let some = Whitening(
      examples: examples.selecting(rows: kept), classes: Array(classes[..<40]), shrinkage: 0.5)
    let all = Whitening(
      examples: examples, classes: classes.enumerated().map { $0 < 40 ? $1 : nil }, shrinkage: 0.5)
    var (one, other) = (some.examples, all.examples.selecting(rows: kept))
    let ratio = Float((Self.meanSquare(one) / Self.meanSquare(other)).squareRoot())
    for index in other.values.indices { other.values[index] *= ratio }
    #expect(one.largestDifference(to: other) < 1e-4)
    one = Whitening(examples: examples, classes: classes, shrinkage: 0.5)
      .examples.selecting(rows: kept)
    #expect(one.largestDifference(to: other) > 1e-2)
  }

  @Test(
    "A translated classifier yields the same logits",
    arguments: [0.1, 0.8])
  func classifier(shrinkage: Double) {
    let (examples, classes) = Self.material()
    let whitening = Whitening(examples: examples, classes: classes, shrinkage: shrinkage)
    var generator = SplitMix64(seed: 5)
    let inner = LinearClassifier(weights: generator.matrix(3, 6), biases: [0.5, -1, 2])
    let wanted = inner.logits(ofRows: whitening.examples)
    let found = whitening.classifier(from: inner)
    #expect(found.biases == inner.biases)
    #expect(found.logits(ofRows: examples).largestDifference(to: wanted) < 1e-4)
    #expect(inner.logits(ofRows: examples).largestDifference(to: wanted) > 0.1)
  }

  @Test("Degenerate examples stay finite")
  func degenerate() {
    let (examples, _) = Self.material()
    let same = examples.selecting(rows: [Int](repeating: 3, count: 10))
    let cases: [(Matrix, [Int?])] = [
      (same, [Int?](repeating: 0, count: 10)), (same, [Int?](repeating: nil, count: 10)),
      (examples, [Int?](repeating: nil, count: 60)), (Matrix(rows: 4, columns: 3), [0, 0, 1, 1]),
      (examples.selecting(rows: [0]), [0]),
    ]
    for (rows, classes) in cases {
      let whitening = Whitening(examples: rows, classes: classes, shrinkage: 0.5)
      #expect(whitening.examples.values.allSatisfy { $0.isFinite })
    }
  }

  @Test("A shrinkage of 0 traps")
  func zero() async {
    await #expect(processExitsWith: .failure) {
      let (examples, classes) = WhiteningTests.material()
      _ = Whitening(examples: examples, classes: classes, shrinkage: 0)
    }
  }
}

@Suite("Principal subspace")
struct PrincipalSubspaceTests {
  /// Examples whose singular values decrease as `1 / rank`.
  private static func examples(_ rows: Int, _ columns: Int, rank: Int) -> Matrix {
    var generator = SplitMix64(seed: 9)
    var left = generator.matrix(rows, rank)
    for row in 0..<rows {
      for column in 0..<rank { left[row, column] /= Float(column + 1) }
    }
    return BLAS.product(left, generator.matrix(rank, columns))
  }

  private static func energy(_ matrix: Matrix) -> Double {
    VectorMath.preciseDot(matrix.values, matrix.values)
  }

  @Test("Directions are nearly orthonormal")
  func orthonormal() async {
    let rows = ExampleRows(Self.examples(120, 300, rank: 120))
    let directions = await PrincipalSubspace(of: rows, most: 40, threads: 2).directions
    #expect((directions.rows, directions.columns) == (40, 300))
    let products = BLAS.product(directions, directions, transposeB: true)
    var identity = Matrix(rows: 40, columns: 40)
    for index in 0..<40 { identity[index, index] = 1 }
    // A ridge term against rounding errors slightly shortens the weakest directions.
    #expect(products.largestDifference(to: identity) < 0.02)
  }

  @Test("The subspace has nearly the energy of exact components")
  func nearlyBest() async {
    let examples = Self.examples(150, 200, rank: 150)
    let gram = BLAS.product(examples, examples, transposeB: true)
    for count in [5, 20, 60] {
      let best = BLAS.symmetricEigen(gram).values.prefix(count).reduce(0, +)
      let kept = Self.energy(
        await PrincipalSubspace(of: ExampleRows(examples), most: count, threads: 2)
          .coordinates(of: ExampleRows(examples)))
      #expect(kept > 0.97 * best)
      #expect(kept < 1.01 * best)
    }
  }

  @Test("Low-rank examples are kept, including unsampled ones")
  func lowRank() async {
    let all = Self.examples(90, 200, rank: 10)
    let sample = all.selecting(rows: Array(0..<60))
    let subspace = await PrincipalSubspace(of: ExampleRows(sample), most: 24, threads: 2)
    let coordinates = subspace.coordinates(of: ExampleRows(all))
    let back = BLAS.product(coordinates, subspace.directions)
    #expect(back.largestDifference(to: all) < 0.02 * all.largest)
  }

  @Test("Directions of zero examples are valid and reproducible")
  func zeros() async {
    let zeros = ExampleRows(Matrix(rows: 8, columns: 20))
    let coordinates = await PrincipalSubspace(of: zeros, most: 4, threads: 2).coordinates(of: zeros)
    #expect(coordinates.values.allSatisfy { $0 == 0 })
    let rows = ExampleRows(Self.examples(40, 60, rank: 40))
    let subspace = await PrincipalSubspace(of: rows, most: 8, threads: 1)
    #expect(await PrincipalSubspace(of: rows, most: 8, threads: 2) == subspace)
  }

  @Test("Logits over coordinates and features are equal")
  func classifier() async {
    let examples = Self.examples(80, 900, rank: 30)
    let rows = ExampleRows(examples)
    let span = await ExampleSpan(of: rows, sample: rows, threads: 2)
    var generator = SplitMix64(seed: 2)
    let inner = LinearClassifier(
      weights: generator.matrix(3, span.coordinates.columns), biases: [1, 2, -1])
    let outer = span.classifier(from: inner, over: rows)
    #expect(outer.weights.columns == 900)
    let wanted = inner.logits(ofRows: span.coordinates.all)
    #expect(
      outer.logits(ofRows: examples).largestDifference(to: wanted) < 1e-3 * wanted.largest)
  }
}
