internal import Cupola

/// What a retrieval model remembers after a change: what stays, and new photos among it.
struct RetrievalMemory {
  private let base: Model
  private let retrieval: RetrievalClassifier
  /// Labels all of whose photos stay.
  let kept: Set<String>
  /// Remembered photos by label, in the order of their digests.
  private let photos: [String: [Photo]]

  private struct Photo {
    let digest: String
    /// One code a view.
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

  /// The labels that have photos, sorted.
  var names: [String] { photos.keys.sorted() }

  // MARK: - The model

  /// - Parameter new: what a training of the new photos alone would say of itself.
  func model(_ new: Provenance) -> Model {
    var model = base
    let unfamiliar = base.labels.unfamiliar.map { [base.labels.names[$0]] } ?? []
    model.labels = Labels(names + unfamiliar)
    let before = Dictionary(uniqueKeysWithValues: zip(base.labels.names, retrieval.biases))
    let ofBackgrounds = base.labels.trainedBackgrounds.first.map { retrieval.biases[$0] } ?? 0
    model.classifier = .retrieval(
      retrieval.remembering(
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
    // Whether both were taken on the same days nobody knows any more, and one day beside unknown ones tells nothing.
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
