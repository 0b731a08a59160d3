internal import CupolaGuide
internal import CupolaSupport

/// Features of GeoJSON on their way into a journal.
struct JournalIntake {
  private let now: Double
  /// In their order, each once.
  private(set) var entries: [JournalEntry] = []
  /// Features that came before.
  private(set) var known = 0
  /// All features.
  private(set) var count = 0
  private var ids: Set<JournalID> = []
  private var occurrences: [String: Int] = [:]
  private var faults = 0
  private var first: (feature: Int, problem: String)?

  /// - Parameter now: the time of features that say none, seconds since 1970.
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

  /// What could not be taken.
  var findings: [JournalFinding] {
    first.map { [.badFeatures(count: faults, first: $0.feature, problem: $0.problem)] } ?? []
  }
}
