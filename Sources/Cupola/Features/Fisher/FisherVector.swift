#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The improved Fisher vector of a set of weighted patches (Perronnin, Sánchez & Mensink, ECCV 2010).
///
/// Gradients of the log-likelihood of a Gaussian mixture for its means and deviations, each scaled by
/// the inverse root of the Fisher information; signed square roots; each component's part divided by
/// a power of its norm; L2 norm 1.
enum FisherVector {
  /// Values of a vector: for each component its mean gradients, then for each its variance gradients.
  static func count(_ mixture: GaussianMixture) -> Int { 2 * mixture.count * mixture.dimensions }

  /// The vector of some patches, one a row of `z`; zeros without any.
  ///
  /// - Parameters:
  ///   - weights: how much each patch counts, 0 or more.
  ///   - flattening: the power, 0...1, of a component's norm that its part is divided by.
  static func encode(
    _ rows: Matrix, weights: [Float], mixture: GaussianMixture, flattening: Float
  ) -> [Float] {
    precondition(weights.count == rows.rows, "\(weights.count) weights, \(rows.rows) rows")
    return encode(weights: weights, mixture: mixture, flattening: flattening) { chosen in
      let values = chosen.lowerBound * rows.columns..<chosen.upperBound * rows.columns
      return Matrix(
        rows: chosen.count, columns: rows.columns, values: Array(rows.values[values]))
    }
  }

  /// Patches that are worked on together: what is computed of them stays in the cache.
  private static let blockRows = 256

  /// The same of patches that are asked for, some at a time.
  ///
  /// - Parameter rows: gives some of the patches, one a row of `z`.
  static func encode(
    weights: [Float], mixture: GaussianMixture, flattening: Float, rows: (Range<Int>) -> Matrix
  ) -> [Float] {
    var occupancy = [Float](repeating: 0, count: mixture.count)
    var sums = Matrix(rows: mixture.count, columns: 2 * mixture.dimensions)
    for start in stride(from: 0, to: weights.count, by: blockRows) {
      let chosen = start..<min(start + blockRows, weights.count)
      let augmented = GaussianMixture.augmented(rows(chosen))
      var shares = mixture.posteriors(augmented).probabilities
      weigh(&shares, weights.span.extracting(chosen), into: &occupancy)
      BLAS.multiply(shares, augmented, transposeA: true, beta: start == 0 ? 0 : 1, into: &sums)
    }
    let total = weights.reduce(0) { $0 + Double($1) }
    var vector = gradients(of: mixture, sums: sums, occupancy: occupancy, total: Float(total))
    flatten(&vector, components: mixture.count, power: flattening)
    return VectorMath.unit(vector)
  }

  /// Multiplies each row with its weight, and adds the rows to the sums: how many patches each component explains.
  private static func weigh(
    _ shares: inout Matrix, _ weights: Span<Float>, into sums: inout [Float]
  ) {
    let columns = shares.columns
    var target = sums.mutableSpan
    var all = shares.values.mutableSpan
    for row in 0..<weights.count {
      var part = all._mutatingExtracting(row * columns..<(row + 1) * columns)
      let weight = weights[row]
      for index in 0..<columns {
        part[index] *= weight
        target[index] += part[index]
      }
    }
  }

  /// Takes signed square roots, and divides each component's part by a power of its norm.
  private static func flatten(_ vector: inout [Float], components: Int, power: Float) {
    let dimensions = vector.count / (2 * components)
    let half = vector.count / 2
    for component in 0..<components {
      let own = component * dimensions..<(component + 1) * dimensions
      // The squares of the roots are the magnitudes themselves.
      let square = own.reduce(Float(0)) { $0 + abs(vector[$1]) + abs(vector[half + $1]) }
      guard square > 0 else { continue }
      let scale = powf(square, -0.5 * power)
      for index in own {
        vector[index] = signedRoot(vector[index]) * scale
        vector[half + index] = signedRoot(vector[half + index]) * scale
      }
    }
  }

  private static func signedRoot(_ value: Float) -> Float {
    value < 0 ? -(-value).squareRoot() : value.squareRoot()
  }

  /// From sums over the patches of `w q`, `w q z` and `w q z^2` to the gradients for means and variances.
  private static func gradients(
    of mixture: GaussianMixture, sums: Matrix, occupancy: [Float], total: Float
  ) -> [Float] {
    let dimensions = mixture.dimensions
    guard total > 0 else { return [Float](repeating: 0, count: count(mixture)) }
    var meanPart: [Float] = []
    var variancePart: [Float] = []
    meanPart.reserveCapacity(2 * mixture.count * dimensions)
    variancePart.reserveCapacity(mixture.count * dimensions)
    for component in 0..<mixture.count {
      let share = occupancy[component]
      let scale = 1 / (total * mixture.weights[component].squareRoot())
      let varianceScale = scale * Float(0.5).squareRoot()
      for dimension in 0..<dimensions {
        let mean = mixture.means[component, dimension]
        let variance = mixture.variances[component, dimension]
        let first = sums[component, dimension]
        let second = sums[component, dimensions + dimension]
        meanPart.append((first - share * mean) / variance.squareRoot() * scale)
        let spread = second - 2 * mean * first + (mean * mean - variance) * share
        variancePart.append(spread / variance * varianceScale)
      }
    }
    return meanPart + variancePart
  }
}
