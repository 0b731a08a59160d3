internal import CupolaCampus
package import CupolaGuide
internal import CupolaSupport

// 1. Read GeoJSON features one at a time, because files may be large.
// 2. Convert each feature to an entry, identified by its ID or digest; write new entries and copy their media.

extension Journal {
  private static let mostFeatures = 1_000_000

  /// Imports the features of a GeoJSON file, which is a journal export or contains points from other programs.
  ///
  /// Skips entries that exist or were deleted, so a file can be imported repeatedly. Lines from any device override
  /// imported ones, so importing an old export does not undo changes.
  package mutating func importGeoJSON(
    _ bytes: [UInt8], mediaIn folder: String? = nil, now: Double = LocalTime.secondsSince1970Now
  ) throws(GuideError) -> JournalImport {
    let read = try reader(bytes, now)
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

  private func reader(_ bytes: [UInt8], _ now: Double) throws(GuideError) -> JournalImportReader {
    guard bytes.count <= JournalLimits.file else { throw bad("the file is too large") }
    var reader = JournalImportReader(now: now)
    let members: [String: JSONValue]?
    do throws(JSONFault) {
      members = try JSONReader.members(
        of: bytes, lists: ["features"], limits: JSONReader.Limits(depth: 64)
      ) { _, feature in
        reader.take(feature)
        return reader.count <= Self.mostFeatures
      }
    } catch { throw bad("invalid GeoJSON: \(error.message)") }
    guard reader.count <= Self.mostFeatures else { throw bad("too many features") }
    guard members?["type"] == .string("FeatureCollection"), case .array? = members?["features"]
    else { throw bad("not a GeoJSON FeatureCollection") }
    if let format = members?["format"]?.text, format.hasPrefix("cupola.journal"),
      format != JournalGeoJSON.format
    {
      throw bad("unsupported journal format \(format); update the program")
    }
    return reader
  }
}

struct JournalImportReader {
  private let now: Double
  private(set) var entries: [JournalEntry] = []
  private(set) var known = 0
  private(set) var count = 0
  private var ids: Set<JournalID> = []
  private var occurrences: [String: Int] = [:]
  private var faults = 0
  private var first: (feature: Int, problem: String)?

  init(now: Double) { self.now = now }

  mutating func take(_ value: JSONValue) {
    count += 1
    do throws(JournalDataError) {
      let feature = try JournalFeature(value)
      let entry = try feature.entry(named: feature.id ?? made(of: feature), now: now)
      if ids.insert(entry.id).inserted { entries.append(entry) } else { known += 1 }
    } catch {
      faults += 1
      if first == nil { first = (count, error.text) }
    }
  }

  /// Returns an identifier created from the digest and the number of equal features before it.
  private mutating func made(of feature: JournalFeature) -> JournalID {
    let device = "import-" + feature.digest.prefix(32)
    occurrences[device, default: 0] += 1
    return JournalID(checkedDevice: device, number: occurrences[device] ?? 1)
  }

  var findings: [JournalFinding] {
    first.map { [.badFeatures(count: faults, first: $0.feature, problem: $0.problem)] } ?? []
  }
}

package struct JournalImport: Equatable, Sendable {
  package internal(set) var entries = 0
  /// The number of entries that already existed or were deleted.
  package internal(set) var known = 0
  package internal(set) var media = 0
  package internal(set) var findings: [JournalFinding] = []
}
