/// Describes photos for a training that happens elsewhere, and writes them as a shard.
public struct ShardDescriber: Sendable {
  /// How photos become features.
  public let plan: FeaturePlan
  /// Where features are kept for the next time; without one, those of all photos of a shard are in memory.
  public var cache: FeatureCache?
  /// Photos worked on at a time; the shard does not depend on it.
  public var threads = 1

  /// What came of a shard.
  public struct Summary: Sendable {
    /// Photos that were described.
    public let photos: Int
    /// Photos that could not be, and why.
    public let skipped: [SkippedFile]
    /// Photos whose features came from the cache.
    public let reused: Int
  }

  /// A describer by a plan.
  public init(plan: FeaturePlan) { self.plan = plan }

  /// Describes photos and writes a shard of them.
  ///
  /// - Parameters:
  ///   - photos: buildings and backgrounds.
  ///   - negatives: things that are no buildings, listed beside them.
  ///   - part: which of both to describe; `nil` is all, of a listing that somebody else divided.
  ///   - path: the file to be written.
  ///   - progress: told how many photos have been read.
  /// - Throws: ``TrainingError/badShard(path:problem:)`` when version, numeric kernel or decoder are not the plan's;
  ///   ``TrainingError/noUsablePhotos(path:failures:)`` when none of all of them can be used;
  ///   ``TrainingError/file(_:)``, ``TrainingError/canceled``.
  public func write(
    _ photos: [LabeledPhoto], negatives: [LabeledPhoto] = [], part: ShardPart? = nil,
    to path: String, progress: (@Sendable (Int) -> Void)? = nil
  ) async throws(TrainingError) -> Summary {
    // A plan of another machine says nothing of what this one computes.
    if let difference = plan.difference(to: plan.here) {
      throw .badShard(
        path: path, problem: "not written, this machine is not the mixture's: \(difference)")
    }
    let listing = ShardListing(photos, negatives: negatives)
    let chosen = listing.part(part)
    let table = await FeatureTable(
      chosen.map(\.photo), source: plan.source(cache: cache), keepsInFiles: true, threads: threads,
      progress: progress)
    guard !Task.isCancelled else { throw .canceled }
    // One of many parts may have none: the others wait for it, and for what it says of its photos.
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
