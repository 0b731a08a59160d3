import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Whitening")
struct WhiteningTests {
  /// Three classes, whose rows differ in some directions far more than in others.
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

  /// The covariance of rows less their class's mean, in double; rows without a class do not count.
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
    "the covariance within classes becomes what shrinkage leaves of it",
    arguments: [0.001, 0.1, 0.5, 0.8, 1])
  func covariance(shrinkage: Double) {
    let (examples, classes) = Self.material()
    let whitened = Whitening(examples: examples, classes: classes, shrinkage: shrinkage).examples
    #expect(abs(Self.meanSquare(whitened) - 1) < 1e-4)
    // Eigenvalues d become d / ((1 - shrinkage) d + shrinkage * mean), but for the scale.
    let before = Self.eigenvalues(Self.within(examples, classes))
    let mean = before.reduce(0, +) / Double(before.count)
    let wanted = before.map { $0 / ((1 - shrinkage) * $0 + shrinkage * mean) }
    let found = Self.eigenvalues(Self.within(whitened, classes))
    #expect(wanted[0] / wanted[5] < before[0] / before[5] + 1e-9)
    for index in 0..<6 {
      #expect(abs(found[index] / found[0] - wanted[index] / wanted[0]) < 2e-3)
    }
  }

  @Test("at shrinkage 1 examples are only scaled")
  func full() {
    let (examples, classes) = Self.material()
    let whitened = Whitening(examples: examples, classes: classes, shrinkage: 1).examples
    let scale = Float(Self.meanSquare(examples).squareRoot())
    var wanted = examples
    for index in wanted.values.indices { wanted.values[index] /= scale }
    #expect(whitened.largestDifference(to: wanted) < 1e-5)
  }

  @Test("examples without a class change nothing but the scale")
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
    // With their classes they would have counted.
    one = Whitening(examples: examples, classes: classes, shrinkage: 0.5)
      .examples.selecting(rows: kept)
    #expect(one.largestDifference(to: other) > 1e-2)
  }

  @Test(
    "a classifier that is brought back gives for examples what it gave for whitened ones",
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

  @Test("examples without differences, without classes, or of zeros stay numbers")
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

  @Test("a shrinkage of 0 is the programmer's fault")
  func zero() async {
    await #expect(processExitsWith: .failure) {
      let (examples, classes) = WhiteningTests.material()
      _ = Whitening(examples: examples, classes: classes, shrinkage: 0)
    }
  }
}
