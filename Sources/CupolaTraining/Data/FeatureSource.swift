internal import Crypto
internal import Cupola

/// From a photo's bytes to the features of all training geometries: computed, or from the cache.
///
/// Features are always rounded to half precision, so that it makes no difference which.
struct FeatureSource: Sendable {
  let recipe: Recipe
  let extractor: FeatureExtractor
  let decoder: PhotoDecoder
  private let cache: FeatureCache?
  /// All that features depend on but the photo.
  private let identity: [String]

  private static let tensorName = "features"

  init(
    recipe: Recipe, extractor: FeatureExtractor, decoder: PhotoDecoder, cache: FeatureCache?
  ) {
    self.recipe = recipe
    self.extractor = extractor
    self.decoder = decoder
    self.cache = cache
    guard cache != nil else {
      identity = []
      return
    }
    identity = [
      "features", cupolaVersion, BLAS.kernel, decoder.lenient ? "lenient" : "strict",
      recipe.cacheIdentity, ModelFile.digest(of: ExtractorTensors.tensors(of: extractor)),
      FeatureCache.probe(recipe, decoder) { try extractor.features(of: $0) },
    ]
  }

  /// Geometries x features, of type `F16`, and whether they came from the cache.
  ///
  /// - Parameter digest: SHA-256 of the photo's bytes.
  /// - Throws: ``CupolaError`` when the photo cannot be decoded; nothing is kept of it then.
  func features(
    of photo: [UInt8], digest: String
  ) throws(CupolaError) -> (features: SafeTensors.Tensor, isReused: Bool) {
    let key = FeatureCache.Key(identity + [digest])
    if let cached = cache?.read(key)?.tensors[Self.tensorName], isSound(cached) {
      return (cached, true)
    }
    let image = try recipe.decode(photo, with: decoder)
    var values: [Float] = []
    values.reserveCapacity(shape.reduce(1, *))
    for geometry in recipe.trainingGeometries {
      values += try extractor.features(of: recipe.prepare(image, geometry: geometry))
    }
    let features = SafeTensors.Tensor(halves: values, shape: shape)
    cache?.write([Self.tensorName: features], key)
    return (features, false)
  }

  private var shape: [Int] { [recipe.trainingGeometries.count, recipe.featureCount] }

  private func isSound(_ tensor: SafeTensors.Tensor) -> Bool {
    tensor.shape == shape && tensor.halves?.allSatisfy(\.isFinite) == true
  }
}

extension Recipe {
  /// Equal for equal recipes only.
  var cacheIdentity: String { (try? ModelFile.json(self)) ?? "\(self)" }
}
