internal import Cupola

// 1. Sample photos of buildings, and patches of each photo.
// 2. Fit principal components to the HOG and color descriptors of the patches.
// 3. Fit a Gaussian mixture to the projected descriptors.
// 4. Cache the result (`extractor`).

/// Fits the projections and mixtures of the `fisher` features to sampled patches of training photos.
struct FisherFit {
  let settings: FisherSettings
  let decoder: PhotoDecoder
  let recipe: Recipe
  /// The maximum number of photos to sample, and the maximum number of patches per photo.
  var photos = 240
  var patches = 400

  func fit(
    _ all: [LabeledPhoto], threads: Int, using generator: inout SplitMix64
  ) async -> FisherExtractor? {
    let chosen = sampled(from: all, using: &generator)
    let jobs = chosen.map { (photo: $0, seed: generator.next()) }
    let samples = await parallelMap(jobs, threads: threads) { job in
      sample(job.photo, seed: job.seed)
    }.compactMap { $0 }
    guard samples.reduce(0, { $0 + $1.places.count }) >= settings.components else { return nil }
    let seeds = [generator.next(), generator.next()]
    let encoders = await parallelMap([0, 1], threads: threads) { kind in
      var generator = SplitMix64(seed: seeds[kind])
      return encoder(
        { Self.joined(samples.map { kind == 0 ? $0.hog : $0.color }) }, samples.flatMap(\.places),
        dimensions: kind == 0 ? settings.hogDimensions : settings.colorDimensions, &generator)
    }
    return FisherExtractor(settings: settings, hog: encoders[0], color: encoders[1])
  }

  /// Excludes background photos, because their patches would use up mixture components.
  func buildings(in all: [LabeledPhoto]) -> [LabeledPhoto] {
    all.filter { !Labels.isBackground($0.label) }
  }

  func sampled(
    from all: [LabeledPhoto], using generator: inout SplitMix64
  ) -> [LabeledPhoto] {
    Array(generator.shuffled(buildings(in: all)).prefix(photos))
  }

  private func sample(_ photo: LabeledPhoto, seed: UInt64) -> FisherSettings.Patches? {
    guard let image = try? recipe.decode(photo.opened(by: decoder)) else { return nil }
    var generator = SplitMix64(seed: seed)
    let all = settings.patches(of: recipe.prepare(image, geometry: recipe.geometry))
    let kept = Array(generator.shuffled(all.places.indices).prefix(patches))
    return all.selecting(kept)
  }

  private static func joined(_ parts: [Matrix]) -> Matrix {
    let rows = parts.reduce(0) { $0 + $1.rows }
    let columns = parts.first?.columns ?? 0
    var values: [Float] = []
    values.reserveCapacity(rows * columns)
    for part in parts { values += part.values }
    return Matrix(rows: rows, columns: columns, values: values)
  }

  /// - Parameter rows: Creates the descriptors; called twice, so that only one copy is in memory at a time.
  private func encoder(
    _ rows: () -> Matrix, _ places: [SIMD2<Float>], dimensions: Int,
    _ generator: inout SplitMix64
  ) -> FisherExtractor.Encoder {
    let components = PrincipalComponents.fit(rows(), dimensions: dimensions).halved
    let fit = MixtureFit(components: settings.components)
      .fit(components.project(rows(), places: places), using: &generator)
    return FisherExtractor.Encoder(components: components, mixture: fit.mixture.halved)
  }
}

extension FisherFit {
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
    // A canceled task skips photos, so its fit may be incomplete.
    if !Task.isCancelled { cache.write(fitted.tensors, key) }
    return fitted
  }

  private func cacheKey(
    _ photos: [LabeledPhoto], seed: UInt64, threads: Int
  ) async -> FeatureCache.Key {
    let limit = decoder.maximumBytes
    var generator = SplitMix64(seed: seed)
    let sampled = sampled(from: photos, using: &generator)
    let digests = await parallelMap(sampled, threads: threads) { photo in
      // Read the bytes through the photo, because the path of an in-memory photo is not a file.
      (try? photo.bytes(limit: limit)).map { SHA256.hexadecimal(of: $0) } ?? "unreadable"
    }
    let probe = FeatureCache.probe(recipe, decoder) { image in
      let patches = settings.patches(of: image)
      return patches.hog.values + patches.color.values
    }
    return FeatureCache.Key(
      [
        "fisher", cupolaVersion, BLAS.kernel, PackedMatrix.kernel,
        decoder.lenient ? "lenient" : "strict", "\(decoder.maximumPixels)", recipe.cacheIdentity,
        probe, "\(seed)", "\(self.photos)", "\(patches)",
      ] + digests)
  }
}
