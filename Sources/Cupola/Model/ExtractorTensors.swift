/// What a feature extractor learned, as tensors of a model file.
package enum ExtractorTensors {
  package static func tensors(of extractor: FeatureExtractor) -> [String: SafeTensors.Tensor] {
    switch extractor.kind {
    case .hog: [:]
    case .fisher(let fisher):
      tensors(of: fisher.hog, "fisher.hog")
        .merging(tensors(of: fisher.colour, "fisher.colour")) { $1 }
    }
  }

  /// - Parameter settings: as ``Recipe/check()`` lets them pass.
  /// - Throws: ``CupolaError/badModel(_:)`` when a tensor is missing or of another shape.
  package static func extractor(
    _ settings: FeatureSettings, in file: SafeTensors
  ) throws -> FeatureExtractor {
    switch settings {
    case .hog(let hog): return FeatureExtractor(hog: hog)
    case .fisher(let settings):
      return FeatureExtractor(
        fisher: FisherExtractor(
          settings: settings,
          hog: try encoder(
            "fisher.hog", in: file, settings.components, LocalHOG.count, settings.hogDimensions),
          colour: try encoder(
            "fisher.colour", in: file, settings.components, LocalColour.count,
            settings.colourDimensions)))
    }
  }

  private static func tensors(
    of encoder: FisherExtractor.Encoder, _ name: String
  ) -> [String: SafeTensors.Tensor] {
    let mixture = encoder.mixture
    let shape = [mixture.count, mixture.dimensions]
    let projection = encoder.components.projection
    return [
      name + ".projection": .init(
        floats: projection.values, shape: [projection.rows, projection.columns]),
      name + ".offset": .init(
        floats: encoder.components.offset, shape: [encoder.components.offset.count]),
      name + ".mixture.weights": .init(floats: mixture.weights, shape: [mixture.count]),
      name + ".mixture.means": .init(floats: mixture.means.values, shape: shape),
      name + ".mixture.variances": .init(floats: mixture.variances.values, shape: shape),
    ]
  }

  private static func encoder(
    _ name: String, in file: SafeTensors, _ components: Int, _ input: Int, _ kept: Int
  ) throws -> FisherExtractor.Encoder {
    func floats(_ tensor: String, _ shape: [Int]) throws -> [Float] {
      try ModelFile.floats(name + tensor, in: file, shape: shape)
    }
    func matrix(_ tensor: String, _ rows: Int, _ columns: Int) throws -> Matrix {
      Matrix(rows: rows, columns: columns, values: try floats(tensor, [rows, columns]))
    }
    func positive(_ tensor: String, _ shape: [Int]) throws -> [Float] {
      let values = try floats(tensor, shape)
      guard values.allSatisfy({ $0 > 0 }) else {
        throw CupolaError.badModel(.inconsistent("tensor \(name)\(tensor) is not positive"))
      }
      return values
    }
    return FisherExtractor.Encoder(
      components: PrincipalComponents(
        projection: try matrix(".projection", kept, input), offset: try floats(".offset", [kept])),
      mixture: GaussianMixture(
        weights: try positive(".mixture.weights", [components]),
        means: try matrix(".mixture.means", components, kept + 2),
        variances: Matrix(
          rows: components, columns: kept + 2,
          values: try positive(".mixture.variances", [components, kept + 2]))))
  }
}
