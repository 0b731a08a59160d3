import Testing

@testable import Cupola

@Suite("Fisher vector") struct FisherVectorTests {
  /// What the signed square roots were taken of.
  private static func squares(_ vector: [Float]) -> [Float] { vector.map { $0 * abs($0) } }

  @Test("The vector is NumPy's")
  func golden() throws {
    let golden = try FisherGolden()
    let found = FisherVector.encode(golden.rows, mixture: golden.mixture)
    #expect(found.count == FisherVector.count(golden.mixture) && found.count == 96)
    // Roots of almost nothing magnify the last bits; the squares' magnitudes sum to 1.
    #expect(largestDifference(Self.squares(found), Self.squares(golden.vector)) < 1e-6)
    #expect(largestDifference(found, golden.vector) < 1e-3)
  }

  @Test("The order of the patches does not matter, nor does having all of them twice")
  func sets() throws {
    let golden = try FisherGolden()
    let (rows, mixture) = (golden.rows, golden.mixture)
    let vector = Self.squares(FisherVector.encode(rows, mixture: mixture))
    let backwards = rows.selecting(rows: (0..<rows.rows).reversed())
    let twice = rows.selecting(rows: Array(0..<rows.rows) + Array(0..<rows.rows))
    for other in [backwards, twice] {
      let found = Self.squares(FisherVector.encode(other, mixture: mixture))
      #expect(largestDifference(found, vector) < 1e-6)
    }
  }

  @Test("Patches at the means have no mean gradients, and negative variance gradients")
  func atMeans() {
    let count = 8
    // Far apart, so that each patch belongs to one component.
    let means = Matrix(
      rows: count, columns: 2, values: (0..<2 * count).map { Float($0 / 2 * 50 + $0 % 2) })
    let mixture = GaussianMixture(
      weights: [Float](repeating: 0.125, count: count), means: means,
      variances: Matrix(rows: count, columns: 2, values: [Float](repeating: 1, count: 2 * count)))
    let vector = FisherVector.encode(means, mixture: mixture)
    #expect(vector[..<16].allSatisfy { abs($0) < 0.02 })
    #expect(vector[16...].allSatisfy { abs($0 + 0.25) < 0.01 })
  }

  @Test("No patches have the zero vector")
  func none() {
    let mixture = SampleFisher.mixture(dimensions: 3, seed: 2)
    let vector = FisherVector.encode(Matrix(rows: 0, columns: 3), mixture: mixture)
    #expect(vector == [Float](repeating: 0, count: 48))
  }
}
