/// What a timetable keeps: the tables of a feed, with stop sequences and running times shared by the
/// trips that have the same.
struct TimetableTables: Equatable, Sendable {
  var info = TransitFeed.Info()
  var agencies: [TransitFeed.Agency] = []
  var stops: [TransitFeed.Stop] = []
  var routes: [TransitFeed.Route] = []
  var services: [TransitFeed.Service] = []
  var headsigns: [String] = []
  var patterns: [Pattern] = []
  /// Of each pattern together.
  var calls: [Call] = []
  var profiles: [Profile] = []
  /// Of each profile together, one for each call of its pattern.
  var times: [CallTimes] = []
  /// Sorted by identifier.
  var trips: [Trip] = []
  /// Sorted by trip, then by start; none overlaps the next of its trip.
  var frequencies: [TransitFeed.Frequency] = []

  /// The longest time of a schedule, seconds: the longest train journeys take a week.
  static let longestTime = 31 * 86400
  /// Whether a schedule may have a time, in seconds.
  static func isTime(_ time: some BinaryInteger) -> Bool { (0...longestTime).contains(Int(time)) }
  /// How many calls of all trips and rows of frequencies are taken: each needs 12 bytes of memory.
  static let mostCalls = 8_000_000

  /// Which stops the trips of a route call at.
  struct Pattern: Equatable, Sendable {
    var route: Int32
    /// `direction_id`; -1 when not said.
    var direction: Int8
    /// Of the tables' calls.
    var calls: Range<Int>
  }

  /// A stop of a pattern.
  struct Call: Hashable, Sendable {
    var stop: Int32
    var sequence: Int32
    /// `pickup_type` in the lowest two bits, `drop_off_type` in the next two, 16: times are exact.
    var flags: UInt8

    var pickup: UInt8 { flags & 3 }
    var dropOff: UInt8 { flags >> 2 & 3 }
    var isExact: Bool { flags & 16 != 0 }
    var canBoard: Bool { pickup != 1 }
    var canAlight: Bool { dropOff != 1 }
  }

  /// The running times of a pattern.
  struct Profile: Equatable, Sendable {
    var pattern: Int32
    /// Where its times begin.
    var times: Int
  }

  /// Seconds after the trip's start, which is the departure at its first stop.
  struct CallTimes: Hashable, Sendable {
    var arrival: Int32
    var departure: Int32
  }

  /// A trip of every day of a service.
  struct Trip: Equatable, Sendable {
    var id: String
    var profile: Int32
    var service: Int32
    /// -1 when not said.
    var headsign: Int32
    var wheelchair: UInt8
    /// Seconds since noon minus 12 hours of the service day.
    var start: Int32
  }

  func pattern(ofTrip trip: Int) -> Pattern {
    patterns[Int(profiles[Int(trips[trip].profile)].pattern)]
  }

  /// The times of a trip's calls.
  func times(ofTrip trip: Int) -> ArraySlice<CallTimes> {
    let profile = profiles[Int(trips[trip].profile)]
    return times[profile.times..<profile.times + patterns[Int(profile.pattern)].calls.count]
  }

  /// Whether an index of all calls would be too large: trips share what they call at, so that a few rows
  /// could stand for more than there is memory for.
  var hasTooManyCalls: Bool {
    var count = 0
    for trip in trips.indices { count += pattern(ofTrip: trip).calls.count }
    for row in frequencies { count += pattern(ofTrip: Int(row.trip)).calls.count }
    return count > Self.mostCalls
  }

  /// The rows of a trip.
  func frequencies(ofTrip trip: Int) -> Range<Int> {
    func first(from trip: Int) -> Int {
      frequencies.indices.bisection { frequencies[$0].trip >= trip }
    }
    return first(from: trip)..<first(from: trip + 1)
  }
}
