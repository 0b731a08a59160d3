internal import Cupola
internal import CupolaCampus

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

  /// Which of so many parts of a listing.
  public struct Part: Equatable, Sendable {
    /// From 1 on.
    public let number: Int
    /// How many parts there are.
    public let of: Int

    /// Fails unless 1 <= `number` <= `of`.
    public init?(_ number: Int, of: Int) {
      guard number >= 1, number <= of else { return nil }
      (self.number, self.of) = (number, of)
    }
  }

  /// Describes photos and writes a shard of them.
  ///
  /// - Parameters:
  ///   - photos: buildings and backgrounds.
  ///   - negatives: things that are no buildings, listed beside them.
  ///   - part: which of both to describe; `nil` is all, of a listing that somebody else divided.
  ///   - progress: told how many photos have been read.
  /// - Throws: ``TrainingError/badShard(path:problem:)`` when version, numeric kernel or decoder are not the plan's;
  ///   ``TrainingError/file(_:)``, ``TrainingError/canceled``.
  public func write(
    _ photos: [LabeledPhoto], negatives: [LabeledPhoto] = [], part: Part? = nil, to path: String,
    progress: (@Sendable (Int) -> Void)? = nil
  ) async throws(TrainingError) -> Summary {
    // A plan of another machine says nothing of what this one computes.
    if let difference = plan.difference(to: plan.here) {
      throw .badShard(
        path: path, problem: "not written, this machine is not the mixture's: \(difference)")
    }
    let listed =
      photos.map { (role: FeatureShard.Role.photos, photo: $0) }
      + negatives.map { (role: .negatives, photo: $0) }
    let chosen = listed.enumerated().filter { index, _ in
      part.map { index % $0.of == $0.number - 1 } ?? true
    }.map(\.element)
    let table = await FeatureTable(
      chosen.map(\.photo), source: plan.source(cache: cache), keepsInFiles: true, threads: threads,
      progress: progress)
    guard !Task.isCancelled else { throw .canceled }
    cache?.trim(sparing: chosen.count)
    // A photo is told from another by its role too: both may have the same name.
    var roles = Dictionary(grouping: chosen, by: \.photo.path).mapValues { $0.map(\.role) }
    let rows = table.rows.map { row in
      FeatureShard.Row(role: roles[row.photo.path]?.removeFirst() ?? .photos, described: row)
    }
    try FeatureShard.write(
      rows,
      skipped: table.skipped.map { FeatureShard.Skipped(name: $0.name, problem: $0.message) },
      plan: plan,
      part: part.map {
        FeatureShard.Part(number: $0.number, of: $0.of, listing: Self.digest(of: listed))
      }, to: path)
    try table.failures.check()
    return Summary(
      photos: rows.count, skipped: table.skipped, reused: table.rows.count(where: \.isReused))
  }

  private static func digest(
    of listed: [(role: FeatureShard.Role, photo: LabeledPhoto)]
  ) -> String {
    var hash = SHA256()
    for (role, photo) in listed {
      hash.update(Array("\(role.rawValue)\n\(photo.name)\n\(photo.label)\n".utf8))
    }
    return hash.hexadecimal()
  }
}
