internal import Cupola

extension Trainer {
  /// Trains on photos that were described before, by one machine or many.
  ///
  /// The model is the same, byte for byte, for any number of shards, and the same that
  /// ``train(on:progress:)`` makes of the photos. Recipe, seed and scale are those of the shards.
  /// - Throws: ``TrainingError`` as that does.
  public func train(
    on shards: FeatureShards, progress: (@Sendable (TrainingProgress) -> Void)? = nil
  ) async throws(TrainingError) -> TrainingResult {
    var trainer = self
    trainer.recipe = shards.plan.recipe
    trainer.seed = shards.plan.seed
    trainer.decoder = shards.plan.decoder
    let own = trainer
    return try await Self.typed {
      try Self.checkNames(of: shards.rows.map(\.photo))
      try BLAS.load()
      return try await own.joiningMap(to: shards.rows.map(\.photo.label)) { trainer in
        let steps = StepProgress(trainer.steps, report: progress)
        return try await trainer.result(of: try await trainer.described(shards, steps), steps)
      }
    }
  }

  /// What the shards need that is not in them.
  private func described(
    _ shards: FeatureShards, _ steps: StepProgress
  ) async throws -> DescribedPhotos {
    let plan = shards.plan
    steps.begin(.learningFeatures, of: 1)(1)
    let drawn = usesDrawnNegatives ? try DrawnPhotos.all() : []
    let isDescribed = steps.begin(.describingPhotos, of: drawn.count)
    let own = await FeatureTable(
      drawn, source: plan.source(cache: cache), threads: threads,
      progress: { _ in isDescribed(1) })
    let table = FeatureTable(
      rows: shards.rows + own.rows, skipped: shards.skipped + own.skipped,
      failures: shards.failures)
    guard !shards.rows.isEmpty else {
      throw TrainingError.noneUsable(ofListed: shards.folder, photos: shards.skipped.count)
    }
    return DescribedPhotos(
      table: table, extractor: plan.extractor, scale: plan.scale,
      identity: ["shards"] + plan.metadata.sorted { $0.key < $1.key }.map(\.value)
        + [ModelFile.digest(of: plan.extractor.own.tensors)])
  }

  /// How photos become features, learned from photos as ``Trainer`` learns it.
  ///
  /// - Parameter photos: all that are to train, negatives among them.
  /// - Throws: ``TrainingError/noUsablePhotos(path:failures:)`` and others.
  public func plan(for photos: [LabeledPhoto]) async throws(TrainingError) -> FeaturePlan {
    try await Self.typed {
      try Self.checkNames(of: photos)
      try BLAS.load()
      let extractor = try await extractor(for: photos)
        .weighing(color: recipe.features.usualWeight)
      return FeaturePlan(
        recipe: recipe(of: extractor), extractor: extractor, scale: scale(for: photos.count),
        seed: seed, decoder: decoder)
    }
  }
}
