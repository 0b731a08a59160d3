package import Cupola

// 1. Define how features are computed (`FeaturePlan`).
// 2. Compare plans before combining their features.
// 3. Compute the features of a part of the photos and write a shard (`ShardDescriber`).

/// How the shards of one training set compute features: the recipe and the fitted extractor.
///
/// Equal plans produce equal features on all machines that use the same numeric kernel.
public struct FeaturePlan: Sendable {
  let recipe: Recipe
  let extractor: FeatureExtractor
  let scale: TrainingScale
  let seed: UInt64
  package let lenient: Bool
  let version: String
  let kernel: String
  let probe: String

  enum Name {
    static let format = "format"
    static let version = "cupola_version"
    static let kernel = "kernel"
    static let recipe = "recipe"
    static let scale = "scale"
    static let seed = "seed"
    static let lenient = "lenient"
    static let probe = "probe"
  }
  static let format = "cupola.features/1"
  static let mostBytes = 64 << 20

  init(
    recipe: Recipe, extractor: FeatureExtractor, scale: TrainingScale, seed: UInt64,
    decoder: PhotoDecoder
  ) {
    (self.recipe, self.extractor, self.scale, self.seed) = (recipe, extractor, scale, seed)
    lenient = decoder.lenient
    (version, kernel) = (cupolaVersion, PackedMatrix.kernel)
    probe = FeatureCache.probe(recipe, decoder) { try extractor.features(of: $0) }
  }

  /// Reads a file written by ``write(to:)``.
  ///
  /// - Throws: ``TrainingError/badFile(path:problem:)``, ``TrainingError/file(_:)``.
  public init(contentsOf path: String) throws(TrainingError) {
    let bytes = try TrainingError.files { () throws(FileError) in
      try FileAccess.read(path, limit: Self.mostBytes)
    }
    do {
      let file = try SafeTensors(bytes: bytes, mostTensors: FeatureCache.mostTensors)
      try self.init(metadata: file.metadata, tensors: file)
    } catch CupolaError.badModel(let fault) {
      throw .badShard(path: path, problem: "not a feature plan: \(fault.message)")
    } catch {
      throw .badShard(path: path, problem: "not a feature plan: \(error)")
    }
  }

  init(metadata: [String: String], tensors: SafeTensors) throws {
    func text(_ name: String) throws -> String {
      guard let text = metadata[name] else {
        throw CupolaError.badModel(.missing("metadata entry \(name)"))
      }
      return text
    }
    let format = metadata[Name.format] ?? "file from another program"
    guard format == Self.format else {
      let isLater = format.hasPrefix("cupola.features/")
      throw CupolaError.badModel(
        isLater
          ? .unknownVersion(format)
          : .inconsistent("it is a \(format); use a file written by cupola features --mixture"))
    }
    recipe = try ModelFile.value(Recipe.self, inJSON: try text(Name.recipe))
    try recipe.check()
    extractor = try recipe.features.extractor(in: tensors)
    guard let scale = TrainingScale(rawValue: try text(Name.scale)),
      let seed = UInt64(try text(Name.seed))
    else { throw CupolaError.badModel(.badHeader("invalid scale or seed in its metadata")) }
    (self.scale, self.seed) = (scale, seed)
    lenient = try text(Name.lenient) == "true"
    (version, kernel, probe) = (
      try text(Name.version), try text(Name.kernel), try text(Name.probe)
    )
  }

  var shape: [Int] {
    [scale.views.views(of: recipe, isDrawn: false).count, recipe.featureCount]
  }

  var metadata: [String: String] {
    [
      Name.format: Self.format, Name.version: version, Name.kernel: kernel,
      Name.recipe: recipe.cacheIdentity, Name.scale: scale.rawValue, Name.seed: "\(seed)",
      Name.lenient: "\(lenient)", Name.probe: probe,
    ]
  }

  /// Writes the plan to a file, atomically.
  ///
  /// - Throws: ``TrainingError/file(_:)``, ``TrainingError/badFile(path:problem:)``.
  public func write(to path: String) throws(TrainingError) {
    var file = SafeTensors()
    (file.metadata, file.tensors) = (metadata, extractor.tensors)
    let bytes: [UInt8]
    do { bytes = try file.bytes() } catch {
      throw .badShard(path: path, problem: "\(error)")
    }
    try TrainingError.files { () throws(FileError) in try FileAccess.write(bytes, to: path) }
  }

  var here: FeaturePlan {
    FeaturePlan(
      recipe: recipe, extractor: extractor, scale: scale, seed: seed, decoder: decoder)
  }

  /// Describes the first difference from another plan; `nil` if their features can be combined.
  func difference(to other: FeaturePlan) -> String? {
    if version != other.version {
      return "Cupola versions \(version) and \(other.version); use one version for all photos"
    }
    if kernel != other.kernel {
      return "numeric kernels \(kernel) and \(other.kernel); use one kernel for all photos"
    }
    if recipe != other.recipe || scale != other.scale || lenient != other.lenient {
      return "different recipes; use one recipe (--mixture) for all photos"
    }
    if seed != other.seed || extractor != other.extractor {
      return "features fitted to different photos; use one --mixture for all photos"
    }
    return probe == other.probe ? nil : "photos decoded differently; use one libjpeg for all photos"
  }

  var decoder: PhotoDecoder {
    var decoder = PhotoDecoder()
    decoder.lenient = lenient
    return decoder
  }

  func source(
    cache: FeatureCache?, locate: (@Sendable (String, PhotoMetadata) -> Position?)? = nil
  ) -> FeatureSource {
    var decoder = decoder
    decoder.locate = locate
    return FeatureSource(
      recipe: recipe, extractor: extractor, decoder: decoder, cache: cache, views: scale.views)
  }
}

/// Computes the features of photos and writes them as a shard, for training on another machine.
public struct ShardDescriber: Sendable {
  package let plan: FeaturePlan
  /// The cache of features; without a cache, a whole shard's features stay in memory.
  public var cache: FeatureCache?
  /// The number of photos to process concurrently; the result does not depend on it.
  public var threads = 1
  /// Supplies positions to photos without one.
  package var locate: (@Sendable (_ path: String, _ metadata: PhotoMetadata) -> Position?)?

  /// The result of writing a shard.
  public struct Summary: Sendable {
    package let photos: Int
    /// Photos whose features could not be computed, and the reasons.
    public let skipped: [SkippedFile]
    package let reused: Int
  }

  /// Creates a describer that follows a plan.
  public init(plan: FeaturePlan) { self.plan = plan }

  /// Computes the features of photos and writes a shard.
  ///
  /// - Parameters:
  ///   - photos: Building and background photos.
  ///   - negatives: Non-building photos, listed separately.
  ///   - part: The part of both lists to process; `nil` processes all.
  ///   - path: The output file.
  ///   - progress: Called with the number of photos read.
  /// - Throws: ``TrainingError/badFile(path:problem:)`` if version, numeric kernel or decoder differ from the plan;
  ///   ``TrainingError/noUsablePhotos(path:failures:)`` if all photos are unusable; ``TrainingError/file(_:)``;
  ///   ``TrainingError/canceled``.
  public func write(
    _ photos: [LabeledPhoto], negatives: [LabeledPhoto] = [], part: ShardPart? = nil,
    to path: String, progress: (@Sendable (Int) -> Void)? = nil
  ) async throws(TrainingError) -> Summary {
    // The plan may come from a machine that computes different features.
    if let difference = plan.difference(to: plan.here) {
      throw .badShard(
        path: path,
        problem: "not written; this machine differs from the one that fitted the mixture: "
          + difference
      )
    }
    let listing = ShardListing(photos, negatives: negatives)
    let chosen = listing.part(part)
    let table = await FeatureTable(
      chosen.map(\.photo), source: plan.source(cache: cache, locate: locate), keepsInFiles: true,
      threads: threads, progress: progress)
    guard !Task.isCancelled else { throw .canceled }
    // One of several parts may have no usable photos; its list of skipped photos is still needed.
    guard part.map({ $0.of > 1 }) ?? false || !table.rows.isEmpty || chosen.isEmpty else {
      throw .noUsablePhotos(path: path, failures: chosen.count)
    }
    cache?.trim(sparing: chosen.count)
    var roles = ShardListing.roles(of: chosen)
    let rows = table.rows.map {
      FeatureShard.Row(role: roles.next(for: $0.photo), described: $0)
    }
    try FeatureShard.write(
      rows, skipped: table.skipped.map(FeatureShard.Skipped.init), failures: table.failures,
      plan: plan, part: part.map(listing.place), to: path)
    return Summary(
      photos: rows.count, skipped: table.skipped, reused: table.rows.count(where: \.isReused))
  }
}
