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
  /// - Parameter digest: SHA-256 of the photo's bytes.
  /// - Throws: ``CupolaError`` when the photo cannot be decoded; nothing is kept of it then.
  func describe(_ photo: Photo, digest: String) throws(CupolaError) -> Description {
    let key = FeatureCache.Key(identity + [digest])
    if let cached = cache?.read(key)?.tensors, let features = cached[Name.features],
      isSound(features),
      let thumbnail = cached[Name.thumbnail].flatMap({ LumaThumbnail(samples: $0.bytes) })
    {
      return Description(features: features, thumbnail: thumbnail, isReused: true)
    }
    let image = try recipe.decode(photo)
    var values: [Float] = []
    values.reserveCapacity(shape.reduce(1, *))
    for view in recipe.trainingViews {
      let square = recipe.prepare(image, geometry: view.geometry)
      values += try extractor.features(of: view.isMirrored ? square.mirrored : square)
    }
    let features = SafeTensors.Tensor(halves: values, shape: shape)
    let thumbnail = LumaThumbnail(image)
    let side = LumaThumbnail.side
    let small = SafeTensors.Tensor(type: "U8", shape: [side, side], bytes: thumbnail.samples)
    cache?.write([Name.features: features, Name.thumbnail: small], key)
    return Description(features: features, thumbnail: thumbnail, isReused: false)
  }

  private var shape: [Int] { [recipe.trainingViews.count, recipe.featureCount] }

  private func isSound(_ tensor: SafeTensors.Tensor) -> Bool {
    tensor.shape == shape && tensor.halves?.allSatisfy(\.isFinite) == true
  }
}

extension Recipe {
  /// Equal for equal recipes only.
  var cacheIdentity: String { (try? ModelFile.json(self)) ?? "\(self)" }
}
