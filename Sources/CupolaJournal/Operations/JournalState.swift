internal import CupolaGuide

/// What lines of any number of devices come to: of each entry the last one counts.
///
/// A last-writer-wins element set (Shapiro et al. 2011): taking lines in is commutative, associative and
/// idempotent, so that their order and repetitions do not matter.
struct JournalState: Equatable, Sendable {
  /// The last line about an entry.
  struct Slot: Equatable, Sendable {
    let stamp: JournalStamp
    private let kept: Kept

    /// Elsewhere in memory: a table of whole entries would be moved about.
    private enum Kept: Equatable {
      case deleted
      indirect case entry(JournalEntry)
    }

    init(_ operation: JournalOperation) {
      stamp = operation.stamp
      kept = operation.entry.map { .entry($0) } ?? .deleted
    }

    /// `nil`: deleted.
    var entry: JournalEntry? {
      if case .entry(let entry) = kept { entry } else { nil }
    }
  }

  private(set) var slots: [JournalID: Slot] = [:]
  /// Not before any line.
  private(set) var clock = HybridClock()

  mutating func reserve(_ count: Int) { slots.reserveCapacity(count) }

  /// Takes a line in; whether that changed an entry.
  @discardableResult
  mutating func apply(_ operation: JournalOperation) -> Bool {
    clock.observe(operation.stamp.clock)
    let slot = Slot(operation)
    guard let earlier = slots.updateValue(slot, forKey: operation.id) else {
      return operation.entry != nil
    }
    if earlier.stamp < slot.stamp { return earlier.entry != slot.entry }
    if earlier.stamp > slot.stamp || !replaces(slot, earlier, of: operation.id) {
      slots[operation.id] = earlier
      return false
    }
    return true
  }

  /// Two lines with one stamp are of a device that lost what others had of it: any rule will do that everybody
  /// follows.
  private func replaces(_ slot: Slot, _ earlier: Slot, of id: JournalID) -> Bool {
    guard slot.entry != earlier.entry else { return false }
    return line(earlier, id).lexicographicallyPrecedes(line(slot, id))
  }

  private func line(_ slot: Slot, _ id: JournalID) -> [UInt8] {
    JournalOperation(stamp: slot.stamp, id: id, entry: slot.entry).line
  }

  /// The clock after which lines about new entries come.
  ///
  /// After that of a device which once was set years ahead, others would take nothing until then; it counts only for
  /// the entries that were written so.
  func clock(followedAt now: Double) -> HybridClock {
    if clock.isFollowed(at: now) { return clock }
    return slots.values.lazy.map(\.stamp.clock).filter { $0.isFollowed(at: now) }.max()
      ?? HybridClock()
  }

  /// What is not deleted, by time, then by id.
  var entries: [JournalEntry] {
    let entries = slots.values.compactMap(\.entry)
    let order = entries.indices.map { (time: entries[$0].time, place: $0) }
      .sorted { a, b in
        a.time != b.time ? a.time < b.time : entries[a.place].id < entries[b.place].id
      }
    return order.map { entries[$0.place] }
  }
}
