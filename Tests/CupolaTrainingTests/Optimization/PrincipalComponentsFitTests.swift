import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Principal components fit")
struct PrincipalComponentsFitTests {
  /// The projected rows without the places.
  private static func projected(_ components: PrincipalComponents, _ rows: Matrix) -> Matrix {
    let all = components.project(rows, places: [SIMD2<Float>](repeating: .zero, count: rows.rows))
    var result = Matrix(rows: rows.rows, columns: all.columns - 2)
    for row in 0..<rows.rows {
      for column in 0..<result.columns { result[row, column] = all[row, column] }
    }
    return result
  }

  private static func moments(_ rows: Matrix, _ a: Int, _ b: Int) -> Double {
    func mean(_ column: Int) -> Double {
      (0..<rows.rows).reduce(0) { $0 + Double(rows[$1, column]) } / Double(rows.rows)
    }
    let (first, second) = (mean(a), mean(b))
    let sum = (0..<rows.rows).reduce(0) {
      $0 + (Double(rows[$1, a]) - first) * (Double(rows[$1, b]) - second)
    }
    return sum / Double(rows.rows - 1)
  }

  @Test("directions and projected rows are scikit-learn's, up to their signs")
  func golden() throws {
    let golden = try FisherGolden()
    let rows = try golden.matrix("pca.rows")
    let (directions, wanted) = (
      try golden.matrix("pca.projection"), try golden.matrix("pca.projected")
    )
    let components = PrincipalComponents.fit(rows, dimensions: 10)
    try #require(components.projection.rows == 10 && components.projection.columns == 24)
    let found = Self.projected(components, rows)
    for kept in 0..<10 {
      let sign: Float =
        VectorMath.preciseDot(
          Array(components.projection.values[components.projection.range(ofRow: kept)]),
          Array(directions.values[directions.range(ofRow: kept)])) < 0 ? -1 : 1
      for column in 0..<24 {
        let difference = sign * components.projection[kept, column] - directions[kept, column]
        #expect(abs(difference) < 1e-4)
      }
      let worst = (0..<rows.rows).map { abs(sign * found[$0, kept] - wanted[$0, kept]) }.max()
      #expect(try #require(worst) < 3e-4)
    }
  }

  @Test(
    "projected rows have mean 0, no correlation, falling variances of mean 1",
    arguments: [(200, 12, 5), (60, 8, 8), (30, 40, 6)])
  func variances(rows: Int, columns: Int, kept: Int) {
    var generator = SplitMix64(seed: UInt64(rows))
    let mixing = generator.matrix(columns, columns)
    var data = BLAS.product(generator.matrix(rows, columns), mixing)
    for index in data.values.indices { data.values[index] += Float(index % columns) }
    let found = Self.projected(.fit(data, dimensions: kept), data)
    #expect(found.columns == kept)
    let variances = (0..<kept).map { Self.moments(found, $0, $0) }
    #expect(abs(variances.reduce(0, +) / Double(kept) - 1) < 1e-3)
    #expect(zip(variances, variances.dropFirst()).allSatisfy { $0 >= $1 - 1e-3 })
    for column in 0..<kept {
      let mean = (0..<rows).reduce(0) { $0 + Double(found[$1, column]) } / Double(rows)
      #expect(abs(mean) < 1e-3)
      for other in 0..<column { #expect(abs(Self.moments(found, column, other)) < 2e-3) }
    }
    // No other directions have more variance: what is kept is all that there is, or the most.
    let total = (0..<columns).reduce(0) { $0 + Self.moments(data, $1, $1) }
    let all = PrincipalComponents.fit(data, dimensions: columns)
    let scale = all.projection.values[all.projection.range(ofRow: 0)]
    let square = scale.reduce(0) { $0 + Double($1) * Double($1) }
    #expect(abs(Double(columns) / square / total - 1) < 1e-3)
  }

  @Test("rows that are all the same, and one row alone, project to zeros", arguments: [1, 20])
  func constant(count: Int) {
    let row: [Float] = [1, 2, 3, 4]
    let rows = Matrix(rows: count, columns: 4, values: (0..<count).flatMap { _ in row })
    let components = PrincipalComponents.fit(rows, dimensions: 3)
    let found = Self.projected(components, rows)
    #expect(found.values.allSatisfy { $0.isFinite && abs($0) < 10 })
    // A model file holds no larger ones.
    #expect(components.projection.largest <= 10_000)
    #expect(components.offset.allSatisfy { abs($0) <= 10_000 })
  }

  @Test("more dimensions than there are is the programmer's fault")
  func tooMany() async {
    await #expect(processExitsWith: .failure) {
      _ = PrincipalComponents.fit(Matrix(rows: 9, columns: 3), dimensions: 4)
    }
  }
}
