internal import Cupola

/// Photos and what their features are.
struct DescribedPhotos: Sendable {
  let table: FeatureTable
  /// With the usual weight of color.
  let extractor: FeatureExtractor
  let scale: TrainingScale
  /// All that the features depend on but the photos.
  let identity: [String]
}

extension Trainer {
  /// Learns what the features need, and describes all photos.
  func described(
    _ photos: [LabeledPhoto], _ steps: StepProgress
  ) async throws -> DescribedPhotos {
    let all = photos + (usesDrawnNegatives ? try DrawnPhotos.all() : [])
    // Before any photo is read: nothing can be learned from one label.
    _ = try Self.labels(all.map(\.label))
    try recipe.checkTraining()
    let scale = scale(for: photos.count)
    // Whatever weight was chosen before or is asked for: the search starts from the usual one, and the
    // cache serves all.
    let isLearned = steps.begin(.learningFeatures, of: 1)
    let extractor = try await extractor(for: photos)
      .weighing(color: recipe.features.usualWeight)
    isLearned(1)
    let source = FeatureSource(
      recipe: recipe(of: extractor), extractor: extractor, decoder: decoder, cache: cache,
      views: scale.views)
    let isDescribed = steps.begin(.describingPhotos, of: all.count)
    let table = await FeatureTable(
      all, source: source, keepsInFiles: scale == .bounded, threads: threads,
      progress: { _ in isDescribed(1) })
    // Drawn ones can always be used.
    guard table.rows.contains(where: { !DrawnPhotos.labels.contains($0.photo.label) }) else {
      throw TrainingError.noUsablePhotos(path: "photos", failures: photos.count)
    }
    cache?.trim(sparing: all.count)
    return DescribedPhotos(
      table: table, extractor: extractor, scale: scale, identity: source.identity)
  }

  /// - Parameter photos: how many are given.
  func scale(for photos: Int) -> TrainingScale {
    scale ?? TrainingScale(photos: photos + drawnNegatives)
  }

  func extractor(for photos: [LabeledPhoto]) async throws -> FeatureExtractor {
    if let base { return base.extractor }
    let sample = TrainingSample(
      photos: photos, recipe: recipe, decoder: decoder, seed: seed, threads: threads, cache: cache)
    guard let learned = await recipe.features.extractor(for: sample) else {
      throw TrainingError.noUsablePhotos(path: "photos", failures: photos.count)
    }
    return learned
  }
}
