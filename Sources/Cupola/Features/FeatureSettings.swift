/// Which features a recipe computes, and their numbers.
public enum FeatureSettings: Equatable, Sendable {
  /// One descriptor of the whole picture, at half its size.
  ///
  /// The luma is halved by 2x2 means, which evens out the differences between the resamplers of
  /// other platforms.
  case hog(HOG)
  /// Fisher-encoded local HOG and colour.
  case fisher(FisherSettings)

  /// Values in a feature vector for a picture of `inputSide` x `inputSide` pixels.
  public func count(inputSide: Int) -> Int {
    switch self {
    case .hog(let hog): hog.count(width: inputSide / 2, height: inputSide / 2)
    case .fisher(let settings): settings.count
    }
  }
}

extension FeatureSettings: Codable {
  private enum CodingKeys: String, CodingKey { case kind, hog, fisher }
  private enum Kind: String, Codable { case hog, fisher }

  /// Reads `{"kind": "hog", "hog": {...}}` or the same of `fisher`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .hog: self = .hog(try container.decode(HOG.self, forKey: .hog))
    case .fisher: self = .fisher(try container.decode(FisherSettings.self, forKey: .fisher))
    }
  }

  /// Writes `{"kind": "hog", "hog": {...}}` or the same of `fisher`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .hog(let hog):
      try container.encode(Kind.hog, forKey: .kind)
      try container.encode(hog, forKey: .hog)
    case .fisher(let settings):
      try container.encode(Kind.fisher, forKey: .kind)
      try container.encode(settings, forKey: .fisher)
    }
  }
}
