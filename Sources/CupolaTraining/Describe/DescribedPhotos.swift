package import Cupola
internal import DrawnPictures

// 1. Compute the features of the photos, or read them from the cache or shards (`DescribedPhotos`).
// 2. Add the built-in drawn images (`DrawnPhotos`).

struct DescribedPhotos: Sendable {
  let table: FeatureTable
  let extractor: FeatureExtractor
  let scale: TrainingScale
  /// Everything that determines the features except the photos.
  let identity: [String]
}

extension DescribedPhotos {
  init(_ photos: [LabeledPhoto], for trainer: Trainer, _ steps: StepProgress) async throws {
    let all = photos + (trainer.usesDrawnNegatives ? try DrawnPhotos.all() : [])
    _ = try Trainer.labels(all.map(\.label))
    try trainer.recipe.checkTraining()
    scale = trainer.scale(for: photos.count)
    let isLearned = steps.begin(.learningFeatures, of: 1)
    extractor = try await trainer.extractor(for: photos)
    isLearned(1)
    let source = FeatureSource(
      recipe: trainer.recipe(of: extractor), extractor: extractor, decoder: trainer.decoder,
      cache: trainer.cache, views: scale.views)
    let isDescribed = steps.begin(.describingPhotos, of: all.count)
    table = await FeatureTable(
      all, source: source, keepsInFiles: scale == .bounded, threads: trainer.threads,
      progress: { _ in isDescribed(1) })
    guard table.rows.contains(where: { !DrawnPhotos.labels.contains($0.photo.label) }) else {
      throw TrainingError.noUsablePhotos(path: "photos", failures: photos.count)
    }
    trainer.cache?.trim(sparing: all.count)
    identity = source.identity
  }

  init(_ shards: FeatureShards, for trainer: Trainer, _ steps: StepProgress) async throws {
    let plan = shards.plan
    steps.begin(.learningFeatures, of: 1)(1)
    let drawn = trainer.usesDrawnNegatives ? try DrawnPhotos.all() : []
    let isDescribed = steps.begin(.describingPhotos, of: drawn.count)
    let own = await FeatureTable(
      drawn, source: plan.source(cache: trainer.cache), threads: trainer.threads,
      progress: { _ in isDescribed(1) })
    guard !shards.rows.isEmpty else {
      throw TrainingError.noneUsable(ofListed: shards.folder, photos: shards.skipped.count)
    }
    table = FeatureTable(
      rows: shards.rows + own.rows, skipped: shards.skipped + own.skipped,
      failures: shards.failures)
    (extractor, scale) = (plan.extractor, plan.scale)
    identity =
      ["shards"] + plan.metadata.sorted { $0.key < $1.key }.map(\.value)
      + [ModelFile.digest(of: plan.extractor.tensors)]
  }
}

extension Trainer {
  func scale(for photos: Int) -> TrainingScale {
    scale ?? TrainingScale(photos: photos + drawnNegatives)
  }

  /// Returns the extractor with the default color weight, which is the first one the settings search tries.
  func extractor(for photos: [LabeledPhoto]) async throws -> FeatureExtractor {
    let usual = recipe.features.usualWeight
    if let base { return base.extractor.weighing(color: usual) }
    let sample = TrainingSample(
      photos: photos, recipe: recipe, decoder: decoder, seed: seed, threads: threads, cache: cache)
    guard let learned = await recipe.features.extractor(for: sample) else {
      throw TrainingError.noUsablePhotos(path: "photos", failures: photos.count)
    }
    return learned.weighing(color: usual)
  }

  /// Fits the feature extractor to all training photos and returns the plan for computing features.
  ///
  /// - Throws: ``TrainingError``, such as ``TrainingError/noUsablePhotos(path:failures:)``.
  public func plan(for photos: [LabeledPhoto]) async throws(TrainingError) -> FeaturePlan {
    try await Self.typed {
      try Self.checkNames(of: photos)
      try BLAS.load()
      let extractor = try await extractor(for: photos)
      return FeaturePlan(
        recipe: recipe(of: extractor), extractor: extractor, scale: scale(for: photos.count),
        seed: seed, decoder: decoder)
    }
  }
}

/// Built-in drawings without buildings, for training sets with few or no non-building photos.
///
/// They form two background classes, so that a model rejects most images of subjects that were not photographed.
package enum DrawnPhotos {
  /// The label of drawings of campus objects: lawns, paths, cars, people, desks.
  package static let label = "_drawn"
  /// The label of drawings of landscapes: mountains, sea, forest, meadows, ice, clouds.
  package static let landscapeLabel = "_drawn_landscape"
  package static let labels: Set = [label, landscapeLabel]
  package static let count = DrawnPictures.photoCount

  static func all() throws -> [LabeledPhoto] {
    try DrawnPictures.photos().enumerated().map { index, bytes in
      let label = index < DrawnPictures.thingCount ? label : landscapeLabel
      let name = label + "/\(index + 1)"
      return LabeledPhoto(
        path: name, name: name, label: label, split: .train, group: nil, contents: bytes)
    }
  }
}

extension Labels {
  /// Whether the training set contained non-building photos in addition to the drawn images.
  package var hasNonBuildingPhotos: Bool {
    trainedBackgrounds.contains { !DrawnPhotos.labels.contains(names[$0]) }
  }
}
