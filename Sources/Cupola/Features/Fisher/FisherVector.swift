/// The improved Fisher vector of a set of patches (Perronnin, Sánchez & Mensink, ECCV 2010).
///
/// Gradients of the log-likelihood of a Gaussian mixture for its means and deviations, each scaled by
/// the inverse root of the Fisher information; signed square roots; L2 norm 1.
enum FisherVector {
  /// Values of a vector: for each component its mean gradients, then for each its variance gradients.
  static func count(_ mixture: GaussianMixture) -> Int { 2 * mixture.count * mixture.dimensions }

  /// The vector of some patches, one a row of `z`; zeros without any.
  static func encode(_ rows: Matrix, mixture: GaussianMixture) -> [Float] {
    let augmented = GaussianMixture.augmented(rows)
    let probabilities = mixture.posteriors(augmented).probabilities
    let sums = BLAS.product(probabilities, augmented, transposeA: true)
    let gradients = gradients(sums, occupancy(probabilities), rows.rows, mixture)
    return VectorMath.unit(gradients.map { $0 < 0 ? -(-$0).squareRoot() : $0.squareRoot() })
  }

  /// How many patches each component explains.
  private static func occupancy(_ probabilities: Matrix) -> [Float] {
    var sums = [Float](repeating: 0, count: probabilities.columns)
    var target = sums.mutableSpan
    let source = probabilities.values.span
    for row in 0..<probabilities.rows {
      let part = source.extracting(row * target.count..<(row + 1) * target.count)
      for index in 0..<target.count { target[index] += part[index] }
    }
    return sums
  }

  /// From `sum q`, `sum q z` and `sum q z^2` to the gradients for means and variances.
  private static func gradients(
    _ sums: Matrix, _ occupancy: [Float], _ patches: Int, _ mixture: GaussianMixture
  ) -> [Float] {
    let dimensions = mixture.dimensions
    var meanPart: [Float] = []
    var variancePart: [Float] = []
    meanPart.reserveCapacity(2 * mixture.count * dimensions)
    variancePart.reserveCapacity(mixture.count * dimensions)
    for component in 0..<mixture.count {
      let share = occupancy[component]
      let scale = 1 / (Float(max(1, patches)) * mixture.weights[component].squareRoot())
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
