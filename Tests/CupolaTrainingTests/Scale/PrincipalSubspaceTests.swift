import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Principal subspace")
struct PrincipalSubspaceTests {
  /// Examples whose singular values fall off like `1 / rank`.
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

  @Test("directions are orthonormal, but that the weakest are a little shorter")
  func orthonormal() async {
    let rows = ExampleRows(Self.examples(120, 300, rank: 120))
    let directions = await PrincipalSubspace(of: rows, most: 40, threads: 2).directions
    #expect((directions.rows, directions.columns) == (40, 300))
    let products = BLAS.product(directions, directions, transposeB: true)
    var identity = Matrix(rows: 40, columns: 40)
    for index in 0..<40 { identity[index, index] = 1 }
    // What rounding may have taken from the weakest is added before they are made as long as the others.
    #expect(products.largestDifference(to: identity) < 0.02)
  }

  @Test("keep nearly as much of the examples as the exact principal directions do")
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

  @Test("examples of lower rank are kept whole, also those that were not in the sample")
  func lowRank() async {
    let all = Self.examples(90, 200, rank: 10)
    let sample = all.selecting(rows: Array(0..<60))
    let subspace = await PrincipalSubspace(of: ExampleRows(sample), most: 24, threads: 2)
    let coordinates = subspace.coordinates(of: ExampleRows(all))
    let back = BLAS.product(coordinates, subspace.directions)
    #expect(back.largestDifference(to: all) < 0.02 * all.largest)
  }

  @Test("examples of nothing have directions too, and the same ones each time")
  func zeros() async {
    let zeros = ExampleRows(Matrix(rows: 8, columns: 20))
    let coordinates = await PrincipalSubspace(of: zeros, most: 4, threads: 2).coordinates(of: zeros)
    #expect(coordinates.values.allSatisfy { $0 == 0 })
    let rows = ExampleRows(Self.examples(40, 60, rank: 40))
    let subspace = await PrincipalSubspace(of: rows, most: 8, threads: 1)
    #expect(await PrincipalSubspace(of: rows, most: 8, threads: 2) == subspace)
  }

  @Test("a classifier over coordinates gives over features the same logits")
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
