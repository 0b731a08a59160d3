internal import Cupola

// 1. Find the photos that the model already stores (`StoredPhotos`).
// 2. Compute the features of the other photos and add them (`RetrievalUpdate`).
// 3. Update provenance and positions.

extension Trainer {
  /// The retrieval model to update in place, if any.
  ///
  /// Projection, centroids and calibration are kept; features are computed only for new photos.
  var updatedRetrieval: (base: Model, retrieval: RetrievalClassifier)? {
    guard let base, classifier == .retrieval, case .retrieval(let retrieval) = base.classifier
    else { return nil }
    return (base, retrieval)
  }

  func result(
    updating photos: [LabeledPhoto], in base: Model, _ retrieval: RetrievalClassifier,
    _ steps: StepProgress
  ) async throws -> TrainingResult {
    try Self.check(retrieval, against: base)
    let limit = decoder.maximumBytes
    let isDone = steps.begin(.describingPhotos, of: 2 * photos.count)
    let digests = await photos.reading(threads: threads, progress: { _ in isDone(1) }) {
      photo throws(CupolaError) in
      (photo: photo, digest: SHA256.hexadecimal(of: try photo.bytes(limit: limit)))
    }
    let stored = StoredPhotos(
      of: base.provenance, digests.values, keepsOthers: keepsOthers)
    isDone(photos.count - stored.new.count)
    let source = FeatureSource(
      recipe: recipe, extractor: base.extractor, decoder: decoder, cache: cache, views: .once)
    let table = await FeatureTable(
      stored.new, source: source, threads: threads, progress: { _ in isDone(1) })
    try Task.checkCancellation()
    guard photos.isEmpty || digests.skipped.count + table.skipped.count < photos.count else {
      throw TrainingError.noUsablePhotos(path: "photos", failures: photos.count)
    }
    try campus?.checkAxes(against: table.rows.compactMap(\.metadata.position))
    let update = RetrievalUpdate(base, retrieval, kept: stored.kept, adding: table)
    _ = try Self.labels(update.names)
    let settings = ClassifierSettings.retrieval(colorWeight: base.recipe.colorWeight)
    var model = update.model(provenance(table, settings, [:]))
    model.campus = campus
    model.place = place(table, update, of: base)
    var result = TrainingResult(
      model,
      table: FeatureTable(
        rows: table.rows, skipped: digests.skipped + table.skipped, failures: table.failures),
      fit: ClassifierFit(classifier: model.classifier, iterations: 0, converged: true), search: nil,
      heldOut: nil, changes: nil)
    result.keepsCalibration = true
    return result
  }

  /// Throws if the model does not record its photos, or if its recipe has a different number of views.
  private static func check(_ retrieval: RetrievalClassifier, against base: Model) throws {
    try base.recipe.checkTraining()
    let views = TrainingViews.onceAmongAll(of: base.recipe).count
    guard retrieval.viewsPerPhoto == views else {
      throw CupolaError.badModel(
        .inconsistent(
          "it stores \(retrieval.viewsPerPhoto) views per photo, but its recipe has \(views)"))
    }
    for (number, label) in base.labels.names.enumerated() {
      let digests = base.provenance.photoDigests[label]?.values.count ?? 0
      guard retrieval.views(of: number).count == digests * retrieval.viewsPerPhoto else {
        throw CupolaError.badModel(
          .inconsistent("its stored photos of \(label) do not match its provenance"))
      }
    }
  }

  private func place(
    _ table: FeatureTable, _ update: RetrievalUpdate, of base: Model
  ) -> PlaceModel? {
    let labels = Labels(update.names)
    let index = labels.names.indexByElement
    let photos = table.rows.enumerated().compactMap { number, row in
      index[row.photo.label].map {
        PlaceFit.Photo(metadata: row.metadata, label: $0, group: number)
      }
    }
    let added = PlaceFit(photos: photos, labels: labels, campus: campus).model(heldOut: [])
    guard var place = base.place ?? added else { return nil }
    let before = (base.place?.viewpoints ?? [:]).filter { update.kept.contains($0.key) }
    place.viewpoints = before.merging(added?.viewpoints ?? [:]) { ($0 + $1) }
      .mapValues { $0.sampled(to: PlaceModel.mostViewpoints) }
    return place
  }
}

/// Splits the training photos into those that the model already stores and new ones.
struct StoredPhotos {
  let kept: Set<String>
  let new: [LabeledPhoto]

  init(
    of provenance: Provenance, _ photos: [(photo: LabeledPhoto, digest: String)],
    keepsOthers: Bool
  ) {
    let given = Dictionary(grouping: photos, by: \.photo.label)
    var kept: Set<String> = []
    var unknown: [LabeledPhoto] = []
    for label in Set(given.keys).union(provenance.photos.keys).sorted() {
      var stored = Self.counts(provenance.photoDigests[label]?.values ?? [])
      let others = (given[label] ?? []).filter { _, digest in
        let short = PhotoDigests(sha256: [digest]).values[0]
        guard let left = stored[short], left > 0 else { return true }
        stored[short] = left - 1
        return false
      }
      let stays = keepsOthers || (given[label] == nil && DrawnPhotos.labels.contains(label))
      if stays || stored.values.allSatisfy({ $0 == 0 }) {
        if provenance.photos[label] != nil { kept.insert(label) }
        unknown += others.map(\.photo)
      } else {
        // Copy hashes are recorded per label, so process all photos of the label again.
        unknown += (given[label] ?? []).map(\.photo)
      }
    }
    (self.kept, new) = (kept, unknown)
  }

  private static func counts(_ digests: [String]) -> [String: Int] {
    digests.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }
}

/// The stored photos of a retrieval model after an update: those kept and those added.
struct RetrievalUpdate {
  private let base: Model
  private let retrieval: RetrievalClassifier
  let kept: Set<String>
  private let photos: [String: [Photo]]

  private struct Photo {
    let digest: String
    let codes: [UInt8]
  }

  init(
    _ base: Model, _ retrieval: RetrievalClassifier, kept: Set<String>, adding table: FeatureTable
  ) {
    var photos: [String: [Photo]] = [:]
    for (number, label) in base.labels.names.enumerated() where kept.contains(label) {
      photos[label] = Self.photos(
        of: number, in: retrieval, base.provenance.photoDigests[label]?.values ?? [])
    }
    let examples = table.examples(base.recipe)
    let views = table.views(base.recipe)
    for (number, row) in table.rows.enumerated() {
      let codes = views.rowsOnce(of: number).flatMap {
        retrieval.quantizer.code(of: retrieval.query(examples.row($0)))
      }
      photos[row.photo.label, default: []].append(
        Photo(digest: PhotoDigests(sha256: [row.digest]).values[0], codes: codes))
    }
    self.photos = photos.mapValues { $0.sorted { $0.digest < $1.digest } }
    (self.base, self.retrieval, self.kept) = (base, retrieval, kept)
  }

  private static func photos(
    of label: Int, in retrieval: RetrievalClassifier, _ digests: [String]
  ) -> [Photo] {
    let bytes = retrieval.viewsPerPhoto * retrieval.quantizer.parts
    let start = retrieval.views(of: label).lowerBound * retrieval.quantizer.parts
    return digests.enumerated().map { number, digest in
      let from = start + number * bytes
      return Photo(digest: digest, codes: Array(retrieval.codes[from..<from + bytes]))
    }
  }

  var names: [String] { photos.keys.sorted() }

  func model(_ new: Provenance) -> Model {
    var model = base
    let unfamiliar = base.labels.unfamiliar.map { [base.labels.names[$0]] } ?? []
    model.labels = Labels(names + unfamiliar)
    let before = Dictionary(uniqueKeysWithValues: zip(base.labels.names, retrieval.biases))
    let ofBackgrounds = base.labels.trainedBackgrounds.first.map { retrieval.biases[$0] } ?? 0
    model.classifier = .retrieval(
      retrieval.storing(
        model.labels.names.map { name in photos[name].map { $0.flatMap(\.codes) } ?? [] },
        biases: model.labels.names.map { name in
          before[name] ?? (Labels.isBackground(name) ? ofBackgrounds : 0)
        }))
    model.provenance = provenance(new)
    return model
  }

  private func provenance(_ new: Provenance) -> Provenance {
    let old = base.provenance
    var result = old
    result.version = new.version
    result.kernel = new.kernel
    result.photos = photos.mapValues(\.count)
    result.photoDigests = photos.mapValues { PhotoDigests(sha256: $0.map(\.digest)) }
    result.photoHashes = staying(old.photoHashes).merging(new.photoHashes) {
      PhotoHashes($0.values + $1.values)
    }
    result.photoMiddles = staying(old.photoMiddles).merging(new.photoMiddles) {
      PhotoHashes($0.values + $1.values)
    }
    // Both sets may share days, so use the larger count. Ignore a single new day if the earlier days are unknown.
    let days = new.captureDays.filter { label, days in
      days > 1 || !kept.contains(label) || old.captureDays[label] != nil
    }
    result.captureDays = staying(old.captureDays).merging(days, uniquingKeysWith: max)
    result.recall = staying(old.recall)
    var hash = SHA256()
    for name in names {
      for photo in photos[name] ?? [] { hash.update(Array("\(name)\n\(photo.digest)\n".utf8)) }
    }
    result.dataDigest = hash.hexadecimal()
    result.featuresSource =
      result.photoDigests == old.photoDigests
      ? old.featuresSource
      : old.featuresSource ?? Provenance.Source(dataDigest: old.dataDigest, seed: old.seed)
    if result.photoDigests == old.photoDigests { result.dataDigest = old.dataDigest }
    return result
  }

  private func staying<Value>(_ values: [String: Value]) -> [String: Value] {
    values.filter { kept.contains($0.key) }
  }
}
