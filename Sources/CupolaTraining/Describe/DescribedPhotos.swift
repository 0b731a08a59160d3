package import Cupola
internal import DrawnPictures

// 1. `DescribedPhotos` is what the first stage of a training makes: features of photos, from files,
//    from the cache, or from shards.
// 2. Pictures that Cupola draws train beside them (`DrawnPhotos`).

struct DescribedPhotos: Sendable {
  let table: FeatureTable
  /// With the usual weight of color.
  let extractor: FeatureExtractor
  let scale: TrainingScale
  /// All that the features depend on but the photos.
  let identity: [String]
}

extension DescribedPhotos {
  init(_ photos: [LabeledPhoto], for trainer: Trainer, _ steps: StepProgress) async throws {
    let all = photos + (trainer.usesDrawnNegatives ? try DrawnPhotos.all() : [])
    // Before any photo is read: nothing can be learned from one label.
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
    // Drawn ones can always be used.
    guard table.rows.contains(where: { !DrawnPhotos.labels.contains($0.photo.label) }) else {
      throw TrainingError.noUsablePhotos(path: "photos", failures: photos.count)
    }
    trainer.cache?.trim(sparing: all.count)
    identity = source.identity
  }

  /// The photos of shards, and the drawn ones, which are not in them.
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

  /// With the usual weight of color, whatever was chosen before or is asked for: the search starts from
  /// it, and the cache serves all.
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

  /// How photos become features, learned from photos as `train(on:progress:)` learns it.
  ///
  /// - Parameter photos: all that are to train, negatives among them.
  /// - Throws: ``TrainingError/noUsablePhotos(path:failures:)`` and others.
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

/// Pictures of things that are no buildings, drawn by Cupola for those who have few or none.
///
/// They make two background labels of their own. With them, a model trained without any other background
/// refuses most of what is no building, and one trained with few kinds of it refuses other kinds.
package enum DrawnPhotos {
  /// The label of those of things on a campus: lawns, paths, cars, people, desks.
  package static let label = "_drawn"
  /// The label of those of landscapes: mountains, sea, forest, meadows, ice, clouds.
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
  /// Whether photos of no buildings trained, not only drawn ones.
  package var knowPhotosOfNoBuildings: Bool {
    trainedBackgrounds.contains { !DrawnPhotos.labels.contains(names[$0]) }
  }
}
