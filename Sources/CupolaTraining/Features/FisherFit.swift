internal import Cupola

// 1. A sample of building photos is drawn, and patches are drawn from each photo.
// 2. Principal components are fitted to the descriptors of these patches, for HOG and for color.
// 3. A Gaussian mixture is fitted to the projected descriptors.
// 4. `extractor` reads the result from the cache if the same photos were fitted before.

/// Learns what the `fisher` features need, from a sample of the training photos' patches.
struct FisherFit {
  let settings: FisherSettings
  let decoder: PhotoDecoder
  let recipe: Recipe
  /// At most so many photos, and patches of each.
  var photos = 240
  var patches = 400

  /// - Returns: `nil` when no photo can be read, or they have too few patches.
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

  /// Patches of anything else would take components from what must be told apart.
  func buildings(in all: [LabeledPhoto]) -> [LabeledPhoto] {
    all.filter { !Labels.isBackground($0.label) }
  }

  /// The photos that it learns from.
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

  /// - Parameter rows: makes them, once to be centered where they are and once to be projected: two copies at
  ///   a time would be most of what this takes of memory.
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
