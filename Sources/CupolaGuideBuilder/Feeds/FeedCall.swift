/// A row of `stop_times.txt` as it was read: 28 bytes.
struct FeedCall {
  /// The row of the stop.
  var stop: Int32
  /// Seconds; -1 is blank.
  var arrival: Int32
  /// Seconds; -1 is blank.
  var departure: Int32
  var sequence: Int32
  /// In the feed's own unit; not a number where it is blank.
  var distance: Float
  var line: UInt32
  var pickup: UInt8
  var dropOff: UInt8
  var isExact: Bool

  var hasTime: Bool { departure >= 0 }
}
