internal import Cupola

/// A folder of shards: the described photos of one training, whoever described them.
public struct FeatureShards: Sendable {
  /// The folder.
  public let folder: String
  let plan: FeaturePlan
  /// In the order of a training that reads the photos themselves: by role, then by name.
  let rows: [FeatureTable.Row]
  let failures: ReadingFailures
  /// Photos that could not be described.
  public let skipped: [SkippedFile]

  /// Reads all shards of a folder, in whatever order they are there.
  ///
  /// - Throws: ``TrainingError/badShard(path:problem:)`` when one is damaged, missing, there twice, or disagrees
  ///   with the others or with this machine; ``TrainingError/noShards(path:command:)``; ``TrainingError/file(_:)``.
  public init(folder: String) throws(TrainingError) {
    self.folder = folder
    var shards: [FeatureShard] = []
    for path in try SealedTensors.paths(in: folder) {
      shards.append(try FeatureShard(contentsOf: path))
    }
    guard let first = shards.first else {
      throw .noShards(path: folder, command: "cupola features")
    }
    try Self.checkPlans(shards)
    try ShardPlace.check(
      shards.map { ($0.path, $0.part) }, in: folder, madeBy: "cupola features")
    try ShardPlace.checkNames(
      shards.lazy.flatMap { shard in shard.rows.map { ($0.role, $0.name, shard.path) } })
    plan = first.plan
    let failures = ReadingFailures()
    self.failures = failures
    rows = shards.flatMap { shard in
      zip(shard.rows, shard.table(failures: failures)).map { ($0.role, $1) }
    }
    .sorted {
      $0.0 == $1.0 ? $0.1.photo.name.precedes($1.1.photo.name) : $0.0 < $1.0
    }.map(\.1)
    skipped = FeatureShard.Skipped.files(shards.flatMap(\.skipped))
  }

  private static func checkPlans(_ shards: [FeatureShard]) throws(TrainingError) {
    for shard in shards.dropFirst() {
      if let difference = shard.plan.difference(to: shards[0].plan) {
        throw .badShard(
          path: shard.path, problem: "disagrees with \(shards[0].path): \(difference)")
      }
    }
    let (plan, path) = (shards[0].plan, shards[0].path)
    if plan.version != cupolaVersion {
      throw .badShard(
        path: path,
        problem:
          "made by Cupola \(plan.version), this is \(cupolaVersion); describe the photos anew")
    }
    let kernel = PackedMatrix.kernel
    if plan.kernel != kernel {
      throw .badShard(
        path: path,
        problem: "made with the numeric kernel \(plan.kernel), this machine has \(kernel); "
          + "describe the photos anew")
    }
  }
}
