/// Fisher vectors of local HOG and color descriptors, which tolerate changes in viewpoint.
/// 1. ``PatchReader`` extracts patches and their weights at several scales.
/// 2. ``LocalHOG`` and ``LocalColor`` describe each patch; ``PrincipalComponents`` projects the descriptors.
/// 3. ``FisherVector`` summarizes the descriptors of each kind, using a ``GaussianMixture``.
/// 4. The HOG part and the weighted color part are concatenated and scaled to L2 norm 1.
package struct FisherExtractor: Equatable, Sendable {
  package struct Encoder: Equatable, Sendable {
    package let components: PrincipalComponents
    package let mixture: GaussianMixture

    package init(components: PrincipalComponents, mixture: GaussianMixture) {
      self.components = components
      self.mixture = mixture
    }
  }

  package let settings: FisherSettings
  package let hog: Encoder
  package let color: Encoder
  private let workspaces = WorkspacePool<FisherWorkspace>()

  package init(settings: FisherSettings, hog: Encoder, color: Encoder) {
    self.settings = settings
    self.hog = hog
    self.color = color
  }

  func read(_ image: RGBImage, into features: inout [Float]) {
    precondition(
      image.width == image.height, "image of \(image.width)x\(image.height) is not square")
    precondition(
      features.count == settings.count,
      "buffer of \(features.count) features, expected \(settings.count)")
    workspaces.with(
      fitting: { $0.side == image.width }, orMade: { FisherWorkspace(self, side: image.width) }
    ) { workspace in
      workspace.read(image, into: &features)
    }
  }

  package func weighing(color: Float) -> FisherExtractor {
    var settings = settings
    settings.colorWeight = color
    return FisherExtractor(settings: settings, hog: hog, color: self.color)
  }

  package static func == (first: FisherExtractor, second: FisherExtractor) -> Bool {
    first.settings == second.settings && first.hog == second.hog && first.color == second.color
  }
}

package struct FisherSettings: Equatable, Codable, Sendable {
  package static let kind = "fisher"

  /// Side lengths, in pixels, of the scaled images from which patches are extracted.
  package var sides: [Int]
  package var step: Int
  package var components: Int
  package var hogDimensions: Int
  package var colorDimensions: Int
  /// The color weight relative to HOG, selected during training.
  package var colorWeight: Float
  /// The contrast at and below which a patch has weight 0; see ``PatchContrast``.
  package var flatContrast: Float = 0.02
  /// The contrast at and above which a patch has weight 1.
  package var fullContrast: Float = 0.11
  /// The exponent that equalizes the norms of the mixture components, from 0 (no change) to 1 (equal norms).
  /// Prevents frequent patterns from hiding distinctive ones (Arandjelović & Zisserman, CVPR 2013).
  package var componentFlattening: Float = 0.7

  private enum CodingKeys: String, CodingKey {
    case sides, step, components, hogDimensions, flatContrast, fullContrast, componentFlattening
    case colorDimensions = "colourDimensions"
    case colorWeight = "colourWeight"
  }

  package static let usualColorWeight: Float = 0.35

  package static let fast = FisherSettings(
    sides: [192, 128], step: 8, components: 64, hogDimensions: 48, colorDimensions: 24,
    colorWeight: usualColorWeight)

  package static let best = FisherSettings(
    sides: [288, 202, 144], step: 6, components: 256, hogDimensions: 64, colorDimensions: 32,
    colorWeight: usualColorWeight)

  package static let balanced = FisherSettings(
    sides: [256, 179, 128], step: 6, components: 128, hogDimensions: 64, colorDimensions: 32,
    colorWeight: usualColorWeight)

  package var count: Int { 2 * components * (hogDimensions + 2 + colorDimensions + 2) }

  /// Validates the parameters that were read from a model file.
  func check(inputSide: Int) throws(CupolaError) {
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

  /// An upper bound for the number of patches per image. Memory and time are proportional to it.
  private var patchCount: Int { sides.reduce(0) { $0 + ($1 / step) * ($1 / step) } }
}

struct FisherWorkspace: Sendable {
  private let settings: FisherSettings
  private var patches: PatchReader
  private var block = PatchBlock()
  private var hog: EncodedPart
  private var color: EncodedPart

  var side: Int { patches.side }

  init(_ extractor: FisherExtractor, side: Int) {
    settings = extractor.settings
    patches = PatchReader(settings, side: side)
    hog = EncodedPart(extractor.hog)
    color = EncodedPart(extractor.color)
  }

  mutating func read(_ image: RGBImage, into features: inout [Float]) {
    patches.read(image)
    hog.vector.reset()
    color.vector.reset()
    let counting = patches.counting
    for start in stride(from: 0, to: counting.count, by: PatchBlock.size) {
      patches.gather(
        counting[start..<min(start + PatchBlock.size, counting.count)], into: &block)
      hog.add(block.hog, of: block)
      color.add(block.color, of: block)
    }
    write(into: &features)
  }

  private mutating func write(into features: inout [Float]) {
    let flattening = settings.componentFlattening
    var all = features.mutableSpan
    var hogPart = all._mutatingExtracting(0..<hog.vector.count)
    hog.vector.write(into: &hogPart, flattening: flattening)
    var colorPart = all._mutatingExtracting(hog.vector.count..<all.count)
    color.vector.write(into: &colorPart, flattening: flattening)
    for index in 0..<colorPart.count { colorPart[index] *= settings.colorWeight }
    VectorMath.normalize(&all)
  }

  private struct EncodedPart: Sendable {
    private let components: PrincipalComponents
    private var products: Matrix
    private var rows: Matrix
    var vector: FisherVector

    init(_ encoder: FisherExtractor.Encoder) {
      components = encoder.components
      products = Matrix(rows: 0, columns: components.projection.rows)
      rows = Matrix(rows: 0, columns: components.projection.rows + 2)
      vector = FisherVector(encoder.mixture)
    }

    mutating func add(_ descriptors: Matrix, of block: PatchBlock) {
      products.resize(rows: descriptors.rows)
      rows.resize(rows: descriptors.rows)
      components.project(descriptors, places: block.places, products: &products, into: &rows)
      vector.add(rows, weights: block.weights)
    }
  }
}
