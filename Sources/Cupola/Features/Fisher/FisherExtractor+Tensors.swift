/// What was learned for Fisher features, as tensors of a model file.
extension FisherExtractor {
  package var tensors: [String: SafeTensors.Tensor] {
    Self.tensors(of: hog, "fisher.hog").merging(Self.tensors(of: color, "fisher.colour")) { $1 }
  }

  package init(settings: FisherSettings, tensors file: SafeTensors) throws {
    self.init(
      settings: settings,
      hog: try Self.encoder(
        "fisher.hog", in: file, components: settings.components, inputs: LocalHOG.count,
        kept: settings.hogDimensions),
      color: try Self.encoder(
        "fisher.colour", in: file, components: settings.components, inputs: LocalColor.count,
        kept: settings.colorDimensions))
  }

  private static func tensors(
    of encoder: Encoder, _ name: String
  ) -> [String: SafeTensors.Tensor] {
    let mixture = encoder.mixture
    let shape = [mixture.count, mixture.dimensions]
    let projection = encoder.components.projection
    func compact(_ floats: [Float], _ shape: [Int]) -> SafeTensors.Tensor {
      SafeTensors.Tensor(compact: floats, shape: shape)
    }
    return [
      name + ".projection": compact(projection.values, [projection.rows, projection.columns]),
      name + ".offset": compact(encoder.components.offset, [projection.rows]),
      name + ".mixture.weights": compact(mixture.weights, [mixture.count]),
      name + ".mixture.means": compact(mixture.means.values, shape),
      name + ".mixture.variances": compact(mixture.variances.values, shape),
    ]
  }

  /// Projections, offsets and means are far below it, so that squares of patches stay numbers.
  private static let mostValue: Float = 10_000
  /// Variances and weights are far above it, so that quotients by them stay numbers.
  private static let leastVariance: Float = 1e-9

  private static func encoder(
    _ name: String, in file: SafeTensors, components: Int, inputs: Int, kept: Int
  ) throws -> Encoder {
    let types = ["F32", "F16"]
    func floats(_ tensor: String, _ shape: [Int]) throws -> [Float] {
      try ModelFile.floats(
        name + tensor, in: file, shape: shape, types: types, within: mostValue)
    }
    func matrix(_ tensor: String, _ rows: Int, _ columns: Int) throws -> Matrix {
      Matrix(rows: rows, columns: columns, values: try floats(tensor, [rows, columns]))
    }
    func positive(_ tensor: String, _ shape: [Int]) throws -> [Float] {
      try ModelFile.positiveFloats(
        name + tensor, in: file, shape: shape, types: types, atLeast: leastVariance,
        within: mostValue)
    }
    return Encoder(
      components: PrincipalComponents(
        projection: try matrix(".projection", kept, inputs), offset: try floats(".offset", [kept])),
      mixture: GaussianMixture(
        weights: try positive(".mixture.weights", [components]),
        means: try matrix(".mixture.means", components, kept + 2),
        variances: Matrix(
          rows: components, columns: kept + 2,
          values: try positive(".mixture.variances", [components, kept + 2]))))
  }
}
