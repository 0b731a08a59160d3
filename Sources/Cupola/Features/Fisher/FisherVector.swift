#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The improved Fisher vector of a set of weighted patches (Perronnin, Sánchez & Mensink, ECCV 2010).
///
/// Gradients of the log-likelihood of a Gaussian mixture for its means and deviations, each scaled by
/// the inverse root of the Fisher information; signed square roots; each component's part divided by
/// a power of its norm; L2 norm 1. Patches are added some at a time, so that what is computed of them stays
/// in the cache.
struct FisherVector: Sendable {
  /// What a patch adds to a component is passed over below this part of what the component has by then: single
  /// precision would hardly show it, and it is so for most components of a patch.
  static let leastPart: Float = 1e-8

  private let mixture: GaussianMixture
  /// Sums over the patches of `w`.
  private var total = 0.0
  /// Sums of `w q`, one a component.
  private var occupancy: [Float]
  /// Sums of `w q z` and `w q z^2`, one a row.
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

  /// Values of a vector: for each component its mean gradients, then for each its variance gradients.
  static func count(_ mixture: GaussianMixture) -> Int { 2 * mixture.count * mixture.dimensions }

  var count: Int { Self.count(mixture) }

  /// Forgets all patches.
  mutating func reset() {
    total = 0
    for index in occupancy.indices { occupancy[index] = 0 }
    for index in sums.values.indices { sums.values[index] = 0 }
  }

  /// Adds patches.
  ///
  /// - Parameters:
  ///   - rows: one patch a row of `z`.
  ///   - weights: how much each counts, 0 or more.
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

  /// Writes the vector; zeros without any patch that counts.
  ///
  /// - Parameter flattening: the power, 0...1, of a component's norm that its part is divided by.
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

  /// Writes a component's gradients for means and variances.
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

  /// Takes signed square roots, and divides a component's part by a power of its norm.
  private func flatten(_ component: Int, of vector: inout MutableSpan<Float>, power: Float) {
    let half = vector.count / 2
    let means = component * mixture.dimensions..<(component + 1) * mixture.dimensions
    let variances = half + means.lowerBound..<half + means.upperBound
    // The squares of the roots are the magnitudes themselves.
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
