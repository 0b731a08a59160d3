import Foundation
import Testing

@testable import Cupola

@Suite("Fisher vector") struct FisherVectorTests {
  /// The values before the signed square root.
  private static func squares(_ vector: [Float]) -> [Float] { vector.map { $0 * abs($0) } }

  private static func norm(_ values: some Sequence<Float>) -> Double {
    values.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
  }

  /// The norm of each component's part: mean and variance gradients together.
  private static func norms(_ vector: [Float], _ mixture: GaussianMixture) -> [Double] {
    let dimensions = mixture.dimensions
    return (0..<mixture.count).map { component in
      let own = component * dimensions..<(component + 1) * dimensions
      let half = vector.count / 2
      return norm(vector[own] + vector[own.lowerBound + half..<own.upperBound + half])
    }
  }

  private static func encode(
    _ rows: Matrix, weights: [Float]? = nil, mixture: GaussianMixture, flattening: Float = 0
  ) -> [Float] {
    let all = [Float](repeating: 1, count: rows.rows)
    return FisherVector.encode(
      rows, weights: weights ?? all, mixture: mixture, flattening: flattening)
  }

  private static func expectEqual(_ found: [Float], _ golden: [Float]) {
    // Square roots amplify rounding near 0, so compare the squares too; their magnitudes sum to 1.
    #expect(largestDifference(squares(found), squares(golden)) < 1e-6)
    #expect(largestDifference(found, golden) < 1e-3)
  }

  @Test("Plain, weighted and flattened vectors match NumPy")
  func golden() throws {
    let golden = try FisherGolden()
    let (rows, weights) = (golden.rows, golden.patchWeights)
    let plain = Self.encode(rows, mixture: golden.mixture)
    #expect(plain.count == FisherVector.count(golden.mixture) && plain.count == 96)
    Self.expectEqual(plain, golden.vector)
    try #require(weights.contains(0) && weights.contains(1))
    let weighted = Self.encode(rows, weights: weights, mixture: golden.mixture)
    Self.expectEqual(weighted, golden.weightedVector)
    #expect(largestDifference(weighted, plain) > 0.01)
    let flattened = Self.encode(
      rows, weights: weights, mixture: golden.mixture, flattening: 0.7)
    Self.expectEqual(flattened, golden.flattenedVector)
    #expect(largestDifference(flattened, weighted) > 0.01)
  }

  @Test("Order and duplication of patches do not change the vector")
  func patchOrder() throws {
    let golden = try FisherGolden()
    let (rows, mixture) = (golden.rows, golden.mixture)
    let vector = Self.squares(Self.encode(rows, mixture: mixture))
    let backwards = rows.selecting(rows: (0..<rows.rows).reversed())
    let twice = rows.selecting(rows: Array(0..<rows.rows) + Array(0..<rows.rows))
    for other in [backwards, twice] {
      let found = Self.squares(Self.encode(other, mixture: mixture))
      #expect(largestDifference(found, vector) < 1e-6)
    }
  }

  @Test("A weight equals repetition, and its scale does not matter")
  func weights() throws {
    let golden = try FisherGolden()
    let (rows, mixture) = (golden.rows, golden.mixture)
    let counts = (0..<rows.rows).map { [0, 1, 1, 3][$0 % 4] }
    let repeated = rows.selecting(
      rows: counts.indices.flatMap { [Int](repeating: $0, count: counts[$0]) })
    for flattening: Float in [0, 0.7] {
      let expected = Self.squares(
        Self.encode(repeated, mixture: mixture, flattening: flattening))
      for scale: Float in [1, 0.01] {
        let found = Self.encode(
          rows, weights: counts.map { scale * Float($0) }, mixture: mixture,
          flattening: flattening)
        #expect(largestDifference(Self.squares(found), expected) < 1e-6)
      }
    }
  }

  @Test("Flattening makes component norms more equal")
  func flattening() throws {
    let golden = try FisherGolden()
    func norms(_ flattening: Float) -> [Double] {
      Self.norms(
        Self.encode(golden.rows, mixture: golden.mixture, flattening: flattening), golden.mixture)
    }
    let plain = norms(0)
    for power: Float in [0, 0.3, 0.7, 1] {
      let flat = norms(power)
      #expect(abs(Self.norm(flat.map(Float.init)) - 1) < 1e-5)
      for (own, other) in zip(flat, plain) {
        #expect(abs(own / flat[0] - pow(other / plain[0], 1 - Double(power))) < 1e-4)
      }
    }
    #expect(norms(1).allSatisfy { abs($0 - (1.0 / 8).squareRoot()) < 1e-4 })
  }

  @Test("Patches at the means have only negative variance gradients")
  func atMeans() {
    let count = 8
    // Far apart, so each patch belongs to one component.
    let means = Matrix(
      rows: count, columns: 2, values: (0..<2 * count).map { Float($0 / 2 * 50 + $0 % 2) })
    let mixture = GaussianMixture(
      weights: [Float](repeating: 0.125, count: count), means: means,
      variances: Matrix(rows: count, columns: 2, values: [Float](repeating: 1, count: 2 * count)))
    let vector = Self.encode(means, mixture: mixture)
    #expect(vector[..<16].allSatisfy { abs($0) < 0.02 })
    #expect(vector[16...].allSatisfy { abs($0 + 0.25) < 0.01 })
  }

  @Test("Components without patches stay finite", arguments: [0, 0.7, 1] as [Float])
  func emptyComponents(flattening: Float) {
    let means = Matrix(rows: 8, columns: 1, values: (0..<8).map { Float($0 * 1000) })
    let mixture = GaussianMixture(
      weights: [Float](repeating: 0.125, count: 8), means: means,
      variances: Matrix(rows: 8, columns: 1, values: [Float](repeating: 1, count: 8)))
    let vector = Self.encode(
      Matrix(rows: 2, columns: 1, values: [3000.5, 2999]), mixture: mixture,
      flattening: flattening)
    #expect(vector.allSatisfy { $0.isFinite })
    #expect(abs(Self.norm(vector) - 1) < 1e-5)
  }

  @Test("Small component shares are kept and enlarged by flattening")
  func smallShares() {
    let means = (0..<8).map { 6.5 * Double($0) }
    let patches = [19.6, 19.4, 19.9, 19.1]
    let mixture = GaussianMixture(
      weights: [Float](repeating: 0.125, count: 8),
      means: Matrix(rows: 8, columns: 1, values: means.map(Float.init)),
      variances: Matrix(rows: 8, columns: 1, values: [Float](repeating: 1, count: 8)))
    let found = Self.encode(
      Matrix(rows: 4, columns: 1, values: patches.map(Float.init)), mixture: mixture, flattening: 1)
    // Only neighboring components, whose shares are below 1e-7.
    for component in [2, 4] {
      var (mean, variance) = (0.0, 0.0)
      for patch in patches {
        let densities = means.map { exp(-(patch - $0) * (patch - $0) / 2) }
        let share = densities[component] / densities.reduce(0, +)
        #expect(share < 1e-7)
        let away = patch - means[component]
        mean += share * away
        variance += share * (away * away - 1) / 2.0.squareRoot()
      }
      let expected = (abs(mean) / variance).squareRoot() * (mean < 0 ? -1 : 1)
      #expect(abs(Double(found[component] / found[8 + component]) - expected) < 1e-3)
    }
    let norms = Self.norms(found, mixture)
    #expect(abs(norms[2] / norms[3] - 1) < 1e-4)
  }

  @Test("Missing or unweighted patches yield the zero vector")
  func none() {
    let mixture = SampleFisher.mixture(dimensions: 3, seed: 2)
    for rows in [0, 5] {
      for flattening: Float in [0, 0.7] {
        let vector = Self.encode(
          SampleFisher.matrix(rows, 3, in: -1...1, seed: 4),
          weights: [Float](repeating: 0, count: rows), mixture: mixture, flattening: flattening)
        #expect(vector == [Float](repeating: 0, count: 48))
      }
    }
  }
}

@Suite("Gaussian mixture") struct GaussianMixtureTests {
  /// `log(weight * density)` of each component for one row, in double precision.
  static func logDensities(_ mixture: GaussianMixture, _ row: [Float]) -> [Double] {
    (0..<mixture.count).map { component in
      row.indices.reduce(log(Double(mixture.weights[component]))) { sum, dimension in
        let variance = Double(mixture.variances[component, dimension])
        let away = Double(row[dimension]) - Double(mixture.means[component, dimension])
        return sum - 0.5 * (log(2 * .pi * variance) + away * away / variance)
      }
    }
  }

  @Test("Posteriors and log-likelihood match scikit-learn")
  func golden() throws {
    let golden = try FisherGolden()
    let found = golden.mixture.posteriors(GaussianMixture.augmented(golden.rows))
    #expect(largestDifference(found.probabilities.values, golden.posteriors) < 1e-4)
    #expect(abs(found.logLikelihood / Double(golden.logLikelihood) - 1) < 1e-5)
  }

  @Test("Posteriors match a sum over the densities", arguments: [1, 2, 34, 66])
  func naive(dimensions: Int) {
    let mixture = SampleFisher.mixture(dimensions: dimensions, components: 16, seed: 5)
    let rows = SampleFisher.matrix(20, dimensions, in: -2...2, seed: 6)
    let found = mixture.posteriors(GaussianMixture.augmented(rows))
    var total = 0.0
    for row in 0..<rows.rows {
      let densities = Self.logDensities(mixture, Array(rows.values[rows.range(ofRow: row)]))
      let top = densities.max() ?? 0
      let sum = top + log(densities.reduce(0) { $0 + exp($1 - top) })
      total += sum
      let probabilities = found.probabilities.values[found.probabilities.range(ofRow: row)]
      #expect(largestDifference(Array(probabilities), densities.map { exp($0 - sum) }) < 1e-4)
    }
    #expect(abs(found.logLikelihood - total / 20) < 1e-5 * abs(total / 20))
  }

  @Test("Rows are extended with their squares")
  func augmented() {
    let rows = Matrix(rows: 2, columns: 3, values: [1, -2, 3, 0, 0.5, -4])
    #expect(
      GaussianMixture.augmented(rows)
        == Matrix(rows: 2, columns: 6, values: [1, -2, 3, 1, 4, 9, 0, 0.5, -4, 0, 0.25, 16]))
  }

  @Test("Probabilities are valid far from every component")
  func extremes() {
    var weights = [Float](repeating: 1.0 / 7, count: 8)
    weights[3] = 0
    let mixture = GaussianMixture(
      weights: weights, means: SampleFisher.matrix(8, 2, in: -1...1, seed: 1),
      variances: Matrix(rows: 8, columns: 2, values: [Float](repeating: 1e-4, count: 16)))
    let rows = Matrix(rows: 3, columns: 2, values: [0, 0, 100, -100, 1e4, 1e4])
    let found = mixture.posteriors(GaussianMixture.augmented(rows))
    #expect(found.probabilities.values.allSatisfy { (0...1).contains($0) })
    for row in 0..<3 {
      let sum = found.probabilities.values[found.probabilities.range(ofRow: row)].reduce(0, +)
      #expect(abs(sum - 1) < 1e-5)
    }
    #expect(found.logLikelihood.isFinite)
  }

  @Test("Zero rows are accepted")
  func none() {
    let mixture = SampleFisher.mixture(dimensions: 2, seed: 1)
    let found = mixture.posteriors(Matrix(rows: 0, columns: 4))
    #expect(found.probabilities.rows == 0 && found.logLikelihood == 0)
  }
}

struct FisherGolden {
  let mixture: GaussianMixture
  let rows: Matrix
  let posteriors: [Float]
  let logLikelihood: Float
  let vector: [Float]
  let patchWeights: [Float]
  let weightedVector: [Float]
  /// The weighted vector with a flattening of 0.7.
  let flattenedVector: [Float]

  init() throws {
    let file = try Fixtures.tensors("fisher.safetensors")
    mixture = GaussianMixture(
      weights: try file.floats("weights"),
      means: Matrix(rows: 8, columns: 6, values: try file.floats("means")),
      variances: Matrix(rows: 8, columns: 6, values: try file.floats("variances")))
    rows = Matrix(rows: 300, columns: 6, values: try file.floats("rows"))
    posteriors = try file.floats("posteriors")
    logLikelihood = try #require(try file.floats("log_likelihood").first)
    vector = try file.floats("vector")
    patchWeights = try file.floats("patch_weights")
    weightedVector = try file.floats("vector.weighted")
    flattenedVector = try file.floats("vector.flattened")
  }
}
