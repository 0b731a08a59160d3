/// A hybrid logical clock (Kulkarni et al. 2014): as near to the time of day as it can be, and never before
/// anything that was seen already.
struct HybridClock: Hashable, Sendable {
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
  ///
  /// - Parameter now: seconds since 1970.
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
}

extension HybridClock: Comparable {
  static func < (a: HybridClock, b: HybridClock) -> Bool {
    (a.milliseconds, a.tick) < (b.milliseconds, b.tick)
  }
}
