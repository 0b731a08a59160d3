/// Turns a prepared picture into the feature vector that the classifier sees.
///
/// 1. A recipe names one of two kinds of features with their numbers: ``FeatureSettings``.
/// 2. With what was learned for them, they are a ``FeatureExtractor``.
/// 3. ``HOGExtractor`` or ``FisherExtractor`` writes the vector: L2 norm 1, or all 0 for a picture without edges.
///
/// How a kind is fitted stands in `CupolaTraining/Features`, its graph and its C in `CupolaExport/Features`.
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

  /// The same with another weight of the color part, if it has one.
  package func weighing(color: Float?) -> FeatureExtractor {
    guard let color, case .fisher(let fisher) = self else { return self }
    return .fisher(fisher.weighing(color: color))
  }

  /// The feature vector of a prepared picture.
  ///
  /// - Throws: ``CupolaError/pictureTooSmall(width:height:needed:)`` when no block of cells fits.
  package func features(of image: RGBImage) throws(CupolaError) -> [Float] {
    var features = [Float](repeating: 0, count: settings.count(inputSide: image.width))
    try read(image, into: &features)
    return features
  }

  /// Writes the feature vector of a prepared picture over another of the same features: after the first picture
  /// without new memory.
  ///
  /// - Throws: as ``features(of:)``.
  func read(_ image: RGBImage, into features: inout [Float]) throws(CupolaError) {
    switch self {
    case .hog(let hog): try hog.read(image, into: &features)
    case .fisher(let fisher): fisher.read(image, into: &features)
    }
  }

  package var tensors: [String: SafeTensors.Tensor] {
    if case .fisher(let fisher) = self { fisher.tensors } else { [:] }
  }

  /// Where in a picture the evidence lies.
  ///
  /// - Parameter contributions: what each value of the picture's feature vector adds to the difference of two logits.
  func evidence(_ contributions: [Double], of image: RGBImage) -> EvidenceMap {
    switch self {
    case .hog(let hog): HOGAttribution.map(contributions, hog.settings, side: image.width / 2)
    case .fisher(let fisher): FisherAttribution(extractor: fisher).map(contributions, of: image)
    }
  }

  /// The histograms that can be drawn over the picture; `nil` when the features have none.
  func cells(of image: RGBImage) -> CellGrid? {
    guard case .hog(let hog) = self else { return nil }
    return hog.settings.cells(of: GrayImage(luma: image).halved())
  }
}

/// Which features a recipe computes, and their numbers.
package enum FeatureSettings: Equatable, Sendable {
  /// One descriptor of the whole picture, at half its size.
  ///
  /// The luma is halved by 2x2 means, which evens out the differences between the resamplers of other platforms.
  case hog(HOG)
  /// Fisher-encoded local HOG and color.
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

  /// The weight of the color part where training has not chosen one; `nil` without such a part.
  package var usualWeight: Float? {
    if case .fisher = self { FisherSettings.usualColorWeight } else { nil }
  }

  /// The weight of the color part beside the others' 1; `nil` without such a part.
  package var colorWeight: Float? {
    if case .fisher(let fisher) = self { fisher.colorWeight } else { nil }
  }

  package func count(inputSide: Int) -> Int {
    switch self {
    case .hog(let hog): hog.count(width: inputSide / 2, height: inputSide / 2)
    case .fisher(let fisher): fisher.count
    }
  }

  /// Refuses numbers that no version of this program writes.
  ///
  /// - Throws: ``CupolaError/badModel(_:)`` with ``ModelFault/inconsistent(_:)``.
  func check(inputSide: Int) throws(CupolaError) {
    switch self {
    case .hog(let hog): try hog.check(inputSide: inputSide)
    case .fisher(let fisher): try fisher.check(inputSide: inputSide)
    }
  }

  /// What computes the features, from the tensors of a model file.
  ///
  /// - Throws: ``CupolaError/badModel(_:)`` when a tensor is missing or of another shape.
  package func extractor(in file: SafeTensors) throws -> FeatureExtractor {
    switch self {
    case .hog(let hog): FeatureExtractor(hog: hog)
    case .fisher(let fisher): .fisher(try FisherExtractor(settings: fisher, tensors: file))
    }
  }
}

/// As `{"kind": "hog", "hog": {...}}`.
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
        forKey: .kind, in: container, debugDescription: "no features are called \(name)")
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
