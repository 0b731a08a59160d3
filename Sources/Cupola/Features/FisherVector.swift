#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// Turn patch descriptors into one vector:
// 1. Project each descriptor to its principal components and append the patch position.
// 2. Compute the posterior of each component of a Gaussian mixture.
// 3. Sum the gradients with respect to means and variances, and normalize the sums.

/// The improved Fisher vector of weighted patches (Perronnin, Sánchez & Mensink, ECCV 2010).
/// Holds the gradients of a Gaussian mixture's log-likelihood with respect to its means and deviations, scaled by the
/// inverse square root of the Fisher information. Applies signed square roots, divides each component's part by a power
/// of its norm, and scales the result to L2 norm 1. Patches are added in blocks that fit in the cache.
struct FisherVector: Sendable {
  /// The fraction of a component's sum below which a patch's contribution is skipped.
  /// Skipped contributions barely change a 32-bit sum. Most components of a patch are skipped.
  static let leastPart: Float = 1e-8

  private let mixture: GaussianMixture
  private var total = 0.0
  /// Sums of `w q`, one per component.
  private var occupancy: [Float]
  /// Sums of `w q z` and `w q z^2`, one row per component.
  private var sums: Matrix
  private var augmented: Matrix
  private var shares: Matrix

  init(_ mixture: GaussianMixture) {
    self.mixture = mixture
    occupancy = [Float](repeating: 0, count: mixture.count)
    sums = Matrix(rows: mixture.count, columns: 2 * mixture.dimensions)
    augmented = Matrix(rows: 0, columns: 2 * mixture.dimensions)
    shares = Matrix(rows: 0, columns: mixture.count)
  }

  /// The vector length: the mean gradients of all components, followed by their variance gradients.
  static func count(_ mixture: GaussianMixture) -> Int { 2 * mixture.count * mixture.dimensions }

  var count: Int { Self.count(mixture) }

  mutating func reset() {
    total = 0
    for index in occupancy.indices { occupancy[index] = 0 }
    for index in sums.values.indices { sums.values[index] = 0 }
  }

  /// Adds patches `z`, one per row, with nonnegative weights.
  mutating func add(_ rows: Matrix, weights: [Float]) {
    precondition(weights.count == rows.rows, "\(weights.count) weights, \(rows.rows) rows")
    augmented.resize(rows: rows.rows)
    WideRows.augment(rows, into: &augmented)
    shares.resize(rows: rows.rows)
    mixture.writeScores(of: augmented, into: &shares)
    WideRows.makeShares(
      of: &shares, adding: mixture.constants, weights: weights, least: Self.leastPart,
      sums: &occupancy)
    WideRows.addTransposedProduct(shares, augmented, to: &sums)
    for weight in weights { total += Double(weight) }
  }

  /// Writes the vector, or zeros if the weights sum to 0.
  /// - Parameter flattening: Each component's part is divided by its norm raised to this power, 0 to 1.
  func write(into vector: inout MutableSpan<Float>, flattening: Float) {
    guard Float(total) > 0 else {
      for index in 0..<vector.count { vector[index] = 0 }
      return
    }
    for component in 0..<mixture.count {
      writeGradients(of: component, into: &vector)
      flatten(component, of: &vector, power: flattening)
    }
    VectorMath.normalize(&vector)
  }

  private func writeGradients(of component: Int, into vector: inout MutableSpan<Float>) {
    let dimensions = mixture.dimensions
    let (first, half) = (component * dimensions, vector.count / 2)
    let share = occupancy[component]
    let scale = 1 / (Float(total) * mixture.weights[component].squareRoot())
    let varianceScale = scale * Float(0.5).squareRoot()
    for dimension in 0..<dimensions {
      let mean = mixture.means[component, dimension]
      let variance = mixture.variances[component, dimension]
      let sum = sums[component, dimension]
      let squares = sums[component, dimensions + dimension]
      vector[first + dimension] = (sum - share * mean) / variance.squareRoot() * scale
      let spread = squares - 2 * mean * sum + (mean * mean - variance) * share
      vector[half + first + dimension] = spread / variance * varianceScale
    }
  }

  /// Applies signed square roots and divides a component's part by a power of its norm.
  private func flatten(_ component: Int, of vector: inout MutableSpan<Float>, power: Float) {
    let half = vector.count / 2
    let means = component * mixture.dimensions..<(component + 1) * mixture.dimensions
    let variances = half + means.lowerBound..<half + means.upperBound
    // The squares of the signed square roots are the magnitudes.
    let square =
      WideRows.magnitudes(vector.span.extracting(means))
      + WideRows.magnitudes(vector.span.extracting(variances))
    guard square > 0 else { return }
    let scale = powf(square, -0.5 * power)
    for range in [means, variances] {
      var part = vector._mutatingExtracting(range)
      WideRows.takeSignedRoots(of: &part, times: scale)
    }
  }
}

package struct GaussianMixture: Equatable, Sendable {
  package let weights: [Float]
  package let means: Matrix
  package let variances: Matrix

  /// Factors for `[z, z^2]` in the log densities: one row per component, `2 * dimensions` columns.
  private let factors: PackedMatrix
  /// The logarithms of weight times normalization, one per component, added to the log densities.
  package let constants: [Float]

  package init(weights: [Float], means: Matrix, variances: Matrix) {
    self.weights = weights
    self.means = means
    self.variances = variances
    let dimensions = means.columns
    var factors = Matrix(rows: means.rows, columns: 2 * dimensions)
    var constants: [Float] = []
    for component in 0..<means.rows {
      var constant = log(Double(max(weights[component], 1e-12)))
      for dimension in 0..<dimensions {
        let mean = Double(means[component, dimension])
        let variance = Double(variances[component, dimension])
        factors[component, dimension] = Float(mean / variance)
        factors[component, dimensions + dimension] = Float(-0.5 / variance)
        constant -= 0.5 * (mean * mean / variance + log(2 * Double.pi * variance))
      }
      constants.append(Float(constant))
    }
    self.factors = PackedMatrix(factors)
    self.constants = constants
  }

  package var count: Int { weights.count }
  package var dimensions: Int { means.columns }

  package static func augmented(_ rows: Matrix) -> Matrix {
    var result = Matrix(rows: rows.rows, columns: 2 * rows.columns)
    WideRows.augment(rows, into: &result)
    return result
  }

  /// Returns the posterior of each component for each row, and the mean log-likelihood.
  /// - Parameter augmented: Rows of `[z, z^2]`.
  package func posteriors(_ augmented: Matrix) -> (probabilities: Matrix, logLikelihood: Double) {
    var result = Matrix(rows: augmented.rows, columns: count)
    let total = posteriors(augmented, into: &result)
    return (result, total / Double(max(1, augmented.rows)))
  }

  /// Writes the log densities without ``constants``: one row per row of `[z, z^2]`, one column per component.
  func writeScores(of augmented: Matrix, into result: inout Matrix) {
    factors.multiply(augmented, into: &result)
  }

  @discardableResult
  func posteriors(_ augmented: Matrix, into result: inout Matrix) -> Double {
    writeScores(of: augmented, into: &result)
    var total = 0.0
    let constants = constants.span
    var all = result.values.mutableSpan
    for row in 0..<augmented.rows {
      var scores = all._mutatingExtracting(row * count..<(row + 1) * count)
      total += Double(FastMath.softmax(&scores, adding: constants))
    }
    return total
  }
}

/// A projection to fewer dimensions that centers and scales the data (PCA).
package struct PrincipalComponents: Equatable, Sendable {
  /// One row per kept dimension, with the scale applied.
  package let projection: Matrix
  /// The projected mean, one value per kept dimension.
  package let offset: [Float]
  private let packed: PackedMatrix

  package init(projection: Matrix, offset: [Float]) {
    precondition(
      projection.rows == offset.count, "\(projection.rows) rows, \(offset.count) offsets")
    self.projection = projection
    self.offset = offset
    packed = PackedMatrix(projection)
  }

  /// Projects rows and appends the patch positions as 2 more columns.
  package func project(_ rows: Matrix, places: [SIMD2<Float>]) -> Matrix {
    var products = Matrix(rows: rows.rows, columns: projection.rows)
    var result = Matrix(rows: rows.rows, columns: projection.rows + 2)
    project(rows, places: places, products: &products, into: &result)
    return result
  }

  func project(
    _ rows: Matrix, places: [SIMD2<Float>], products: inout Matrix, into result: inout Matrix
  ) {
    precondition(rows.rows == places.count, "\(rows.rows) patches, \(places.count) positions")
    packed.multiply(rows, into: &products)
    let kept = projection.rows
    let (source, offset) = (products.values.span, offset.span)
    var target = result.values.mutableSpan
    for patch in 0..<rows.rows {
      let part = source.extracting(patch * kept..<(patch + 1) * kept)
      var row = target._mutatingExtracting(patch * (kept + 2)..<(patch + 1) * (kept + 2))
      for column in 0..<kept { row[column] = part[column] - offset[column] }
      row[kept] = places[patch].x
      row[kept + 1] = places[patch].y
    }
  }
}
