internal import Cupola
internal import CupolaCampus

extension FeatureShard {
  /// Writes described photos, replacing a file only when the new one is whole.
  ///
  /// - Throws: ``TrainingError/file(_:)``, ``TrainingError/badShard(path:problem:)``.
  static func write(
    _ rows: [Row], skipped: [Skipped], plan: FeaturePlan, part: Part?, to path: String
  ) throws(TrainingError) {
    let learned = SafeTensors.ordered(plan.extractor.own.tensors)
    let head: [UInt8]
    do {
      let places = learned.map { ($0.name, $0.tensor.type, $0.tensor.shape) }
      head = try SafeTensors.head(
        places + Self.places(of: rows.count, plan),
        metadata: try metadata(rows, skipped, plan, part: part))
    } catch {
      throw .badShard(path: path, problem: "\(error)")
    }
    try TrainingError.files { () throws(FileError) in
      try FileAccess.write(to: path) { write throws(FileError) in
        var hash = SHA256()
        func add(_ bytes: [UInt8]) throws(FileError) {
          hash.update(bytes)
          try write(bytes)
        }
        try write(Array(head.prefix(8)))
        try add(Array(head.dropFirst(8)))
        for (_, tensor) in learned { try add(tensor.bytes) }
        for row in rows { try add(row.described.features.loaded.bytes) }
        for row in rows { try add(row.described.thumbnail?.samples ?? []) }
        try write(hash.digest())
      }
    }
  }

  /// A photo that was described, and what it was listed as.
  struct Row: Sendable {
    let role: Role
    let described: FeatureTable.Row

    fileprivate var entry: Entry {
      Entry(
        role: role, name: described.photo.name, label: described.photo.label,
        group: described.photo.group, sha256: described.digest,
        position: described.metadata.position, heading: described.metadata.heading,
        time: described.metadata.captureTime, isFaulty: !described.metadata.faults.isEmpty)
    }
  }

  private static func places(
    of photos: Int, _ plan: FeaturePlan
  ) -> [(name: String, type: String, shape: [Int])] {
    let side = LumaThumbnail.side
    return [
      (Name.features, "F16", [photos] + plan.shape),
      (Name.thumbnails, "U8", [photos, side, side]), (Name.digest, "U8", [32]),
    ]
  }

  private static func metadata(
    _ rows: [Row], _ skipped: [Skipped], _ plan: FeaturePlan, part: Part?
  ) throws -> [String: String] {
    var metadata = plan.metadata
    metadata[Name.photos] = try ModelFile.json(rows.map(\.entry))
    metadata[Name.skipped] = try ModelFile.json(skipped)
    metadata[Name.part] = try part.map(ModelFile.json)
    return metadata
  }
}
