internal import Cupola

// 1. Look up a photo's features in the cache (`FeatureSource`).
// 2. Otherwise decode the photo and compute the features of each view (`TrainingViews`).
// 3. Process many photos in parallel (`FeatureTable`).

struct FeatureTable: Sendable {
  struct Row: Sendable {
    let photo: LabeledPhoto
    let digest: String
    let metadata: PhotoMetadata
    var thumbnail: LumaThumbnail?
    let features: FeatureBlock
    var isReused = false
    /// The size of the upright image in pixels; `nil` if a shard does not contain it.
    var size: (width: Int, height: Int)?

    var traits: PhotoTraits {
      PhotoTraits(photo: photo, digest: digest, metadata: metadata, thumbnail: thumbnail)
    }
  }

  let rows: [Row]
  let skipped: [SkippedFile]
  let failures: ReadingFailures

  init(rows: [Row], skipped: [SkippedFile], failures: ReadingFailures) {
    (self.rows, self.skipped, self.failures) = (rows, skipped, failures)
  }

  /// Computes the features of all photos, and lists unusable photos in `skipped`.
  ///
  /// - Parameter keepsInFiles: Whether to leave cached features in their files, to limit memory.
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

  func examples(_ recipe: Recipe) -> ExampleRows {
    ExampleRows(rows.map(\.features), columns: recipe.featureCount)
  }

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
      isReused: described.isReused, size: (opened.width, opened.height))
  }
}

extension FeatureTable {
  /// The photos in training order; for retrieval, they are sorted by digest, as in ``Provenance``.
  func order(for classifier: ClassifierKind) -> [Int] {
    guard classifier == .retrieval else { return Array(rows.indices) }
    return rows.indices.sorted { (rows[$0].digest, $0) < (rows[$1].digest, $1) }
  }
}

/// Computes the features of all training views of a photo, or reads them from the cache.
struct FeatureSource: Sendable {
  let recipe: Recipe
  let extractor: FeatureExtractor
  let decoder: PhotoDecoder
  let views: TrainingViews
  private let cache: FeatureCache?
  let identity: [String]

  private enum Name {
    static let features = "features"
    static let thumbnail = "luma"
  }

  struct Description {
    let features: SafeTensors.Tensor
    let thumbnail: LumaThumbnail
    let isReused: Bool
    var key: FeatureCache.Key?
  }

  init(
    recipe: Recipe, extractor: FeatureExtractor, decoder: PhotoDecoder, cache: FeatureCache?,
    views: TrainingViews = .all
  ) {
    self.views = views
    self.recipe = recipe
    self.extractor = extractor
    self.decoder = decoder
    self.cache = cache
    guard cache != nil else {
      identity = []
      return
    }
    identity = [
      "features", cupolaVersion, PackedMatrix.kernel, decoder.lenient ? "lenient" : "strict",
      recipe.cacheIdentity, ModelFile.digest(of: extractor.tensors),
      FeatureCache.probe(recipe, decoder) { try extractor.features(of: $0) },
    ]
  }

  func describe(
    _ photo: Photo, digest: String, isDrawn: Bool = false
  ) throws(CupolaError) -> Description {
    let chosen = views.views(of: recipe, isDrawn: isDrawn)
    let key = key(chosen, digest: digest, isDrawn: isDrawn)
    if let cached = cached(key, views: chosen.count) { return cached }
    if let cached = fromAllViews(chosen, digest: digest, isDrawn: isDrawn) { return cached }
    let image = try recipe.decode(photo)
    let shape = [chosen.count, recipe.featureCount]
    var values: [Float] = []
    values.reserveCapacity(shape.reduce(1, *))
    for view in chosen {
      let square = recipe.prepare(image, geometry: view.geometry)
      values += try extractor.features(
        of: square.upright(from: view.isMirrored ? .upMirrored : .up))
    }
    let features = SafeTensors.Tensor(halves: values, shape: shape)
    let thumbnail = LumaThumbnail(image)
    return keep(features, thumbnail, key, isReused: false)
  }

  private func keep(
    _ features: SafeTensors.Tensor, _ thumbnail: LumaThumbnail, _ key: FeatureCache.Key,
    isReused: Bool
  ) -> Description {
    let side = LumaThumbnail.side
    let small = SafeTensors.Tensor(type: "U8", shape: [side, side], bytes: thumbnail.samples)
    let isKept = cache?.write([Name.features: features, Name.thumbnail: small], key) ?? false
    return Description(
      features: features, thumbnail: thumbnail, isReused: isReused, key: isKept ? key : nil)
  }

  func file(of description: Description, failures: ReadingFailures) -> FeatureFile? {
    guard let key = description.key, let cache,
      let place = cache.place(of: Name.features, key), place.type == "F16",
      place.shape == description.features.shape
    else { return nil }
    return FeatureFile(
      path: cache.path(of: key), offset: place.bytes.lowerBound, shape: place.shape,
      failures: failures)
  }

  private func key(
    _ chosen: [TrainingViews.View], digest: String, isDrawn: Bool
  ) -> FeatureCache.Key {
    // Equal views share a key, regardless of which setting selected them.
    let isAll = chosen == TrainingViews.all.views(of: recipe, isDrawn: isDrawn)
    return FeatureCache.Key(
      identity + [isAll ? "\(chosen.count)" : "\(views.rawValue) \(chosen.count)", digest])
  }

  private func cached(_ key: FeatureCache.Key, views count: Int) -> Description? {
    guard let cached = cache?.read(key)?.tensors, let features = cached[Name.features],
      features.type == "F16", features.shape == [count, recipe.featureCount],
      FeatureBlock.areFeatures(features.bytes[...]),
      let thumbnail = cached[Name.thumbnail].flatMap({ LumaThumbnail(samples: $0.bytes) })
    else { return nil }
    return Description(features: features, thumbnail: thumbnail, isReused: true, key: key)
  }

  private func fromAllViews(
    _ chosen: [TrainingViews.View], digest: String, isDrawn: Bool
  ) -> Description? {
    let all = TrainingViews.all.views(of: recipe, isDrawn: isDrawn)
    guard all != chosen, cache != nil,
      let cached = cached(key(all, digest: digest, isDrawn: isDrawn), views: all.count)
    else { return nil }
    let size = cached.features.bytes.count / all.count
    let bytes = chosen.compactMap(all.firstIndex).flatMap {
      cached.features.bytes[$0 * size..<($0 + 1) * size]
    }
    let features = SafeTensors.Tensor(
      type: cached.features.type, shape: [chosen.count, recipe.featureCount], bytes: bytes)
    return keep(
      features, cached.thumbnail, key(chosen, digest: digest, isDrawn: isDrawn), isReused: true)
  }
}

extension Recipe {
  var cacheIdentity: String { (try? ModelFile.json(self)) ?? "\(self)" }
}

/// The views of a photo to use for training: its geometries, mirrored or not.
enum TrainingViews: String, Sendable {
  /// Every geometry, followed by the mirror image of each if the recipe mirrors.
  case all
  /// Every geometry once; if the recipe mirrors, every second one is mirrored, counted from the test view.
  case once

  struct View: Equatable, Sendable {
    let geometry: Geometry
    let isMirrored: Bool
  }

  static func onceAmongAll(of recipe: Recipe) -> [Int] {
    let all = Self.all.views(of: recipe, isDrawn: false)
    return once.views(of: recipe, isDrawn: false).compactMap(all.firstIndex).sorted()
  }

  func views(of recipe: Recipe, isDrawn: Bool) -> [View] {
    let mirrors = recipe.mirrorsTraining && !isDrawn
    let geometries = recipe.trainingGeometries
    switch self {
    case .all:
      let plain = geometries.map { View(geometry: $0, isMirrored: false) }
      return plain + (mirrors ? geometries.map { View(geometry: $0, isMirrored: true) } : [])
    case .once:
      return geometries.enumerated().map { index, geometry in
        View(
          geometry: geometry, isMirrored: mirrors && !(index - recipe.testView).isMultiple(of: 2))
      }
    }
  }
}
