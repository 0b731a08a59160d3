internal import Cupola
internal import CupolaCampus

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
  /// How many photos were described.
  public var photos: Int { rows.count }
  /// Whether damaged photos were accepted.
  public var isLenient: Bool { plan.lenient }

  /// Shards' names end so.
  static let suffix = ".safetensors"

  /// Reads all shards of a folder, in whatever order they are there.
  ///
  /// - Throws: ``TrainingError/badShard(path:problem:)`` when one is damaged, missing, there twice, or disagrees
  ///   with the others or with this machine; ``TrainingError/file(_:)``.
  public init(folder: String) throws(TrainingError) {
    self.folder = folder
    let names = try TrainingError.files { () throws(FileError) in
      try Directory.entries(of: folder)
    }
    .filter { !$0.isDirectory && $0.name.hasSuffix(Self.suffix) }.map(\.name).sorted()
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    var shards: [FeatureShard] = []
    for name in names { shards.append(try FeatureShard(contentsOf: base + name)) }
    guard let first = shards.first else {
      throw .badShard(path: folder, problem: "no shards there; make them with cupola features")
    }
    try Self.checkPlans(shards)
    try Self.checkParts(shards, folder)
    try Self.checkNames(shards)
    plan = first.plan
    let failures = ReadingFailures()
    self.failures = failures
    rows = shards.flatMap { shard in
      zip(shard.rows, shard.table(failures: failures)).map { ($0.role, $1) }
    }
    .sorted { ($0.0, $0.1.photo.name) < ($1.0, $1.1.photo.name) }.map(\.1)
    skipped = shards.flatMap(\.skipped).sorted { $0.name < $1.name }.map {
      SkippedFile(name: $0.name, reason: .told($0.problem))
    }
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
    if plan.kernel != BLAS.kernel {
      throw .badShard(
        path: path,
        problem: "made with the numeric kernel \(plan.kernel), this machine has \(BLAS.kernel); "
          + "set OPENBLAS_CORETYPE to that kernel, or describe the photos anew")
    }
  }

  /// Whether all parts of a listing are there, each once.
  private static func checkParts(
    _ shards: [FeatureShard], _ folder: String
  ) throws(TrainingError) {
    let parts = shards.compactMap(\.part)
    guard let first = parts.first else { return }
    for shard in shards {
      guard let part = shard.part, part.of == first.of, part.listing == first.listing else {
        throw .badShard(
          path: shard.path,
          problem: "not of the same photos, or not of \(first.of) shards as \(shards[0].path) is; "
            + "remove what is older")
      }
    }
    let numbers = Set(parts.map(\.number))
    if let missing = (1...first.of).first(where: { !numbers.contains($0) }) {
      throw .badShard(
        path: folder,
        problem: "shard \(missing) of \(first.of) is missing; run cupola features with --shard "
          + "\(missing)/\(first.of)")
    }
  }

  private static func checkNames(_ shards: [FeatureShard]) throws(TrainingError) {
    var owners: [String: String] = [:]
    for shard in shards {
      for entry in shard.rows {
        let name = "\(entry.role.rawValue) \(entry.name)"
        if let other = owners.updateValue(shard.path, forKey: name) {
          throw .badShard(
            path: shard.path, problem: "\(entry.name) is also in \(other); remove one of them")
        }
      }
    }
  }
}
