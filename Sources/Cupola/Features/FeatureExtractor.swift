/// Turns a prepared picture into the feature vector that the classifier sees.
public enum FeatureExtractor: Equatable, Sendable {
  /// One descriptor of the whole picture, at half its size.
  ///
  /// The luma is halved by 2x2 means, which evens out the differences between the resamplers of
  /// other platforms.
  case hog(HOG)

  /// Values in a feature vector for a picture of `inputSide` x `inputSide` pixels.
  public func count(inputSide: Int) -> Int {
    switch self {
    case .hog(let hog): hog.count(width: inputSide / 2, height: inputSide / 2)
    }
  }

  /// The feature vector of a prepared picture: L2 norm 1, or all 0 for a picture without edges.
  ///
  /// - Throws: ``CupolaError/pictureTooSmall(width:height:needed:)`` when no block of cells fits.
  public func features(of image: RGBImage) throws(CupolaError) -> [Float] {
    switch self {
    case .hog(let hog):
      VectorMath.unit(try hog.descriptor(of: GreyImage(luma: image).halved()))
    }
  }
}

extension FeatureExtractor: Codable {
  private enum CodingKeys: String, CodingKey { case kind, hog }
  private enum Kind: String, Codable { case hog }

  /// Reads `{"kind": "hog", "hog": {...}}`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .hog: self = .hog(try container.decode(HOG.self, forKey: .hog))
    }
  }

  /// Writes `{"kind": "hog", "hog": {...}}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .hog(let hog):
      try container.encode(Kind.hog, forKey: .kind)
      try container.encode(hog, forKey: .hog)
    }
  }
}
