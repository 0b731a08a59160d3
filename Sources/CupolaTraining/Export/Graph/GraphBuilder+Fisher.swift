import Cupola

/// The features of ``FisherExtractor``.
extension GraphBuilder {
  /// The feature vector of a picture, 1 x features, ordered as `FisherOrder` tells.
  mutating func fisherFeatures(
    _ picture: Value, side: Int, _ fisher: FisherExtractor
  ) -> Value {
    let patches = patches(picture, side: side, fisher.settings)
    let flattening = fisher.settings.componentFlattening
    scope = "form"
    let form = encode(patches.hog, patches, fisher.hog, flattening)
    scope = "colour"
    let colour = encode(patches.colour, patches, fisher.colour, flattening)
    scope = "features"
    let weighed = apply(.multiply, colour, fisher.settings.colourWeight)
    return unit(concatenate([form, weighed], axis: 1))
  }

  private mutating func encode(
    _ descriptors: Value, _ patches: Patches, _ encoder: FisherExtractor.Encoder,
    _ flattening: Float
  ) -> Value {
    let mixture = Mixture(encoder.mixture, &self)
    let projection = compact(encoder.components.projection)
    let offset = encoder.components.offset
    let projected = apply(
      .subtract, product(descriptors, projection, transposeB: true),
      constant(offset, shape: [offset.count]))
    let z = concatenate([projected, patches.places], axis: 1)
    let augmented = concatenate([z, apply(.multiply, z, z)], axis: 1)
    let scores = apply(
      .add, product(augmented, mixture.factors, transposeB: true), mixture.constants)
    let shares = apply(.multiply, apply(.softmax, [scores]), patches.weights)
    let occupancy = reshape(sum(shares, axis: 0), [encoder.mixture.count, 1])
    let sums = product(shares, augmented, transposeA: true)
    return flattened(gradients(sums, occupancy, mixture), power: flattening)
  }

  /// A mixture's parameters, components x dimensions each.
  private struct Mixture {
    let means: Value
    let variances: Value
    /// The square roots of the weights.
    let roots: Value
    let factors: Value
    let constants: Value

    init(_ mixture: GaussianMixture, _ builder: inout GraphBuilder) {
      means = builder.compact(mixture.means)
      variances = builder.compact(mixture.variances)
      let count = mixture.count
      roots = builder.constant(mixture.weights.map { $0.squareRoot() }, shape: [count, 1])
      constants = builder.constant(mixture.constants, shape: [count])
      let inverse = builder.apply(.divide, builder.constant([-0.5], shape: []), variances)
      factors = builder.concatenate(
        [builder.apply(.divide, means, variances), inverse], axis: 1)
    }
  }

  /// Gradients for means and for variances, each a component's row, side by side; not divided by
  /// the total weight of the patches, which the norm takes out anyway.
  private mutating func gradients(_ sums: Value, _ occupancy: Value, _ mixture: Mixture) -> Value {
    let dimensions = mixture.means.shape[1]
    let first = slice(sums, axes: [1], [0..<dimensions])
    let second = slice(sums, axes: [1], [dimensions..<2 * dimensions])
    let (means, variances) = (mixture.means, mixture.variances)
    let shift = apply(.subtract, first, apply(.multiply, means, occupancy))
    let deviations = apply(.multiply, apply(.squareRoot, variances), mixture.roots)
    let excess = apply(.subtract, apply(.multiply, means, means), variances)
    let cross = apply(.multiply, apply(.multiply, means, 2), first)
    let spread = apply(
      .add, apply(.subtract, second, cross), apply(.multiply, excess, occupancy))
    let scales = apply(
      .multiply, apply(.multiply, variances, mixture.roots), Float(2).squareRoot())
    return concatenate(
      [apply(.divide, shift, deviations), apply(.divide, spread, scales)], axis: 1)
  }

  /// Signed square roots, each component's row divided by a power of its norm, L2 norm 1.
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

  /// What the features learned: in half precision where that is exact, as in a model's file.
  private mutating func compact(_ matrix: Matrix) -> Value {
    constant(matrix, format: matrix.halved == matrix ? .float16 : .float32)
  }
}
