public import Cupola

// 1. Read every photo once: lighting, sharpness, thumbnail and features (`CheckedPhoto`).
// 2. Find copies and run a quick cross-validation.
// 3. Run all rules and sort their findings.

/// Checks a photo folder for problems and improvements without changing it.
public struct DatasetCheck: Sendable {
  /// The findings, most severe first.
  public let findings: [CheckFinding]
  package let labels: [String: Int]
  /// The number of photos of each building that is known.
  let buildings: [String: Int]
  let ofUnknown: Int
  package let photos: Int
  package let usable: Int
  package let ignored: IgnoredFiles
  package let coverage: [BuildingCoverage]
  package let validation: QuickCrossValidation?
  package let labelMatching: LabelMatching?
  let set: PhotoSet
  /// The map, in which buildings have the labels of the photos.
  let campus: Campus?
  let ofBuildings: Int
  /// The photos of buildings whose position is known, sorted by name.
  let viewpoints: [Viewpoint]

  struct Viewpoint: Sendable {
    let name: String
    let label: String
    let position: Position
  }

  private static let rules: [any CheckRule.Type] = [
    AmountRule.self, OnlyTestedRule.self, LayoutRule.self, PlaceRule.self, DuplicateRule.self,
    LabelNameRule.self, UnusableRule.self, SuspectRule.self, QualityRule.self, EmptyFolderRule.self,
    BackgroundKindRule.self, SessionRule.self, StorageRule.self,
  ]

  /// Checks the photos of a folder, reading each photo once.
  ///
  /// - Parameters:
  ///   - set: The photos of a folder.
  ///   - campus: The map whose positions and labels are compared with the photos.
  ///   - decoder: The decoder of the photos.
  ///   - threads: The number of photos to read concurrently.
  ///   - progress: Called with the number of photos read.
  ///   - comparing: Called with the number of photos compared, including unreadable ones.
  /// - Throws: ``TrainingError/nothingFound(_:)`` if there are no photos; ``TrainingError/unusable(_:)`` if OpenBLAS is
  ///   missing on Linux.
  public init(
    of set: PhotoSet, campus: Campus? = nil, decoder: PhotoDecoder, threads: Int,
    progress: (@Sendable (Int) -> Void)? = nil, comparing: (@Sendable (Int) -> Void)? = nil
  ) async throws(TrainingError) {
    try await self.init(
      of: set, campus: campus, reader: await Self.reader(of: set.photos, decoder, threads),
      seen: [:], threads: threads, progress: progress, comparing: comparing)
  }

  init(
    of set: PhotoSet, campus: Campus?, reader: PhotoReader, seen: [[UInt8]: CheckedPhoto],
    threads: Int, progress: (@Sendable (Int) -> Void)?, comparing: (@Sendable (Int) -> Void)?
  ) async throws(TrainingError) {
    guard !set.photos.isEmpty || !set.skipped.isEmpty else {
      throw TrainingError.noLabelFolders(path: set.root)
    }
    do { try BLAS.load() } catch { throw .unusable(error) }
    let read = await set.photos.reading(threads: threads, progress: progress) {
      photo throws(CupolaError) in
      if let seen = seen[photo.file] {
        seen
      } else {
        try CheckedPhoto(reading: photo, with: reader)
      }
    }
    var checked = read.values
    let traits = checked.map(\.traits)
    let unread = set.photos.count - checked.count
    let copies = await Self.copies(
      among: traits, threads,
      progress: comparing.map { tell in { @Sendable compared in tell(unread + compared) } })
    let validation = await Self.validation(of: &checked, copies, threads)
    let asked = set.photos.filter { $0.split != .testUnknown }.map(\.label)
    let matching = campus.map { LabelMatching(asked, $0.buildings) }
    let joined = matching.flatMap { campus?.joined(by: $0) }
    let material = CheckInput(
      set: set, photos: checked, unusable: set.skipped + read.skipped,
      campus: joined, doubtful: matching?.doubtful ?? [], copies: copies, validation: validation)
    (self.validation, self.set, labelMatching) = (validation, set, matching)
    self.campus = joined
    photos = set.photos.count
    usable = checked.count
    ignored = set.ignoredFiles
    labels = Dictionary(grouping: checked, by: \.label).mapValues(\.count)
    buildings = material.buildings.mapValues(\.count)
    ofUnknown = checked.count { $0.traits.photo.split == .testUnknown }
    let order = CheckFinding.Kind.allCases
    findings = Self.rules.flatMap { $0.findings(in: material) }.sorted {
      (order.firstIndex(of: $0.kind) ?? 0) < (order.firstIndex(of: $1.kind) ?? 0)
    }
    ofBuildings = buildings.values.reduce(0, +)
    viewpoints = material.buildings.values.joined().compactMap { photo in
      photo.traits.metadata.position.map {
        Viewpoint(name: photo.name, label: photo.label, position: $0)
      }
    }.sorted { $0.name.precedes($1.name) }
    let isDivided = set.areBuildingsDivided
    coverage = material.buildings.sorted { $0.key < $1.key }
      .flatMap {
        BuildingCoverage.rows(
          label: $0.key, photos: $0.value, campus: joined, isDivided: isDivided)
      }
      .filter { $0.knowsSides || !$0.shots.isEmpty || $0.times.contains { $0 > 0 } }
  }

  package var worst: CheckFinding.Severity? { findings.first?.kind.severity }

  /// Creates a reader; it skips features if OpenBLAS is missing on Linux.
  static func reader(
    of photos: [LabeledPhoto], _ decoder: PhotoDecoder, _ threads: Int
  ) async -> PhotoReader {
    let recipe = Recipe.fisher(.fast)
    var generator = SplitMix64(seed: 0)
    let fisher =
      (try? BLAS.load()) == nil
      ? nil
      : await FisherFit(settings: .fast, decoder: decoder, recipe: recipe)
        .fit(photos, threads: threads, using: &generator)
    // Non-building photos affect the features of buildings only if there are so many that memory matters.
    let buildings = photos.count { !Labels.isBackground($0.label) }
    return PhotoReader(
      decoder: decoder, recipe: recipe, extractor: fisher.map { .fisher($0) },
      sketch: FeatureSketch(
        values: recipe.featureCount, photos: max(buildings, photos.count / 4)))
  }

  private static func copies(
    among photos: [PhotoTraits], _ threads: Int, progress: (@Sendable (Int) -> Void)?
  ) async -> [NearDuplicates.Pair] {
    var pairs = await NearDuplicates.pairs(
      among: photos.map(\.thumbnail), threads: threads, progress: progress)
    let known = Set(pairs.map { [$0.first, $0.second] })
    var first: [String: Int] = [:]
    for (index, photo) in photos.enumerated() {
      guard let earlier = first[photo.digest] else {
        first[photo.digest] = index
        continue
      }
      if !known.contains([earlier, index]) {
        pairs.append(NearDuplicates.Pair(first: earlier, second: index, isMirrored: false))
      }
    }
    return pairs.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
  }

  /// Moves the features out of the photos, so that only one copy is in memory.
  private static func validation(
    of photos: inout [CheckedPhoto], _ copies: [NearDuplicates.Pair], _ threads: Int
  ) async -> QuickCrossValidation? {
    let groups = Grouping.groups(of: photos.map(\.traits), copies: copies)
    var sets = DisjointSets(count: photos.count)
    for pair in copies { sets.join(pair.first, pair.second) }
    let asked = photos.indices.filter { photos[$0].traits.photo.split != .testUnknown }
    let features = asked.compactMap { photos[$0].features }
    for photo in photos.indices { photos[photo].features = nil }
    guard features.count == asked.count, let size = features.first?.shape.last else { return nil }
    var validation = await QuickCrossValidation(
      of: ExampleSpan(of: ExampleRows(features, columns: size), threads: threads).coordinates,
      labels: asked.map { photos[$0].label }, numbers: asked, groups: asked.map { groups[$0] },
      copies: asked.map { sets.root(of: $0) }, threads: threads)
    let links = VisitLinks(copies, of: photos.map(\.traits), groups: groups)
    let linked = validation?.notHeldOut.compactMap { label -> AutomaticSplit.Scarce? in
      let own = asked.filter { photos[$0].label == label }.map { photo -> AutomaticSplit.Shown in
        (label, groups[photo], photos[photo].traits.metadata.capture?.dayName)
      }
      guard let origin = AutomaticSplit.origin(of: own) else { return nil }
      let scarce = links.explaining(AutomaticSplit.Scarce(label: label, origin: origin))
      return scarce.origin == .session ? nil : scarce
    }
    validation?.linked = linked ?? []
    return validation
  }
}

/// The properties of a photo that a check keeps; small enough for tens of thousands of photos.
struct CheckedPhoto: Sendable {
  let traits: PhotoTraits
  let width: Int
  let height: Int
  let components: Int
  let light: Light
  var features: SafeTensors.Tensor?

  var name: String { traits.photo.name }
  var label: String { traits.photo.label }

  init(reading photo: LabeledPhoto, with reader: PhotoReader) throws(CupolaError) {
    let opened = try photo.opened(by: reader.decoder)
    let image = try opened.image(minimumWidth: Light.side, minimumHeight: Light.side)
    try self.init(photo, opened, image, with: reader)
  }

  init(
    _ photo: LabeledPhoto, _ opened: Photo, _ image: RGBImage, with reader: PhotoReader
  ) throws(CupolaError) {
    let stored = opened.container
    (width, height, components) = (stored.width, stored.height, stored.components)
    let side = Light.side
    let square = AreaResampler.resize(
      image, region: PixelRect(x: 0, y: 0, width: image.width, height: image.height), width: side,
      height: side)
    light = Light(GrayImage(luma: square))
    if let extractor = reader.extractor {
      let input = reader.recipe.prepare(image, geometry: reader.recipe.geometry)
      features = SafeTensors.Tensor(
        halves: reader.sketch.applied(to: try extractor.features(of: input)),
        shape: [1, reader.sketch.size])
    }
    traits = PhotoTraits(
      photo: photo, digest: SHA256.hexadecimal(of: opened.bytes),
      metadata: photo.metadata(of: opened), thumbnail: LumaThumbnail(image))
  }
}

struct PhotoReader: Sendable {
  let decoder: PhotoDecoder
  let recipe: Recipe
  let extractor: FeatureExtractor?
  let sketch: FeatureSketch
}

struct Light: Equatable, Sendable {
  static let side = 256

  /// The 5th and 95th percentiles of the gray levels.
  let dark: Int
  let bright: Int
  /// The variance of the Laplacian divided by the variance of the gray levels; `nil` for uniform images.
  ///
  /// The range is 0...72 (after Pech-Pacheco et al. 2000).
  let sharpness: Double?

  init(_ image: GrayImage) {
    var histogram = [Int](repeating: 0, count: 256)
    for sample in image.samples { histogram[min(Int(sample), 255)] += 1 }
    func level(_ share: Double) -> Int {
      var left = Int(share * Double(image.samples.count))
      return histogram.firstIndex { count in
        left -= count
        return left < 0
      } ?? 255
    }
    (dark, bright) = (level(0.05), level(0.95))
    let variance = Self.variance(image.samples)
    sharpness = variance < 1 ? nil : Self.variance(Self.laplacian(image)) / variance
  }

  private static func laplacian(_ image: GrayImage) -> [Float] {
    let (width, source) = (image.width, image.samples.span)
    var values: [Float] = []
    values.reserveCapacity(source.count)
    for y in 1..<max(1, image.height - 1) {
      let above = source.extracting((y - 1) * width..<y * width)
      let row = source.extracting(y * width..<(y + 1) * width)
      let below = source.extracting((y + 1) * width..<(y + 2) * width)
      for x in 1..<max(1, width - 1) {
        values.append(above[x] + below[x] + row[x - 1] + row[x + 1] - 4 * row[x])
      }
    }
    return values
  }

  private static func variance(_ values: [Float]) -> Double {
    guard !values.isEmpty else { return 0 }
    let count = Double(values.count)
    let mean = values.reduce(0.0) { $0 + Double($1) } / count
    return values.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / count
  }
}
