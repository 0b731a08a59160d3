import Foundation
import Testing

@testable import Cupola

@Suite("Gaussian mixture") struct GaussianMixtureTests {
  /// `log(weight * density)` of each component for one row, in double.
  static func logDensities(_ mixture: GaussianMixture, _ row: [Float]) -> [Double] {
    (0..<mixture.count).map { component in
      row.indices.reduce(log(Double(mixture.weights[component]))) { sum, dimension in
        let variance = Double(mixture.variances[component, dimension])
        let away = Double(row[dimension]) - Double(mixture.means[component, dimension])
        return sum - 0.5 * (log(2 * .pi * variance) + away * away / variance)
      }
    }
  }

  @Test("Posteriors and log-likelihood are scikit-learn's")
  func golden() throws {
    let golden = try FisherGolden()
    let found = golden.mixture.posteriors(GaussianMixture.augmented(golden.rows))
    #expect(largestDifference(found.probabilities.values, golden.posteriors) < 1e-4)
    #expect(abs(found.logLikelihood / Double(golden.logLikelihood) - 1) < 1e-5)
  }

  @Test("They are those of the densities, added up one by one", arguments: [1, 2, 34, 66])
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

  @Test("Rows are joined with their squares")
  func augmented() {
    let rows = Matrix(rows: 2, columns: 3, values: [1, -2, 3, 0, 0.5, -4])
    #expect(
      GaussianMixture.augmented(rows)
        == Matrix(rows: 2, columns: 6, values: [1, -2, 3, 1, 4, 9, 0, 0.5, -4, 0, 0.25, 16]))
  }

  @Test("Far from every component, and with a component of no weight, probabilities are sound")
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

  @Test("No rows are no fault")
  func none() {
    let mixture = SampleFisher.mixture(dimensions: 2, seed: 1)
    let found = mixture.posteriors(Matrix(rows: 0, columns: 4))
    #expect(found.probabilities.rows == 0 && found.logLikelihood == 0)
  }
}

/// What Scripts/goldens/fisher.py made.
struct FisherGolden {
  let mixture: GaussianMixture
  let rows: Matrix
  let posteriors: [Float]
  let logLikelihood: Float
  let vector: [Float]
  let patchWeights: [Float]
  let weightedVector: [Float]
  /// Of the weighted rows, with a flattening of 0.7.
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
