internal import Cupola

/// The feature vectors of many photos, and what was learned about the photos on the way.
struct FeatureTable: Sendable {
  /// One a photo that could be used.
  struct Row: Sendable {
    let photo: LabeledPhoto
    /// SHA-256 of the file.
    let digest: String
    let metadata: PhotoMetadata
    /// The photo made small, to find copies by.
    var thumbnail: LumaThumbnail?
    /// One feature vector a training view.
    let features: FeatureBlock
    /// Whether they came from the cache.
    var isReused = false

    /// What tells whether it shows nearly the same as another.
    var traits: PhotoTraits {
      PhotoTraits(photo: photo, digest: digest, metadata: metadata, thumbnail: thumbnail)
    }
  }

  let rows: [Row]
  let skipped: [SkippedFile]
  /// What could not be read again of features that stayed in their files.
  let failures: ReadingFailures

  /// Photos that were described before.
  init(rows: [Row], skipped: [SkippedFile], failures: ReadingFailures) {
    (self.rows, self.skipped, self.failures) = (rows, skipped, failures)
  }

  /// Reads and describes all photos; what fails is listed and left out.
  ///
  /// - Parameter keepsInFiles: whether features that the cache has stay there: those of many photos fill the
  ///   memory.
  init(
    _ photos: [LabeledPhoto], source: FeatureSource, keepsInFiles: Bool = false, threads: Int,
    progress: (@Sendable (Int) -> Void)?
  ) async {
    let failures = ReadingFailures()
    self.failures = failures
    (rows, skipped) = await photos.reading(threads: threads, progress: progress) {
      photo throws(CupolaError) in
      try FeatureTable.describe(photo, source, keepsInFiles ? failures : nil)
    }
  }

  /// The feature vectors of all rows, a row a photo and view.
  func examples(_ recipe: Recipe) -> ExampleRows {
    ExampleRows(rows.map(\.features), columns: recipe.featureCount)
  }

  /// Which of those are views of which row.
  func views(_ recipe: Recipe) -> PhotoViews {
    PhotoViews(
      counts: rows.map { $0.features.shape[0] }, testView: recipe.testView,
      once: TrainingViews.onceAmongAll(of: recipe))
  }

  private static func describe(
    _ photo: LabeledPhoto, _ source: FeatureSource, _ failures: ReadingFailures?
  ) throws(CupolaError) -> Row {
    let opened = try photo.opened(by: source.decoder)
    let digest = SHA256.hexadecimal(of: opened.bytes)
    let described = try source.describe(
      opened, digest: digest, isDrawn: DrawnPhotos.labels.contains(photo.label))
    let file = failures.flatMap { source.file(of: described, failures: $0) }
    return Row(
      photo: photo, digest: digest, metadata: photo.metadata(of: opened),
      thumbnail: described.thumbnail,
      features: file.map(FeatureBlock.file) ?? .memory(described.features),
      isReused: described.isReused)
  }
}

extension FeatureTable {
  /// The photos in the order in which a classifier learns from them: retrieval remembers those of a label by their
  /// digests, as ``Provenance`` lists them.
  func order(for classifier: ClassifierKind) -> [Int] {
    guard classifier == .retrieval else { return Array(rows.indices) }
    return rows.indices.sorted { (rows[$0].digest, $0) < (rows[$1].digest, $1) }
  }
}
