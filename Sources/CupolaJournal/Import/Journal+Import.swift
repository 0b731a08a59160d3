internal import CupolaCampus
public import CupolaGuide
internal import CupolaSupport

extension Journal {
  /// Features of one import.
  static let mostFeatures = 1_000_000

  /// Adds the features of a GeoJSON file: of an export of any journal, or points of other programs.
  ///
  /// Entries that are here already, or were deleted here, are left as they are, so that the same file can be imported again.
  /// What any device says of them, before or after, counts more: nothing that was deleted or changed comes back by an export.
  ///
  /// - Parameters:
  ///   - bytes: of the file, at most 256 MB.
  ///   - folder: where the file's media are; `nil` takes none.
  ///   - now: the time of features that say none, seconds since 1970.
  /// - Throws: ``GuideError/badJournal(path:problem:)`` for what is no FeatureCollection; ``GuideError/busy(path:)``;
  ///   ``GuideError/file(_:)``.
  public mutating func importGeoJSON(
    _ bytes: [UInt8], mediaIn folder: String? = nil, now: Double = LocalTime.secondsSince1970Now
  ) throws(GuideError) -> JournalImport {
    let read = try intake(bytes, now)
    return try locked { (journal) throws(GuideError) in
      let new = read.entries.filter { journal.state.slots[$0.id] == nil }
      try journal.write(imported: new)
      var result = JournalImport(
        entries: new.count, known: read.known + read.entries.count - new.count)
      result.findings = read.findings
      var merge = JournalMerge()
      if let folder { try journal.copyMedia(from: folder, &merge) }
      result.media = merge.media
      result.findings += merge.findings
      return result
    }
  }

  private func intake(_ bytes: [UInt8], _ now: Double) throws(GuideError) -> JournalIntake {
    guard bytes.count <= JournalLimits.file else { throw bad("the file is too large") }
    var intake = JournalIntake(now: now)
    let members: [String: JSONValue]?
    do throws(JSONFault) {
      // One after the other: a journal is large.
      members = try JSONReader.members(
        of: bytes, lists: ["features"], limits: JSONReader.Limits(depth: 64)
      ) { _, feature in
        intake.take(feature)
        return intake.count <= Self.mostFeatures
      }
    } catch { throw bad("no GeoJSON: \(error.message)") }
    guard intake.count <= Self.mostFeatures else { throw bad("too many features") }
    guard members?["type"] == .string("FeatureCollection"), case .array? = members?["features"]
    else { throw bad("no GeoJSON FeatureCollection") }
    if let format = members?["format"]?.text, format.hasPrefix("cupola.journal"),
      format != JournalGeoJSON.format
    {
      throw bad("a journal of the format \(format), which this version does not know")
    }
    return intake
  }
}
