internal import CupolaGuide
internal import CupolaSupport

/// What a timetable keeps: the tables of a feed, with stop sequences and running times shared by the
/// trips that have the same.
package struct TimetableTables: Equatable, Sendable {
  package var info = TransitFeed.Info()
  package var agencies: [TransitFeed.Agency] = []
  package var stops: [TransitFeed.Stop] = []
  package var routes: [TransitFeed.Route] = []
  package var services: [TransitFeed.Service] = []
  package var headsigns: [String] = []
  package var patterns: [Pattern] = []
  /// Of each pattern together.
  package var calls: [Call] = []
  package var profiles: [Profile] = []
  /// Of each profile together, one for each call of its pattern.
  package var times: [CallTimes] = []
  /// Sorted by identifier.
  package var trips: [Trip] = []
  /// Sorted by trip, then by start; none overlaps the next of its trip.
  package var frequencies: [TransitFeed.Frequency] = []

  package init() {}

  /// The longest time of a schedule, seconds: the longest train journeys take a week.
  package static let longestTime = 31 * 86400
  /// Whether a schedule may have a time, in seconds.
  package static func isTime(_ time: some BinaryInteger) -> Bool {
    (0...longestTime).contains(Int(time))
  }
  /// How many calls of all trips and rows of frequencies are taken: each needs 12 bytes of memory.
  package static let mostCalls = 8_000_000

  /// Which stops the trips of a route call at.
  package struct Pattern: Equatable, Sendable {
    package var route: Int32
    /// `direction_id`; -1 when not said.
    package var direction: Int8
    /// Of the tables' calls.
    package var calls: Range<Int>

    package init(route: Int32, direction: Int8, calls: Range<Int>) {
      (self.route, self.direction, self.calls) = (route, direction, calls)
    }
  }

  /// A stop of a pattern.
  package struct Call: Hashable, Sendable {
    package var stop: Int32
    package var sequence: Int32
    /// `pickup_type` in the lowest two bits, `drop_off_type` in the next two, 16: times are exact.
    package var flags: UInt8

    package init(stop: Int32, sequence: Int32, flags: UInt8) {
      (self.stop, self.sequence, self.flags) = (stop, sequence, flags)
    }

    package var pickup: UInt8 { flags & 3 }
    package var dropOff: UInt8 { flags >> 2 & 3 }
    package var isExact: Bool { flags & 16 != 0 }
    package var canBoard: Bool { pickup != 1 }
    package var canAlight: Bool { dropOff != 1 }
  }

  /// The running times of a pattern.
  package struct Profile: Equatable, Sendable {
    package var pattern: Int32
    /// Where its times begin.
    package var times: Int

    package init(pattern: Int32, times: Int) {
      (self.pattern, self.times) = (pattern, times)
    }
  }

  /// Seconds after the trip's start, which is the departure at its first stop.
  package struct CallTimes: Hashable, Sendable {
    package var arrival: Int32
    package var departure: Int32

    package init(arrival: Int32, departure: Int32) {
      (self.arrival, self.departure) = (arrival, departure)
    }
  }

  /// A trip of every day of a service.
  package struct Trip: Equatable, Sendable {
    package var id: String
    package var profile: Int32
    package var service: Int32
    /// -1 when not said.
    package var headsign: Int32
    package var wheelchair: UInt8
    /// Seconds since noon minus 12 hours of the service day.
    package var start: Int32

    package init(
      id: String, profile: Int32, service: Int32, headsign: Int32, wheelchair: UInt8, start: Int32
    ) {
      (self.id, self.profile, self.service, self.headsign, self.wheelchair, self.start) = (
        id, profile, service, headsign, wheelchair, start
      )
    }
  }

  package func pattern(ofTrip trip: Int) -> Pattern {
    patterns[Int(profiles[Int(trips[trip].profile)].pattern)]
  }

  /// The times of a trip's calls.
  package func times(ofTrip trip: Int) -> ArraySlice<CallTimes> {
    let profile = profiles[Int(trips[trip].profile)]
    return times[profile.times..<profile.times + patterns[Int(profile.pattern)].calls.count]
  }

  /// Whether an index of all calls would be too large: trips share what they call at, so that a few rows
  /// could stand for more than there is memory for.
  package var hasTooManyCalls: Bool {
    var count = 0
    for trip in trips.indices { count += pattern(ofTrip: trip).calls.count }
    for row in frequencies { count += pattern(ofTrip: Int(row.trip)).calls.count }
    return count > Self.mostCalls
  }

  /// The rows of a trip.
  package func frequencies(ofTrip trip: Int) -> Range<Int> {
    func first(from trip: Int) -> Int {
      frequencies.indices.bisection { frequencies[$0].trip >= trip }
    }
    return first(from: trip)..<first(from: trip + 1)
  }
}
