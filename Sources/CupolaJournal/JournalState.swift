internal import CupolaGuide

/// The merged state of lines from any number of devices; for each entry, the latest line wins.
///
/// This is a last-writer-wins element set (Shapiro et al. 2011). Adding lines is commutative, associative and
/// idempotent.
struct JournalState: Equatable, Sendable {
  struct Slot: Equatable, Sendable {
    let stamp: JournalStamp
    private let storage: Storage

    /// Indirect, so that entries are not moved when the hash table grows.
    private enum Storage: Equatable {
      case deleted
      indirect case entry(JournalEntry)
    }

    init(_ operation: JournalOperation) {
      stamp = operation.stamp
      storage = operation.entry.map { .entry($0) } ?? .deleted
    }

    /// The entry; `nil` if it is deleted.
    var entry: JournalEntry? {
      if case .entry(let entry) = storage { entry } else { nil }
    }
  }

  private(set) var slots: [JournalID: Slot] = [:]
  /// The highest clock; not less than the clock of any line.
  private(set) var clock = HybridClock()

  mutating func reserve(_ count: Int) { slots.reserveCapacity(count) }

  /// Adds a line, and returns whether it changed an entry.
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

  /// If stamps are equal, which happens only if a device has lost data, compares the bytes.
  private func replaces(_ slot: Slot, _ earlier: Slot, of id: JournalID) -> Bool {
    guard slot.entry != earlier.entry else { return false }
    return line(earlier, id).lexicographicallyPrecedes(line(slot, id))
  }

  private func line(_ slot: Slot, _ id: JournalID) -> [UInt8] {
    JournalOperation(stamp: slot.stamp, id: id, entry: slot.entry).line
  }

  /// Returns the clock from which the clocks of new lines continue.
  ///
  /// Ignores clocks that are far ahead, such as those of a device whose date was wrong, because other devices would
  /// reject lines with later clocks.
  func clock(followedAt now: Double) -> HybridClock {
    if clock.isFollowed(at: now) { return clock }
    return slots.values.lazy.map(\.stamp.clock).filter { $0.isFollowed(at: now) }.max()
      ?? HybridClock()
  }

  /// The entries that are not deleted, sorted by time, then by identifier.
  var entries: [JournalEntry] {
    let entries = slots.values.compactMap(\.entry)
    let order = entries.indices.map { (time: entries[$0].time, place: $0) }
      .sorted { a, b in
        a.time != b.time ? a.time < b.time : entries[a.place].id < entries[b.place].id
      }
    return order.map { entries[$0.place] }
  }
}

/// A line of a journal: a new state of an entry, or its deletion.
struct JournalOperation: Equatable, Sendable {
  let stamp: JournalStamp
  let id: JournalID
  /// The entry; `nil` if the line deletes it.
  let entry: JournalEntry?
}

/// The unique stamp of a line, which consists of the clock, the device and the number.
struct JournalStamp: Hashable, Sendable, Comparable {
  let clock: HybridClock
  let device: String
  let number: Int

  static func < (a: JournalStamp, b: JournalStamp) -> Bool {
    a.clock != b.clock ? a.clock < b.clock : (a.device, a.number) < (b.device, b.number)
  }
}

/// A hybrid logical clock (Kulkarni et al. 2014); it is close to the time of day, and later than all clocks received.
struct HybridClock: Hashable, Sendable, Comparable {
  /// The latest time of day observed, in milliseconds since 1970.
  var milliseconds = 0
  /// The number of events within the same millisecond.
  var tick = 0

  /// Returns a later clock, or `nil` if the range ends, which happens in the year 4199.
  func next(now: Double) -> HybridClock? {
    let time = now.isFinite ? max(0, (now * 1000).rounded(.down)) : 0
    let limit = JournalLimits.milliseconds.upperBound
    // Prevent a wrong system clock from using up the range.
    let own = time < Double(limit) ? Int(time) : 0
    if own > milliseconds { return HybridClock(milliseconds: own, tick: 0) }
    if tick < JournalLimits.ticks.upperBound {
      return HybridClock(milliseconds: milliseconds, tick: tick + 1)
    }
    guard milliseconds < limit else { return nil }
    return HybridClock(milliseconds: milliseconds + 1, tick: 0)
  }

  /// Whether lines with this clock are accepted. Those far ahead would override all later changes.
  func isAccepted(at now: Double) -> Bool { isWithin(1, at: now) }

  /// Whether new lines may continue from this clock. This check is stricter, because the clocks of other devices may be
  /// behind.
  func isFollowed(at now: Double) -> Bool { isWithin(0.5, at: now) }

  private func isWithin(_ part: Double, at now: Double) -> Bool {
    guard now.isFinite else { return false }
    let latest = min(max(now, 0), 1e11) * 1000 + part * Double(JournalLimits.ahead)
    return Double(milliseconds) <= latest
      && Double(tick) <= part * Double(JournalLimits.foreignTick)
  }

  mutating func observe(_ other: HybridClock) { self = max(self, other) }

  static func < (a: HybridClock, b: HybridClock) -> Bool {
    (a.milliseconds, a.tick) < (b.milliseconds, b.tick)
  }
}
