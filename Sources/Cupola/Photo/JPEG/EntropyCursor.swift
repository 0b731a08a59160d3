/// Where a scan's data are read: the bits held, the units read and the stretches between restarts.
struct EntropyCursor {
  var bits = JPEGBits(at: 0)
  /// Units read.
  var unit = 0
  private var stretch = 0

  /// Whether the next unit is the first behind a restart.
  ///
  /// - Parameter interval: units between restarts, 0 without.
  func isAtRestart(every interval: Int) -> Bool {
    interval > 0 && unit > 0 && unit % interval == 0
  }

  /// Whether its stretch was taken, but for the bits that fill up the last byte.
  func hasTakenStretch(of data: EntropyData) -> Bool { bits.nextByte == data.ends[stretch] }

  /// Whether more was taken than its stretch has.
  func isBehindStretch(of data: EntropyData) -> Bool { bits.nextByte > data.ends[stretch] }

  /// Whether no other stretch follows.
  func isInLastStretch(of data: EntropyData) -> Bool { stretch + 1 == data.ends.count }

  /// Goes to the next stretch; `false` where there is none.
  mutating func enterNextStretch(of data: EntropyData) -> Bool {
    guard !isInLastStretch(of: data) else { return false }
    bits = JPEGBits(at: data.ends[stretch])
    stretch += 1
    return true
  }
}
