internal import Cupola

// 1. Initialize the mixture with k-means++ and a few rounds of k-means.
// 2. Improve it by expectation maximization until it converges.
// 3. Fit the projection that precedes the mixture (`PrincipalComponents.fit`).
// 4. Round both to half precision.

/// Fits a diagonal Gaussian mixture by expectation maximization (Dempster, Laird & Rubin 1977).
///
/// The mixture is initialized by k-means++ (Arthur & Vassilvitskii 2007).
struct MixtureFit {
  var components: Int
  var iterations = 30
  var tolerance = 1e-3
  var floor: Float = 1e-4
  var startingRows = 12_000
  var startingRounds = 6

  struct Fit {
    let mixture: GaussianMixture
    let logLikelihoods: [Double]
  }

  func fit(_ rows: Matrix, using generator: inout SplitMix64) -> Fit {
    precondition(rows.rows >= components, "\(rows.rows) rows for \(components) components")
    var mixture = start(rows, using: &generator)
    var history: [Double] = []
    for _ in 0..<iterations {
      let (next, logLikelihood) = step(rows, from: mixture)
      mixture = next
      history.append(logLikelihood)
      if let last = history.dropLast().last, logLikelihood - last < tolerance { break }
    }
    return Fit(mixture: mixture, logLikelihoods: history)
  }

  func step(
    _ rows: Matrix, from mixture: GaussianMixture
  ) -> (mixture: GaussianMixture, logLikelihood: Double) {
    var sums = Moments(components: mixture.count, dimensions: rows.columns)
    var logLikelihood = 0.0
    for start in stride(from: 0, to: rows.rows, by: Self.batch) {
      let end = min(start + Self.batch, rows.rows)
      let part = Matrix(
        rows: end - start, columns: rows.columns,
        values: Array(rows.values[start * rows.columns..<end * rows.columns]))
      let augmented = GaussianMixture.augmented(part)
      var (probabilities, likelihood) = mixture.posteriors(augmented)
      Self.dropLeast(&probabilities)
      sums.add(probabilities, augmented)
      logLikelihood += likelihood * Double(end - start)
    }
    return (sums.mixture(floor: floor, before: mixture), logLikelihood / Double(rows.rows))
  }

  private static let batch = 4096
  /// Smaller probabilities do not change a component's moments.
  private static let leastProbability: Float = 1e-10

  /// Sets the smallest probabilities to zero, because matrix products skip zeros.
  private static func dropLeast(_ probabilities: inout Matrix) {
    var values = probabilities.values.mutableSpan
    // Store unconditionally; a branch would cost more than the product saves.
    for index in 0..<values.count {
      let value = values[index]
      values[index] = value < leastProbability ? 0 : value
    }
  }

  private struct Moments {
    var occupancy: [Double]
    var sums: [Double]
    let dimensions: Int

    init(components: Int, dimensions: Int) {
      occupancy = [Double](repeating: 0, count: components)
      sums = [Double](repeating: 0, count: components * 2 * dimensions)
      self.dimensions = dimensions
    }

    mutating func add(_ probabilities: Matrix, _ augmented: Matrix) {
      var part = Matrix(rows: probabilities.columns, columns: augmented.columns)
      WideRows.addTransposedProduct(probabilities, augmented, to: &part)
      for index in part.values.indices { sums[index] += Double(part.values[index]) }
      for row in 0..<probabilities.rows {
        let start = row * probabilities.columns
        for component in occupancy.indices {
          occupancy[component] += Double(probabilities.values[start + component])
        }
      }
    }

    /// The minimum occupancy of a component, in rows; it keeps the component's weight above 0.
    private static let leastOccupancy = 1e-3

    func mixture(floor: Float, before: GaussianMixture) -> GaussianMixture {
      var means = before.means
      var variances = before.variances
      let total = occupancy.reduce(0, +)
      for component in occupancy.indices
      where occupancy[component] > 10 * Self.leastOccupancy {
        for dimension in 0..<dimensions {
          let at = component * 2 * dimensions + dimension
          let mean = sums[at] / occupancy[component]
          let square = sums[at + dimensions] / occupancy[component]
          means[component, dimension] = Float(mean)
          variances[component, dimension] = Float(max(0, square - mean * mean)) + floor
        }
      }
      return GaussianMixture(
        weights: occupancy.map { Float(max($0, Self.leastOccupancy) / total) }, means: means,
        variances: variances)
    }
  }

  private func start(_ rows: Matrix, using generator: inout SplitMix64) -> GaussianMixture {
    let chosen = Array(generator.shuffled(0..<rows.rows).prefix(startingRows))
    let sample = rows.selecting(rows: chosen)
    var means = seeds(sample, using: &generator)
    var nearest = [Int](repeating: 0, count: sample.rows)
    for _ in 0..<startingRounds {
      nearest = Self.nearest(sample, means)
      means = Self.centers(sample, nearest, before: means)
    }
    return mixture(sample, Self.nearest(sample, means), means)
  }

  private func seeds(_ sample: Matrix, using generator: inout SplitMix64) -> Matrix {
    var chosen = [generator.below(sample.rows)]
    var distances = [Float](repeating: .infinity, count: sample.rows)
    while chosen.count < components {
      let last = sample.values.span.extracting(sample.range(ofRow: chosen[chosen.count - 1]))
      var total = 0.0
      for row in 0..<sample.rows {
        let own = sample.values.span.extracting(sample.range(ofRow: row))
        distances[row] = min(distances[row], VectorMath.squaredDistance(own, last))
        total += Double(distances[row])
      }
      var left = generator.fraction * total
      let next = distances.firstIndex { distance in
        left -= Double(distance)
        return left < 0
      }
      chosen.append(next ?? generator.below(sample.rows))
    }
    return sample.selecting(rows: chosen)
  }

  private static func nearest(_ rows: Matrix, _ means: Matrix) -> [Int] {
    let products = BLAS.product(rows, means, transposeB: true)
    let norms = (0..<means.rows).map { row in
      let mean = means.values.span.extracting(means.range(ofRow: row))
      return 0.5 * VectorMath.dot(mean, mean)
    }
    return (0..<rows.rows).map { row in
      let start = row * means.rows
      var best = 0
      for component in 1..<means.rows
      where products.values[start + component] - norms[component]
        > products.values[start + best] - norms[best]
      {
        best = component
      }
      return best
    }
  }

  private static func centers(_ rows: Matrix, _ nearest: [Int], before: Matrix) -> Matrix {
    var sums = [Double](repeating: 0, count: before.values.count)
    var counts = [Int](repeating: 0, count: before.rows)
    for (row, component) in nearest.enumerated() {
      counts[component] += 1
      for column in 0..<rows.columns {
        sums[component * rows.columns + column] +=
          Double(rows.values[row * rows.columns + column])
      }
    }
    var means = before
    for component in 0..<before.rows where counts[component] > 0 {
      for column in 0..<rows.columns {
        means[component, column] =
          Float(sums[component * rows.columns + column] / Double(counts[component]))
      }
    }
    return means
  }

  private func mixture(_ rows: Matrix, _ nearest: [Int], _ means: Matrix) -> GaussianMixture {
    var counts = [Int](repeating: 0, count: components)
    var variances = Matrix(rows: components, columns: rows.columns)
    for (row, component) in nearest.enumerated() {
      counts[component] += 1
      for column in 0..<rows.columns {
        let difference = rows.values[row * rows.columns + column] - means[component, column]
        variances[component, column] += difference * difference
      }
    }
    for component in 0..<components {
      for column in 0..<rows.columns {
        let sum = variances[component, column]
        variances[component, column] = sum / Float(max(1, counts[component])) + 0.01
      }
    }
    return GaussianMixture(
      weights: counts.map { Float($0 + 1) / Float(rows.rows + components) }, means: means,
      variances: variances)
  }
}

extension PrincipalComponents {
  /// The minimum variance used for scaling, so that uniform photos do not produce huge factors.
  private static let leastVariance = 1e-6

  /// Finds the directions with the most variance and scales them by one factor to a mean variance of 1.
  static func fit(_ rows: consuming Matrix, dimensions: Int) -> PrincipalComponents {
    var centered = rows
    let (count, width) = (centered.rows, centered.columns)
    precondition(dimensions <= width, "cannot keep \(dimensions) of \(width) dimensions")
    let mean = columnMeans(centered)
    for row in 0..<count {
      for column in 0..<width { centered.values[row * width + column] -= mean[column] }
    }
    var covariance = BLAS.product(centered, centered, transposeA: true)
    let share = 1 / Float(max(1, count - 1))
    for index in covariance.values.indices { covariance.values[index] *= share }
    let (values, vectors) = BLAS.symmetricEigen(covariance)
    let variance = values.prefix(dimensions).reduce(0) { $0 + max(0, $1) } / Double(dimensions)
    let scale = Float(1 / max(variance, leastVariance).squareRoot())
    var projection = vectors.selecting(rows: Array(0..<dimensions))
    for index in projection.values.indices { projection.values[index] *= scale }
    let offset = (0..<dimensions).map { row in
      VectorMath.dot(
        projection.values.span.extracting(projection.range(ofRow: row)), mean.span)
    }
    return PrincipalComponents(projection: projection, offset: offset)
  }

  private static func columnMeans(_ rows: Matrix) -> [Float] {
    var sums = [Double](repeating: 0, count: rows.columns)
    for row in 0..<rows.rows {
      let start = row * rows.columns
      for column in 0..<rows.columns { sums[column] += Double(rows.values[start + column]) }
    }
    return sums.map { Float($0 / Double(max(1, rows.rows))) }
  }
}

// Round before use, so that the classifier is trained on the same features that a half-precision model file produces.

extension PrincipalComponents {
  var halved: PrincipalComponents {
    PrincipalComponents(
      projection: projection.halved,
      offset: Matrix(rows: 1, columns: offset.count, values: offset).halved.values)
  }
}

extension GaussianMixture {
  /// The mixture with means and variances in half precision; the weights are few and keep full precision.
  var halved: GaussianMixture {
    GaussianMixture(weights: weights, means: means.halved, variances: variances.halved)
  }
}
