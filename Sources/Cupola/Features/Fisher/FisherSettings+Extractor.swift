extension FisherSettings: ExtractorSettings {
  package typealias Extractor = FisherExtractor

  package static let kind = "fisher"
  package static let title = "Fisher-encoded HOG and color"
  package static var usualWeight: Float? { usualColorWeight }
  package var chosenColorWeight: Float? { colorWeight }

  package func count(inputSide: Int) -> Int { count }

  package func check(inputSide: Int) throws(CupolaError) {
    try Recipe.require((1...8).contains(sides.count), "\(sides.count) sides")
    for side in sides {
      try Recipe.require((16...inputSide).contains(side), "a side of \(side) pixels")
    }
    try Recipe.require(
      (2...64).contains(step) && step.isMultiple(of: 2), "steps of \(step) pixels")
    try Recipe.require(
      (8...1024).contains(components) && components.isMultiple(of: 8),
      "mixtures of \(components) components")
    try Recipe.require(
      (1...LocalHOG.count).contains(hogDimensions), "\(hogDimensions) dimensions of HOG")
    try Recipe.require(
      (1...LocalColor.count).contains(colorDimensions),
      "\(colorDimensions) dimensions of color")
    try Recipe.require(
      (0...1000).contains(colorWeight), "a color weight of \(colorWeight)")
    try Recipe.require(
      flatContrast >= 0 && flatContrast < fullContrast && fullContrast <= 1,
      "contrasts of \(flatContrast) to \(fullContrast)")
    try Recipe.require(
      (0...1).contains(componentFlattening), "a flattening of \(componentFlattening)")
    try Recipe.require(patchCount <= 200_000, "\(patchCount) patches")
    let products = patchCount * components * (hogDimensions + colorDimensions)
    try Recipe.require(
      products <= 5_000_000_000, "\(components) components for \(patchCount) patches")
  }

  /// Patches of a picture, rather too many: each takes room and time, and is compared with every component.
  private var patchCount: Int { sides.reduce(0) { $0 + ($1 / step) * ($1 / step) } }
}

extension FisherExtractor: Extractor {
  package func weighing(color: Float) -> FisherExtractor {
    var settings = settings
    settings.colorWeight = color
    return FisherExtractor(settings: settings, hog: hog, color: self.color)
  }

  package func evidence(_ contributions: [Double], of image: RGBImage) -> EvidenceMap {
    FisherAttribution(extractor: self).map(contributions, of: image)
  }
}
