internal import CupolaGuide

// What lines come to, in any order:
// 1. each line has a stamp of a hybrid clock, its device and a number;
// 2. of each entry the line with the latest stamp counts.

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

/// A line of a journal: an entry as it is from then on, or that it is deleted.
struct JournalOperation: Equatable, Sendable {
  let stamp: JournalStamp
  let id: JournalID
  /// `nil`: deleted.
  let entry: JournalEntry?
}

/// When and by whom a line of a journal was written: no two lines have the same.
struct JournalStamp: Hashable, Sendable, Comparable {
  let clock: HybridClock
  /// Who wrote it.
  let device: String
  /// Counts the device's lines, from 1.
  let number: Int

  static func < (a: JournalStamp, b: JournalStamp) -> Bool {
    a.clock != b.clock ? a.clock < b.clock : (a.device, a.number) < (b.device, b.number)
  }
}

/// A hybrid logical clock (Kulkarni et al. 2014): as near to the time of day as it can be, and never before
/// anything that was seen already.
struct HybridClock: Hashable, Sendable, Comparable {
  /// Milliseconds since 1970: the latest time of day that anybody read.
  var milliseconds = 0
  /// Counts what happened within them.
  var tick = 0

  /// Goes on to a moment after all that was seen; `nil` when the clock is at its end, in the year 4199.
  func next(now: Double) -> HybridClock? {
    let time = now.isFinite ? max(0, (now * 1000).rounded(.down)) : 0
    let limit = JournalLimits.milliseconds.upperBound
    // A clock that goes wrong must not use up all the time there is.
    let own = time < Double(limit) ? Int(time) : 0
    if own > milliseconds { return HybridClock(milliseconds: own, tick: 0) }
    if tick < JournalLimits.ticks.upperBound {
      return HybridClock(milliseconds: milliseconds, tick: tick + 1)
    }
    guard milliseconds < limit else { return nil }
    return HybridClock(milliseconds: milliseconds + 1, tick: 0)
  }

  /// Whether others take lines of it: far ahead, nobody's changes after it would count.
  func isAccepted(at now: Double) -> Bool { isWithin(1, at: now) }

  /// Whether lines may go on from it: those must be accepted too, also where clocks are somewhat behind.
  func isFollowed(at now: Double) -> Bool { isWithin(0.5, at: now) }

  private func isWithin(_ part: Double, at now: Double) -> Bool {
    guard now.isFinite else { return false }
    let latest = min(max(now, 0), 1e11) * 1000 + part * Double(JournalLimits.ahead)
    return Double(milliseconds) <= latest && Double(tick) <= part * Double(JournalLimits.othersTick)
  }

  /// Takes in what somebody else's clock showed.
  mutating func observe(_ other: HybridClock) { self = max(self, other) }

  static func < (a: HybridClock, b: HybridClock) -> Bool {
    (a.milliseconds, a.tick) < (b.milliseconds, b.tick)
  }
}
