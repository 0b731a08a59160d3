internal import Cupola

extension Trainer {
  /// The model whose memory is changed instead of a new one trained: a retrieval model's projection, centroids and
  /// calibration stay, and only photos that it does not know are described.
  var remembering: (base: Model, retrieval: RetrievalClassifier)? {
    guard let base, classifier == .retrieval, case .retrieval(let retrieval) = base.classifier
    else { return nil }
    return (base, retrieval)
  }

  /// The model with these photos in its memory.
  func result(
    remembering photos: [LabeledPhoto], in base: Model, _ retrieval: RetrievalClassifier,
    _ steps: StepProgress
  ) async throws -> TrainingResult {
    try Self.check(retrieval, against: base)
    let limit = decoder.limits.bytes
    // Each is read, and some are described then.
    let isDone = steps.begin(.describingPhotos, of: 2 * photos.count)
    let digests = await photos.reading(threads: threads, progress: { _ in isDone(1) }) {
      photo throws(CupolaError) in
      (photo: photo, digest: SHA256.hexadecimal(of: try photo.bytes(limit: limit)))
    }
    let remembered = RememberedPhotos(
      of: base.provenance, digests.values, keepsOthers: keepsOthers)
    isDone(photos.count - remembered.new.count)
    let source = FeatureSource(
      recipe: recipe, extractor: base.extractor, decoder: decoder, cache: cache, views: .once)
    let table = await FeatureTable(
      remembered.new, source: source, threads: threads, progress: { _ in isDone(1) })
    try Task.checkCancellation()
    guard photos.isEmpty || digests.skipped.count + table.skipped.count < photos.count else {
      throw TrainingError.noUsablePhotos(path: "photos", failures: photos.count)
    }
    try campus?.checkAxes(against: table.rows.compactMap(\.metadata.position))
    let memory = RetrievalMemory(base, retrieval, kept: remembered.kept, adding: table)
    // Throws where there is nothing to tell apart.
    _ = try Self.labels(memory.names)
    let settings = ClassifierSettings.retrieval(colorWeight: base.recipe.colorWeight)
    var model = memory.model(provenance(table, settings, [:]))
    model.campus = campus
    model.place = place(table, memory, of: base)
    var result = TrainingResult(
      model,
      table: FeatureTable(
        rows: table.rows, skipped: digests.skipped + table.skipped, failures: table.failures),
      fit: ClassifierFit(classifier: model.classifier, iterations: 0, converged: true), search: nil,
      changes: nil)
    result.keepsCalibration = true
    return result
  }

  /// Ends where nobody knows which photos are remembered, or new ones would have other views.
  private static func check(_ retrieval: RetrievalClassifier, against base: Model) throws {
    try base.recipe.checkTraining()
    let views = TrainingViews.onceAmongAll(of: base.recipe).count
    guard retrieval.viewsPerPhoto == views else {
      throw CupolaError.badModel(
        .inconsistent(
          "it remembers \(retrieval.viewsPerPhoto) views of a photo, and its recipe has \(views)"))
    }
    for (number, label) in base.labels.names.enumerated() {
      let digests = base.provenance.photoDigests[label]?.values.count ?? 0
      guard retrieval.views(of: number).count == digests * retrieval.viewsPerPhoto else {
        throw CupolaError.badModel(
          .inconsistent("it remembers other photos of \(label) than it says"))
      }
    }
  }

  /// The places of photos that stay, and those of new ones, believed as before.
  private func place(
    _ table: FeatureTable, _ memory: RetrievalMemory, of base: Model
  ) -> PlaceModel? {
    let labels = Labels(memory.names)
    let index = labels.names.indexByElement
    let photos = table.rows.enumerated().compactMap { number, row in
      index[row.photo.label].map {
        PlaceFit.Photo(metadata: row.metadata, label: $0, group: number)
      }
    }
    let added = PlaceFit(photos: photos, labels: labels, campus: campus).model(heldOut: [])
    guard var place = base.place ?? added else { return nil }
    let before = (base.place?.viewpoints ?? [:]).filter { memory.kept.contains($0.key) }
    place.viewpoints = before.merging(added?.viewpoints ?? [:]) { ($0 + $1) }
      .mapValues { $0.sampled(to: PlaceModel.mostViewpoints) }
    return place
  }
}
