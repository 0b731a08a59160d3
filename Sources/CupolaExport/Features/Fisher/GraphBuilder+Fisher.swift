import Cupola

// 1. Project descriptors and append the positions of their patches.
// 2. Compute how much each patch belongs to each mixture component, weighted by contrast.
// 3. Compute the gradients with respect to means and variances from weighted sums.
// 4. Flatten and normalize the gradients, and concatenate the HOG and color parts.

extension GraphBuilder {
  /// Returns an image's features (1 x features) in `FisherOrder`, and a factor to apply to them.
  mutating func fisherFeatures(
    _ picture: Value, side: Int, _ fisher: FisherExtractor
  ) -> (Value, scale: Float) {
    let patches = patches(picture, side: side, fisher.settings)
    let (flattening, weight) = (fisher.settings.componentFlattening, fisher.settings.colorWeight)
    let form = encode(
      patches.hog, of: patches, by: fisher.hog,
      projection: compact(fisher.hog.components.projection), flattening: flattening, half: true)
    let color = encode(
      patches.color, of: patches, by: fisher.color,
      projection: scaled(fisher.color.components.projection, Self.colorScales),
      flattening: flattening, half: false)
    // Both parts have norm 1, or are 0 if all patches have weight 0.
    return (
      concatenate([form, apply(.multiply, color, weight)], axis: 1),
      1 / (1 + weight * weight).squareRoot()
    )
  }

  /// A projection for unscaled descriptors. `scales` apply to one cell.
  private mutating func scaled(_ projection: Matrix, _ scales: [Float]) -> Value {
    let cells = reshape(
      compact(projection), [projection.values.count / scales.count, scales.count])
    return reshape(
      apply(.multiply, cells, constant(scales, shape: [scales.count])),
      [projection.rows, projection.columns])
  }

  /// - Parameter half: Whether half precision suffices for projections and scores, as for descriptors of norm 1. The
  ///   sums always need single precision, because most of a sum is then subtracted.
  private mutating func encode(
    _ descriptors: Value, of patches: Patches, by encoder: FisherExtractor.Encoder,
    projection: Value, flattening: Float, half: Bool
  ) -> Value {
    stage = "fisher"
    let mixture = Mixture(encoder.mixture, &self)
    let offset = encoder.components.offset
    let projected = apply(
      .subtract, product(descriptors, projection, transposeB: true, half: half),
      constant(offset, shape: [offset.count]))
    let z = concatenate([projected, patches.places], axis: 1)
    let augmented = concatenate([z, apply(.multiply, z, z)], axis: 1)
    let scores = apply(
      .add,
      product(augmented, mixture.factors, transposeB: true, half: half && encoder.hasSmallScores),
      mixture.constants)
    let shares = apply(.multiply, limitedSoftmax(scores), patches.weights)
    let occupancy = reshape(sum(shares, axis: 0), [encoder.mixture.count, 1])
    let sums = product(shares, augmented, transposeA: true)
    return flattened(gradients(sums, occupancy, mixture), power: flattening)
  }

  private struct Mixture {
    let means: Value
    let variances: Value
    /// 1 / sqrt(weight).
    let scales: Value
    let factors: Value
    let constants: Value

    init(_ mixture: GaussianMixture, _ builder: inout GraphBuilder) {
      means = builder.compact(mixture.means)
      variances = builder.compact(mixture.variances)
      let count = mixture.count
      scales = builder.constant(
        mixture.weights.map { 1 / $0.squareRoot() }, shape: [count, 1])
      constants = builder.constant(mixture.constants, shape: [count])
      let inverse = builder.apply(.divide, builder.constant([-0.5], shape: []), variances)
      factors = builder.concatenate(
        [builder.apply(.divide, means, variances), inverse], axis: 1)
    }
  }

  /// The gradients with respect to means and variances, one row per component. Normalization cancels a constant factor.
  private mutating func gradients(_ sums: Value, _ occupancy: Value, _ mixture: Mixture) -> Value {
    let dimensions = mixture.means.shape[1]
    let first = slice(sums, axes: [1], [0..<dimensions])
    let second = slice(sums, axes: [1], [dimensions..<2 * dimensions])
    let (means, variances) = (mixture.means, mixture.variances)
    let shift = apply(.subtract, first, apply(.multiply, means, occupancy))
    let halfDeviations = apply(.squareRoot, apply(.multiply, variances, 0.5))
    let spread = apply(
      .subtract, second, apply(.multiply, means, apply(.add, first, shift)))
    let excess = apply(.subtract, apply(.divide, spread, variances), occupancy)
    return apply(
      .multiply, concatenate([apply(.divide, shift, halfDeviations), excess], axis: 1),
      mixture.scales)
  }

  /// Takes signed square roots, divides each component by a power of its norm, and scales the result to L2 norm 1.
  private mutating func flattened(_ gradients: Value, power: Float) -> Value {
    let above = apply(.relu, gradients)
    let below = apply(.subtract, above, gradients)
    let roots = apply(
      .subtract, apply(.squareRoot, above), apply(.squareRoot, below))
    let squares = sum(apply(.add, above, below), axis: 1)
    let scales = apply(
      .power(-0.5 * power), [apply(.maximum, squares, Self.tiny)])
    let scaled = apply(.multiply, roots, scales)
    return unit(reshape(scaled, [1, scaled.shape[0] * scaled.shape[1]]))
  }

  /// Stores learned parameters in half precision if that is lossless, as in model files.
  private mutating func compact(_ matrix: Matrix) -> Value {
    constant(matrix, format: matrix.halved == matrix ? .float16 : .float32)
  }
}

extension FisherExtractor.Encoder {
  /// Whether half precision can represent the scores of descriptors with norm 1, because no variance is too small.
  ///
  /// The bound holds for projections with orthogonal rows. Half of the range is left for offsets.
  fileprivate var hasSmallScores: Bool {
    let projection = components.projection
    let reach = (0..<mixture.dimensions).map { column in
      // The last columns are positions, -0.5 to 0.5.
      guard column < projection.rows else { return Float(0.25) }
      return (0..<projection.columns).reduce(Float(0)) { sum, index in
        sum + projection[column, index] * projection[column, index]
      }
    }
    return (0..<mixture.count).allSatisfy { component in
      var (squares, products): (Float, Float) = (0, 0)
      for (column, reach) in reach.enumerated() {
        let variance = mixture.variances[component, column]
        let factor = mixture.means[component, column] / variance
        squares = max(squares, reach / (2 * variance))
        products += factor * factor * reach
      }
      return squares + products.squareRoot() < 32_000
    }
  }
}
