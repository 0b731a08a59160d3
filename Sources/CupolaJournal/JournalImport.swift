internal import CupolaCampus
package import CupolaGuide
internal import CupolaSupport

// Imports GeoJSON:
// 1. features are read one by one, as files are large;
// 2. each becomes an entry (JournalFeature.swift), named by its id or its digest;
// 3. entries that are new are written, and their media copied.

extension Journal {
  private static let mostFeatures = 1_000_000

  /// Adds the features of a GeoJSON file: of an export of any journal, or points of other programs.
  ///
  /// Entries that are here already, or were deleted here, are left as they are, so that the same file can be imported again.
  /// What any device says of them, before or after, counts more: nothing that was deleted or changed comes back by an export.
  ///
  /// - Parameters:
  ///   - bytes: of the file, at most 256 MB.
  ///   - folder: where the file's media are; `nil` takes none.
  package mutating func importGeoJSON(
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

/// Features of GeoJSON on their way into a journal.
struct JournalIntake {
  private let now: Double
  /// In their order, each once.
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
    do throws(JournalProblem) {
      let feature = try JournalFeature(value)
      let entry = try feature.entry(named: feature.id ?? made(of: feature), now: now)
      if ids.insert(entry.id).inserted { entries.append(entry) } else { known += 1 }
    } catch {
      faults += 1
      if first == nil { first = (count, error.text) }
    }
  }

  /// A name for a feature without one: of its content, and which of several that are alike it is.
  private mutating func made(of feature: JournalFeature) -> JournalID {
    let device = "import-" + feature.digest.prefix(32)
    occurrences[device, default: 0] += 1
    return JournalID(checkedDevice: device, number: occurrences[device] ?? 1)
  }

  var findings: [JournalFinding] {
    first.map { [.badFeatures(count: faults, first: $0.feature, problem: $0.problem)] } ?? []
  }
}

/// What came of an import into a journal.
package struct JournalImport: Equatable, Sendable {
  package internal(set) var entries = 0
  /// Entries that were there already, or were deleted here.
  package internal(set) var known = 0
  package internal(set) var media = 0
  package internal(set) var findings: [JournalFinding] = []
}
