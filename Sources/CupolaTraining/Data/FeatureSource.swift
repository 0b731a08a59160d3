internal import Cupola

/// From a photo's bytes to the features of all training views: computed, or from the cache.
///
/// Features are always rounded to half precision, so that it makes no difference which.
struct FeatureSource: Sendable {
  let recipe: Recipe
  let extractor: FeatureExtractor
  let decoder: PhotoDecoder
  /// Which views are described.
  let views: TrainingViews
  private let cache: FeatureCache?
  /// All that features depend on but the photo.
  let identity: [String]

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
    /// Under which the cache has it, if it has exactly this.
    var key: FeatureCache.Key?
  }

  init(
    recipe: Recipe, extractor: FeatureExtractor, decoder: PhotoDecoder, cache: FeatureCache?,
    views: TrainingViews = .all
  ) {
    self.views = views
    self.recipe = recipe
    self.extractor = extractor
    self.decoder = decoder
    self.cache = cache
    guard cache != nil else {
      identity = []
      return
    }
    identity = [
      "features", cupolaVersion, PackedMatrix.kernel, decoder.lenient ? "lenient" : "strict",
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
    let chosen = views.views(of: recipe, isDrawn: isDrawn)
    let key = key(chosen, digest: digest, isDrawn: isDrawn)
    if let cached = cached(key, views: chosen.count) { return cached }
    if let cached = fromAllViews(chosen, digest: digest, isDrawn: isDrawn) { return cached }
    let image = try recipe.decode(photo)
    let shape = [chosen.count, recipe.featureCount]
    var values: [Float] = []
    values.reserveCapacity(shape.reduce(1, *))
    for view in chosen {
      let square = recipe.prepare(image, geometry: view.geometry)
      values += try extractor.features(of: view.isMirrored ? square.mirrored : square)
    }
    let features = SafeTensors.Tensor(halves: values, shape: shape)
    let thumbnail = LumaThumbnail(image)
    return keep(features, thumbnail, key, isReused: false)
  }

  private func keep(
    _ features: SafeTensors.Tensor, _ thumbnail: LumaThumbnail, _ key: FeatureCache.Key,
    isReused: Bool
  ) -> Description {
    let side = LumaThumbnail.side
    let small = SafeTensors.Tensor(type: "U8", shape: [side, side], bytes: thumbnail.samples)
    let isKept = cache?.write([Name.features: features, Name.thumbnail: small], key) ?? false
    return Description(
      features: features, thumbnail: thumbnail, isReused: isReused, key: isKept ? key : nil)
  }

  /// Where the cache has what was described; `nil` when it has not.
  func file(of description: Description, failures: ReadingFailures) -> FeatureFile? {
    guard let key = description.key, let cache,
      let place = cache.place(of: Name.features, key), place.type == "F16",
      place.shape == description.features.shape
    else { return nil }
    return FeatureFile(
      path: cache.path(of: key), offset: place.bytes.lowerBound, shape: place.shape,
      failures: failures)
  }

  private func key(
    _ chosen: [TrainingViews.View], digest: String, isDrawn: Bool
  ) -> FeatureCache.Key {
    // The same views have the same key, whoever asked for them.
    let isAll = chosen == TrainingViews.all.views(of: recipe, isDrawn: isDrawn)
    return FeatureCache.Key(
      identity + [isAll ? "\(chosen.count)" : "\(views.rawValue) \(chosen.count)", digest])
  }

  private func cached(_ key: FeatureCache.Key, views count: Int) -> Description? {
    guard let cached = cache?.read(key)?.tensors, let features = cached[Name.features],
      features.type == "F16", features.shape == [count, recipe.featureCount],
      FeatureBlock.areFeatures(features.bytes[...]),
      let thumbnail = cached[Name.thumbnail].flatMap({ LumaThumbnail(samples: $0.bytes) })
    else { return nil }
    return Description(features: features, thumbnail: thumbnail, isReused: true, key: key)
  }

  /// Some views of what a training with all of them kept.
  private func fromAllViews(
    _ chosen: [TrainingViews.View], digest: String, isDrawn: Bool
  ) -> Description? {
    let all = TrainingViews.all.views(of: recipe, isDrawn: isDrawn)
    guard all != chosen, cache != nil,
      let cached = cached(key(all, digest: digest, isDrawn: isDrawn), views: all.count)
    else { return nil }
    let size = cached.features.bytes.count / all.count
    let bytes = chosen.compactMap(all.firstIndex).flatMap {
      cached.features.bytes[$0 * size..<($0 + 1) * size]
    }
    let features = SafeTensors.Tensor(
      type: cached.features.type, shape: [chosen.count, recipe.featureCount], bytes: bytes)
    return keep(
      features, cached.thumbnail, key(chosen, digest: digest, isDrawn: isDrawn), isReused: true)
  }
}

extension Recipe {
  /// Equal for equal recipes only.
  var cacheIdentity: String { (try? ModelFile.json(self)) ?? "\(self)" }
}
