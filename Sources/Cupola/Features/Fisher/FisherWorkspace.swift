/// The memory in which Fisher features are computed, for pictures of one size.
struct FisherWorkspace: Sendable {
  private let settings: FisherSettings
  private var patches: PatchReader
  private var block = PatchBlock()
  private var hog: EncodedPart
  private var color: EncodedPart

  /// Pixels along the side of the pictures.
  var side: Int { patches.side }

  init(_ extractor: FisherExtractor, side: Int) {
    settings = extractor.settings
    patches = PatchReader(settings, side: side)
    hog = EncodedPart(extractor.hog)
    color = EncodedPart(extractor.color)
  }

  /// Writes the feature vector of a square picture: HOG part, color part, L2 norm 1.
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

  /// One kind of descriptors on its way into a vector.
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
