internal import Cupola

extension FisherFit {
  /// What is learned from these photos with a seed, from the cache where it is there.
  ///
  /// - Returns: `nil` when no photo can be read, or they have too few patches.
  func extractor(
    for photos: [LabeledPhoto], seed: UInt64, threads: Int, cache: FeatureCache?
  ) async -> FisherExtractor? {
    var generator = SplitMix64(seed: seed)
    guard let cache else {
      return await fit(photos, threads: threads, using: &generator)
    }
    let key = await cacheKey(photos, seed: seed, threads: threads)
    if let file = cache.read(key),
      let cached = try? FisherExtractor(settings: settings, tensors: file)
    {
      return cached
    }
    guard let fitted = await fit(photos, threads: threads, using: &generator) else { return nil }
    // A canceled task reads no more photos, so that this may be learned from some of them only.
    if !Task.isCancelled { cache.write(fitted.tensors, key) }
    return fitted
  }

  /// By the photos that are sampled, in order: nothing is learned from others.
  private func cacheKey(
    _ photos: [LabeledPhoto], seed: UInt64, threads: Int
  ) async -> FeatureCache.Key {
    let limit = decoder.limits.bytes
    var generator = SplitMix64(seed: seed)
    let sampled = sampled(from: photos, using: &generator)
    let digests = await parallelMap(sampled, threads: threads) { photo in
      // The photo's own bytes: one in memory has a path that leads to no file, or to another one.
      (try? photo.bytes(limit: limit)).map { SHA256.hexadecimal(of: $0) } ?? "unreadable"
    }
    let probe = FeatureCache.probe(recipe, decoder) { image in
      let patches = settings.patches(of: image)
      return patches.hog.values + patches.color.values
    }
    return FeatureCache.Key(
      [
        "fisher", cupolaVersion, BLAS.kernel, PackedMatrix.kernel,
        decoder.lenient ? "lenient" : "strict", "\(decoder.limits.pixels)", recipe.cacheIdentity,
        probe, "\(seed)", "\(self.photos)", "\(patches)",
      ] + digests)
  }
}
