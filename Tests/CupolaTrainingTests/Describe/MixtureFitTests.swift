import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTraining

@Suite("Mixture fit")
struct MixtureFitTests {
  /// Rows around cluster centers, with `counts[k]` rows around center `k`.
  private static func clusters(_ counts: [Int], dimensions: Int, spread: Float, seed: UInt64) -> (
    rows: Matrix, centers: Matrix
  ) {
    var generator = SplitMix64(seed: seed)
    var centers = generator.matrix(counts.count, dimensions)
    for index in centers.values.indices { centers.values[index] *= spread }
    var values: [Float] = []
    for (center, count) in counts.enumerated() {
      for _ in 0..<count {
        for column in 0..<dimensions {
          values.append(centers[center, column] + 0.5 * generator.normal())
        }
      }
    }
    let rows = values.count / dimensions
    return (Matrix(rows: rows, columns: dimensions, values: values), centers)
  }

  private static func fit(
    _ rows: Matrix, seed: UInt64 = 1, _ change: (inout MixtureFit) -> Void = { _ in }
  ) -> MixtureFit.Fit {
    var fit = MixtureFit(components: 8)
    change(&fit)
    var generator = SplitMix64(seed: seed)
    return fit.fit(rows, using: &generator)
  }

  private static func expectSound(_ mixture: GaussianMixture) {
    #expect(mixture.weights.allSatisfy { $0 > 0 && $0 <= 1.001 })
    #expect(abs(mixture.weights.reduce(0, +) - 1) < 0.01)
    #expect(mixture.means.values.allSatisfy { $0.isFinite })
    #expect(mixture.variances.values.allSatisfy { $0.isFinite && $0 >= 1e-4 })
  }

  @Test("One step matches scikit-learn")
  func oneStep() throws {
    let golden = try FisherGolden()
    let (mixture, logLikelihood) = MixtureFit(components: 8).step(
      try golden.matrix("em.rows"), from: try golden.mixture(0))
    let wanted = try golden.mixture(1)
    for (one, other) in zip(mixture.weights, wanted.weights) { #expect(abs(one - other) < 1e-5) }
    #expect(mixture.means.largestDifference(to: wanted.means) < 1e-4)
    #expect(mixture.variances.largestDifference(to: wanted.variances) < 1e-4)
    let start = try #require(try golden.floats("em.log_likelihood").first)
    #expect(abs(logLikelihood / Double(start) - 1) < 1e-5)
  }

  @Test("Many steps converge to scikit-learn's mixture")
  func converged() throws {
    let golden = try FisherGolden()
    let rows = try golden.matrix("em.rows")
    let fit = MixtureFit(components: 8)
    var mixture = try golden.mixture(0)
    for _ in 0..<40 { mixture = fit.step(rows, from: mixture).mixture }
    let wanted = try golden.mixture(40)
    #expect(mixture.means.largestDifference(to: wanted.means) < 2e-3)
    #expect(mixture.variances.largestDifference(to: wanted.variances) < 2e-3)
    let end = try #require(try golden.floats("em.log_likelihood").last)
    let found = fit.step(rows, from: mixture).logLikelihood
    #expect(abs(found / Double(end) - 1) < 1e-5)
  }

  @Test("A step over several batches matches double-precision sums")
  func batches() throws {
    let (rows, _) = Self.clusters(
      [900, 800, 700, 600, 500, 400, 300, 100], dimensions: 3, spread: 1.5, seed: 3)
    try #require(rows.rows > 4096)
    let start = Self.fit(rows) { $0.iterations = 1 }.mixture
    let found = MixtureFit(components: 8).step(rows, from: start).mixture
    let probabilities = start.posteriors(GaussianMixture.augmented(rows)).probabilities
    for component in 0..<8 {
      let own = (0..<rows.rows).map { Double(probabilities[$0, component]) }
      let total = own.reduce(0, +)
      #expect(abs(Double(found.weights[component]) - total / Double(rows.rows)) < 1e-5)
      for column in 0..<3 {
        let values = (0..<rows.rows).map { Double(rows[$0, column]) }
        let mean = zip(own, values).reduce(0) { $0 + $1.0 * $1.1 } / total
        let variance =
          zip(own, values).reduce(0) { $0 + $1.0 * ($1.1 - mean) * ($1.1 - mean) } / total
        #expect(abs(Double(found.means[component, column]) - mean) < 1e-4)
        #expect(abs(Double(found.variances[component, column]) - variance - 1e-4) < 1e-4)
      }
    }
  }

  @Test("A component without rows keeps its place")
  func unused() {
    let (rows, centers) = Self.clusters(
      [20, 20, 20, 20, 20, 20, 20, 20], dimensions: 2, spread: 3, seed: 4)
    var means = centers
    means[5, 0] = 5000
    let before = GaussianMixture(
      weights: [Float](repeating: 0.125, count: 8), means: means,
      variances: Matrix(rows: 8, columns: 2, values: [Float](repeating: 0.25, count: 16)))
    let after = MixtureFit(components: 8).step(rows, from: before).mixture
    #expect(after.means[5, 0] == 5000 && after.means[5, 1] == means[5, 1])
    #expect(after.variances[5, 0] == 0.25)
    #expect(after.weights[5] > 0 && after.weights[5] < 1e-4)
    Self.expectSound(after)
  }

  @Test("The log-likelihood never falls", arguments: 1...4)
  func rises(seed: UInt64) {
    let (rows, _) = Self.clusters(
      [90, 80, 70, 60, 50, 40, 30, 10], dimensions: 4, spread: 1, seed: seed)
    let history = Self.fit(rows, seed: seed) {
      $0.iterations = 40
      $0.tolerance = -.infinity
    }.logLikelihoods
    #expect(history.count == 40)
    for (one, next) in zip(history, history.dropFirst()) { #expect(next >= one - 1e-4) }
    #expect((history.last ?? 0) > (history.first ?? 0))
  }

  @Test("Fitting stops at the tolerance or the iteration limit")
  func stops() {
    let (rows, _) = Self.clusters(
      [90, 80, 70, 60, 50, 40, 30, 10], dimensions: 4, spread: 1, seed: 2)
    let history = Self.fit(rows) { $0.iterations = 200 }.logLikelihoods
    #expect(history.count < 200)
    let gains = zip(history, history.dropFirst()).map { $1 - $0 }
    #expect((gains.last ?? 1) < 1e-3)
    #expect(gains.dropLast().allSatisfy { $0 >= 1e-3 })
    #expect(Self.fit(rows) { $0.iterations = 3 }.logLikelihoods.count <= 3)
  }

  @Test("Separate clusters are found with their sizes and widths", arguments: 1...3)
  func recovers(seed: UInt64) throws {
    let counts = [50, 75, 100, 125, 150, 175, 200, 225]
    let (rows, centers) = Self.clusters(counts, dimensions: 5, spread: 20, seed: seed)
    let mixture = Self.fit(rows, seed: seed).mixture
    var found: Set<Int> = []
    for (center, count) in counts.enumerated() {
      let distances = (0..<8).map { component in
        (0..<5).map { abs(mixture.means[component, $0] - centers[center, $0]) }.max() ?? 0
      }
      let nearest = try #require(distances.indices.min { distances[$0] < distances[$1] })
      found.insert(nearest)
      #expect(distances[nearest] < 0.3)
      #expect(abs(mixture.weights[nearest] - Float(count) / 1100) < 1e-3)
      for column in 0..<5 { #expect(abs(mixture.variances[nearest, column] - 0.25) < 0.15) }
    }
    #expect(found.count == 8)
  }

  @Test("Equal seeds yield equal mixtures, other seeds different ones")
  func seeds() {
    let (rows, _) = Self.clusters(
      [90, 80, 70, 60, 50, 40, 30, 10], dimensions: 4, spread: 1, seed: 5)
    let first = Self.fit(rows, seed: 7)
    let again = Self.fit(rows, seed: 7)
    #expect(again.mixture == first.mixture && again.logLikelihoods == first.logLikelihoods)
    #expect(Self.fit(rows, seed: 8).mixture != first.mixture)
  }

  @Test("The start may be chosen from a subset of rows")
  func startingRows() {
    let (rows, _) = Self.clusters(
      [50, 50, 50, 50, 50, 50, 50, 50], dimensions: 2, spread: 5, seed: 6)
    Self.expectSound(Self.fit(rows) { $0.startingRows = 40 }.mixture)
  }

  @Test("Repeated rows yield a valid mixture without NaN")
  func duplicates() {
    let three = (0..<90).flatMap { [Float($0 % 3), Float($0 % 3) * 2] }
    let cases = [
      Matrix(rows: 90, columns: 2, values: three),
      Matrix(rows: 64, columns: 2, values: [Float](repeating: 0.75, count: 128)),
      Matrix(rows: 64, columns: 2),
      Matrix(rows: 8, columns: 2, values: (0..<16).map(Float.init)),
    ]
    for rows in cases {
      for seed in 1...4 as ClosedRange<UInt64> {
        let fit = Self.fit(rows, seed: seed)
        Self.expectSound(fit.mixture)
        #expect(fit.logLikelihoods.allSatisfy { $0.isFinite })
        let posteriors = fit.mixture.posteriors(GaussianMixture.augmented(rows))
        #expect(posteriors.probabilities.values.allSatisfy { $0.isFinite })
      }
    }
  }

  @Test("Fewer rows than components trap")
  func tooFew() async {
    await #expect(processExitsWith: .failure) {
      var generator = SplitMix64(seed: 1)
      _ = MixtureFit(components: 8).fit(Matrix(rows: 7, columns: 2), using: &generator)
    }
  }
}

@Suite("Principal components fit")
struct PrincipalComponentsFitTests {
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

  @Test("Directions and projections match scikit-learn up to sign")
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
    "Projections are centered, uncorrelated and sorted by variance",
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
    // The variances of all components add up to the total variance.
    let total = (0..<columns).reduce(0) { $0 + Self.moments(data, $1, $1) }
    let all = PrincipalComponents.fit(data, dimensions: columns)
    let scale = all.projection.values[all.projection.range(ofRow: 0)]
    let square = scale.reduce(0) { $0 + Double($1) * Double($1) }
    #expect(abs(Double(columns) / square / total - 1) < 1e-3)
  }

  @Test("Constant rows and a single row project to zeros", arguments: [1, 20])
  func constant(count: Int) {
    let row: [Float] = [1, 2, 3, 4]
    let rows = Matrix(rows: count, columns: 4, values: (0..<count).flatMap { _ in row })
    let components = PrincipalComponents.fit(rows, dimensions: 3)
    let found = Self.projected(components, rows)
    #expect(found.values.allSatisfy { $0.isFinite && abs($0) < 10 })
    // Model files do not allow larger values.
    #expect(components.projection.largest <= 10_000)
    #expect(components.offset.allSatisfy { abs($0) <= 10_000 })
  }

  @Test("More dimensions than columns trap")
  func tooMany() async {
    await #expect(processExitsWith: .failure) {
      _ = PrincipalComponents.fit(Matrix(rows: 9, columns: 3), dimensions: 4)
    }
  }
}
