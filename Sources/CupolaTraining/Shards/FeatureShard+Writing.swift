internal import Cupola

extension FeatureShard {
  /// Writes described photos, replacing a file only when the new one is whole.
  ///
  /// - Parameter failures: told when features that stayed in their files cannot be read again.
  /// - Throws: ``TrainingError/file(_:)``, ``TrainingError/badShard(path:problem:)``.
  static func write(
    _ rows: [Row], skipped: [Skipped], failures: ReadingFailures, plan: FeaturePlan,
    part: ShardPlace?, to path: String
  ) throws(TrainingError) {
    let learned = SafeTensors.ordered(plan.extractor.own.tensors)
    let places = learned.map { ($0.name, $0.tensor.type, $0.tensor.shape) }
    let metadata = try SealedTensors.reading(path) {
      try Self.metadata(rows, skipped, plan, part: part)
    }
    let features = rows.lazy.map { $0.described.features.loaded.bytes }
    let thumbnails = rows.lazy.map { $0.described.thumbnail?.samples ?? [] }
    try SealedTensors.write(
      places + Self.places(of: rows.count, plan), metadata: metadata,
      bytes: [
        AnySequence(learned.map(\.tensor.bytes)), AnySequence(features), AnySequence(thumbnails),
      ]
      .joined(), failures: failures, to: path)
  }

  /// A photo that was described, and what it was listed as.
  struct Row: Sendable {
    let role: ShardListing.Role
    let described: FeatureTable.Row

    fileprivate var entry: Entry {
      Entry(
        role: role, name: described.photo.name, label: described.photo.label,
        group: described.photo.group, sha256: described.digest,
        position: described.metadata.position, heading: described.metadata.heading,
        time: described.metadata.captureTime, focalLength: described.metadata.focalLength,
        isFaulty: !described.metadata.faults.isEmpty)
    }
  }

  private static func places(
    of photos: Int, _ plan: FeaturePlan
  ) -> [(name: String, type: String, shape: [Int])] {
    [
      (Name.features, "F16", [photos] + plan.shape),
      (Name.thumbnails, "U8", LumaThumbnail.shape(of: photos)),
    ]
  }

  private static func metadata(
    _ rows: [Row], _ skipped: [Skipped], _ plan: FeaturePlan, part: ShardPlace?
  ) throws -> [String: String] {
    var metadata = plan.metadata
    metadata[Name.photos] = try ModelFile.json(rows.map(\.entry))
    metadata[Name.skipped] = try ModelFile.json(skipped)
    metadata[Name.part] = try part.map(ModelFile.json)
    return metadata
  }
}
