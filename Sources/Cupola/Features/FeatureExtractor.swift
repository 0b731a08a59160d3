/// Turns a prepared picture into the feature vector that the classifier sees.
public struct FeatureExtractor: Equatable, Sendable {
  /// Which features, and what they need.
  package enum Kind: Equatable, Sendable {
    case hog(HOG)
    case fisher(FisherExtractor)
  }

  package let kind: Kind

  /// The classic descriptor: nothing about it is learned.
  public init(hog: HOG) { kind = .hog(hog) }

  /// The Fisher-encoded descriptors, with what was learned for them.
  package init(fisher: FisherExtractor) { kind = .fisher(fisher) }

  /// The numbers of the recipe that this extractor belongs to.
  public var settings: FeatureSettings {
    switch kind {
    case .hog(let hog): .hog(hog)
    case .fisher(let fisher): .fisher(fisher.settings)
    }
  }

  /// The same with another weight of the colour part, if it has one.
  package func weighing(colour: Float?) -> FeatureExtractor {
    guard let colour, case .fisher(let fisher) = kind else { return self }
    var settings = fisher.settings
    settings.colourWeight = colour
    return FeatureExtractor(
      fisher: FisherExtractor(settings: settings, hog: fisher.hog, colour: fisher.colour))
  }

  /// The feature vector of a prepared picture: L2 norm 1, or all 0 for a picture without edges.
  ///
  /// - Throws: ``CupolaError/pictureTooSmall(width:height:needed:)`` when no block of cells fits.
  public func features(of image: RGBImage) throws(CupolaError) -> [Float] {
    switch kind {
    case .hog(let hog):
      VectorMath.unit(try hog.descriptor(of: GreyImage(luma: image).halved()))
    case .fisher(let fisher): fisher.features(of: image)
    }
  }
}
