/// Turns a prepared picture into the feature vector that the classifier sees.
package struct FeatureExtractor: Equatable, Sendable {
  /// The extractor of one kind, with what was learned for it.
  package let own: any Extractor

  package init(_ own: any Extractor) { self.own = own }

  /// The classic descriptor: nothing about it is learned.
  package init(hog: HOG) { own = HOGExtractor(settings: hog) }

  /// The numbers of the recipe that this extractor belongs to.
  package var settings: FeatureSettings { FeatureSettings(own.settings) }

  /// The same with another weight of the color part, if it has one.
  package func weighing(color: Float?) -> FeatureExtractor {
    color.map { FeatureExtractor(own.weighing(color: $0)) } ?? self
  }

  /// The feature vector of a prepared picture: L2 norm 1, or all 0 for a picture without edges.
  ///
  /// - Throws: ``CupolaError/pictureTooSmall(width:height:needed:)`` when no block of cells fits.
  package func features(of image: RGBImage) throws(CupolaError) -> [Float] {
    try own.features(of: image)
  }

  /// Writes the feature vector of a prepared picture over another of the same features.
  ///
  /// - Throws: as ``features(of:)``.
  func read(_ image: RGBImage, into features: inout [Float]) throws(CupolaError) {
    try own.read(image, into: &features)
  }

  /// Whether the kind, all numbers and what was learned are the same.
  package static func == (first: FeatureExtractor, second: FeatureExtractor) -> Bool {
    first.own.isEqual(to: second.own)
  }
}
