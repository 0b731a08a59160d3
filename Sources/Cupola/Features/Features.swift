/// Computes the feature vector of a prepared image.
/// 1. ``FeatureSettings`` selects one of two kinds of features and its parameters.
/// 2. ``FeatureExtractor`` combines the settings with learned tensors.
/// 3. ``HOGExtractor`` or ``FisherExtractor`` writes a vector with L2 norm 1, or zeros for an image without edges.
/// `CupolaTraining/Features` fits the tensors; `CupolaExport/Features` writes the graph and C code for exports.
package enum FeatureExtractor: Equatable, Sendable {
  case hog(HOGExtractor)
  case fisher(FisherExtractor)

  package init(hog: HOG) { self = .hog(HOGExtractor(settings: hog)) }

  package var settings: FeatureSettings {
    switch self {
    case .hog(let hog): .hog(hog.settings)
    case .fisher(let fisher): .fisher(fisher.settings)
    }
  }

  package func weighing(color: Float?) -> FeatureExtractor {
    guard let color, case .fisher(let fisher) = self else { return self }
    return .fisher(fisher.weighing(color: color))
  }

  package func features(of image: RGBImage) throws(CupolaError) -> [Float] {
    var features = [Float](repeating: 0, count: settings.count(inputSide: image.width))
    try read(image, into: &features)
    return features
  }

  /// Writes the feature vector into `features`. Only the first image allocates memory.
  func read(_ image: RGBImage, into features: inout [Float]) throws(CupolaError) {
    switch self {
    case .hog(let hog): try hog.read(image, into: &features)
    case .fisher(let fisher): fisher.read(image, into: &features)
    }
  }

  package var tensors: [String: SafeTensors.Tensor] {
    if case .fisher(let fisher) = self { fisher.tensors } else { [:] }
  }

  /// Maps the features' contributions to a logit difference to positions in the image.
  func evidence(_ contributions: [Double], of image: RGBImage) -> EvidenceMap {
    switch self {
    case .hog(let hog): HOGAttribution.map(contributions, hog.settings, side: image.width / 2)
    case .fisher(let fisher): FisherAttribution(extractor: fisher).map(contributions, of: image)
    }
  }

  /// Returns the HOG cells for drawing; `nil` for other features.
  func cells(of image: RGBImage) -> CellGrid? {
    guard case .hog(let hog) = self else { return nil }
    return hog.settings.cells(of: GrayImage(luma: image).halved())
  }
}

package enum FeatureSettings: Equatable, Sendable {
  /// One HOG descriptor of the whole image at half size.
  ///
  /// Averaging 2x2 luma values reduces the differences between resamplers on different platforms.
  case hog(HOG)
  /// Fisher vectors of local HOG and color descriptors.
  case fisher(FisherSettings)

  package var kind: String {
    switch self {
    case .hog: HOG.kind
    case .fisher: FisherSettings.kind
    }
  }

  package var title: String {
    switch self {
    case .hog: "HOG"
    case .fisher: "Fisher-encoded HOG and color"
    }
  }

  package var usualWeight: Float? {
    if case .fisher = self { FisherSettings.usualColorWeight } else { nil }
  }

  package var colorWeight: Float? {
    if case .fisher(let fisher) = self { fisher.colorWeight } else { nil }
  }

  package func count(inputSide: Int) -> Int {
    switch self {
    case .hog(let hog): hog.count(width: inputSide / 2, height: inputSide / 2)
    case .fisher(let fisher): fisher.count
    }
  }

  /// Validates the parameters that were read from a model file.
  func check(inputSide: Int) throws(CupolaError) {
    switch self {
    case .hog(let hog): try hog.check(inputSide: inputSide)
    case .fisher(let fisher): try fisher.check(inputSide: inputSide)
    }
  }

  package func extractor(in file: SafeTensors) throws -> FeatureExtractor {
    switch self {
    case .hog(let hog): FeatureExtractor(hog: hog)
    case .fisher(let fisher): .fisher(try FisherExtractor(settings: fisher, tensors: file))
    }
  }
}

/// Encoded as `{"kind": "hog", "hog": {...}}`.
extension FeatureSettings: Codable {
  private enum CodingKeys: String, CodingKey { case kind, hog, fisher }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(String.self, forKey: .kind) {
    case HOG.kind: self = .hog(try container.decode(HOG.self, forKey: .hog))
    case FisherSettings.kind:
      self = .fisher(try container.decode(FisherSettings.self, forKey: .fisher))
    case let name:
      throw DecodingError.dataCorruptedError(
        forKey: .kind, in: container, debugDescription: "unknown features \(name)")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    switch self {
    case .hog(let hog): try container.encode(hog, forKey: .hog)
    case .fisher(let fisher): try container.encode(fisher, forKey: .fisher)
    }
  }
}
