internal import Cupola

/// From a photo's bytes to the features of all training views: computed, or from the cache.
///
/// Features are always rounded to half precision, so that it makes no difference which.
struct FeatureSource: Sendable {
  let recipe: Recipe
  let extractor: FeatureExtractor
  let decoder: PhotoDecoder
  private let cache: FeatureCache?
  /// All that features depend on but the photo.
  private let identity: [String]

  private enum Name {
    static let features = "features"
    static let thumbnail = "luma"
  }

  /// What there is to keep of a photo.
  struct Description {
    /// Views x features, of type `F16`.
    let features: SafeTensors.Tensor
    let thumbnail: LumaThumbnail
    /// Whether it came from the cache.
    let isReused: Bool
  }

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
      recipe.cacheIdentity, ModelFile.digest(of: extractor.own.tensors),
      FeatureCache.probe(recipe, decoder) { try extractor.features(of: $0) },
    ]
  }

  /// Features and thumbnail, both of the photo decoded once.
  ///
  /// - Parameters:
  ///   - digest: SHA-256 of the photo's bytes.
  ///   - isDrawn: whether it is one of Cupola's own, which train as they are.
  /// - Throws: ``CupolaError`` when the photo cannot be decoded; nothing is kept of it then.
  func describe(
    _ photo: Photo, digest: String, isDrawn: Bool = false
  ) throws(CupolaError) -> Description {
    let isMirrored = recipe.mirrorsTraining && !isDrawn
    let shape = [
      recipe.trainingGeometries.count * (isMirrored ? 2 : 1), recipe.featureCount,
    ]
    let key = FeatureCache.Key(identity + ["\(shape[0])", digest])
    if let cached = cache?.read(key)?.tensors, let features = cached[Name.features],
      features.shape == shape, features.halves?.allSatisfy(\.isFinite) == true,
      let thumbnail = cached[Name.thumbnail].flatMap({ LumaThumbnail(samples: $0.bytes) })
    {
      return Description(features: features, thumbnail: thumbnail, isReused: true)
    }
    let image = try recipe.decode(photo)
    let squares = recipe.trainingGeometries.map { recipe.prepare(image, geometry: $0) }
    var values: [Float] = []
    values.reserveCapacity(shape.reduce(1, *))
    for square in squares + (isMirrored ? squares.map(\.mirrored) : []) {
      values += try extractor.features(of: square)
    }
    let features = SafeTensors.Tensor(halves: values, shape: shape)
    let thumbnail = LumaThumbnail(image)
    let side = LumaThumbnail.side
    let small = SafeTensors.Tensor(type: "U8", shape: [side, side], bytes: thumbnail.samples)
    cache?.write([Name.features: features, Name.thumbnail: small], key)
    return Description(features: features, thumbnail: thumbnail, isReused: false)
  }
}

extension Recipe {
  /// Equal for equal recipes only.
  var cacheIdentity: String { (try? ModelFile.json(self)) ?? "\(self)" }
}
