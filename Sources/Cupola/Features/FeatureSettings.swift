/// Which features a recipe computes, and their numbers.
public struct FeatureSettings: Equatable, Sendable {
  /// The kinds that recipes may name.
  @TaskLocal package static var kinds: [any ExtractorSettings.Type] = [
    HOG.self, FisherSettings.self,
  ]

  /// The numbers of one kind.
  package let own: any ExtractorSettings

  init(_ own: any ExtractorSettings) { self.own = own }

  /// One descriptor of the whole picture, at half its size.
  ///
  /// The luma is halved by 2x2 means, which evens out the differences between the resamplers of
  /// other platforms.
  package static func hog(_ settings: HOG) -> FeatureSettings { FeatureSettings(settings) }

  /// Fisher-encoded local HOG and color.
  package static func fisher(_ settings: FisherSettings) -> FeatureSettings {
    FeatureSettings(settings)
  }

  /// The kind in recipes and reports: `hog` or `fisher`.
  public var kind: String { type(of: own).kind }

  /// The kind for people.
  package var title: String { type(of: own).title }

  /// The weight of the color part where training has not chosen one; `nil` without such a part.
  package var usualWeight: Float? { type(of: own).usualWeight }

  /// Values in a feature vector for a picture of `inputSide` x `inputSide` pixels.
  public func count(inputSide: Int) -> Int { own.count(inputSide: inputSide) }

  /// Whether the kind and all numbers are the same.
  public static func == (first: FeatureSettings, second: FeatureSettings) -> Bool {
    first.own.isEqual(to: second.own)
  }

  /// What computes the features, from the tensors of a model file.
  ///
  /// - Throws: ``CupolaError/badModel(_:)`` when a tensor is missing or of another shape.
  package func extractor(in file: SafeTensors) throws -> FeatureExtractor {
    func read<Settings: ExtractorSettings>(_ own: Settings) throws -> FeatureExtractor {
      FeatureExtractor(try Settings.Extractor(settings: own, tensors: file))
    }
    return try read(own)
  }
}

extension FeatureSettings: Codable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    static let kind = Key(stringValue: "kind")

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads `{"kind": "hog", "hog": {...}}` or the same of another kind.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let name = try container.decode(String.self, forKey: .kind)
    guard let kind = Self.kinds.first(where: { $0.kind == name }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .kind, in: container, debugDescription: "no features are called \(name)")
    }
    func read<Settings: ExtractorSettings>(_ kind: Settings.Type) throws -> Settings {
      try container.decode(Settings.self, forKey: Key(stringValue: name))
    }
    own = try read(kind)
  }

  /// Writes `{"kind": "hog", "hog": {...}}` or the same of another kind.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(kind, forKey: .kind)
    try container.encode(own, forKey: Key(stringValue: kind))
  }
}
