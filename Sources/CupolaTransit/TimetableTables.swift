package import CupolaGuide
internal import CupolaSupport

// 1. Define the tables of a timetable, in which trips share stop patterns and running times.
// 2. Define the tables of a GTFS feed, from which the builder creates a timetable.

/// The compact tables of a timetable, in which trips with the same stop pattern or running times share them.
package struct TimetableTables: Equatable, Sendable {
  package var info = TransitFeed.Info()
  package var agencies: [TransitFeed.Agency] = []
  package var stops: [TransitFeed.Stop] = []
  package var routes: [TransitFeed.Route] = []
  package var services: [TransitFeed.Service] = []
  package var headsigns: [String] = []
  package var patterns: [Pattern] = []
  /// The calls of all patterns, one pattern after another.
  package var calls: [Call] = []
  package var profiles: [Profile] = []
  /// The times of all profiles, with one element for each call in the pattern.
  package var times: [CallTimes] = []
  /// The trips, sorted by identifier.
  package var trips: [Trip] = []
  /// The frequencies, sorted by trip, then by start; a trip's periods do not overlap.
  package var frequencies: [TransitFeed.Frequency] = []
  package var transfers: [TransitFeed.Transfer] = []
  package var entrances: [TransitFeed.Entrance] = []

  package init() {}

  /// The largest time in seconds: 31 days. The longest train journeys take a week.
  static let longestTime = 31 * 86400
  package static func isTime(_ time: some BinaryInteger) -> Bool {
    (0...longestTime).contains(Int(time))
  }
  /// The maximum number of calls in all trips and frequencies together; each call needs 12 bytes.
  package static let mostCalls = 8_000_000

  /// The sequence of stops of a trip.
  package struct Pattern: Equatable, Sendable {
    var route: Int32
    var direction: Int8
    /// A range in the calls of the tables.
    var calls: Range<Int>

    package init(route: Int32, direction: Int8, calls: Range<Int>) {
      (self.route, self.direction, self.calls) = (route, direction, calls)
    }
  }

  /// A stop in a pattern.
  package struct Call: Hashable, Sendable {
    var stop: Int32
    var sequence: Int32
    /// Bits 0 and 1: `pickup_type`; bits 2 and 3: `drop_off_type`; bit 4: exact times.
    var flags: UInt8
    /// The headsign shown at this stop; -1 if it is the trip's.
    var headsign: Int32

    package init(stop: Int32, sequence: Int32, flags: UInt8, headsign: Int32 = -1) {
      (self.stop, self.sequence, self.flags) = (stop, sequence, flags)
      self.headsign = headsign
    }

    var pickup: UInt8 { flags & 3 }
    var dropOff: UInt8 { flags >> 2 & 3 }
    var isExact: Bool { flags & 16 != 0 }
    var canBoard: Bool { pickup != 1 }
    var canAlight: Bool { dropOff != 1 }
  }

  /// The running times of a pattern.
  package struct Profile: Equatable, Sendable {
    var pattern: Int32
    var times: Int

    package init(pattern: Int32, times: Int) {
      (self.pattern, self.times) = (pattern, times)
    }
  }

  /// The times of a call, in seconds after the departure from the first stop.
  package struct CallTimes: Hashable, Sendable {
    var arrival: Int32
    var departure: Int32

    package init(arrival: Int32, departure: Int32) {
      (self.arrival, self.departure) = (arrival, departure)
    }
  }

  /// A trip, which runs on every day of its service.
  package struct Trip: Equatable, Sendable {
    package var id: String
    var profile: Int32
    var service: Int32
    /// -1 if unknown.
    var headsign: Int32
    var wheelchair: UInt8
    var start: Int32

    package init(
      id: String, profile: Int32, service: Int32, headsign: Int32, wheelchair: UInt8, start: Int32
    ) {
      (self.id, self.profile, self.service) = (id, profile, service)
      (self.headsign, self.wheelchair, self.start) = (headsign, wheelchair, start)
    }
  }

  func pattern(ofTrip trip: Int) -> Pattern {
    patterns[Int(profiles[Int(trips[trip].profile)].pattern)]
  }

  func times(ofTrip trip: Int) -> ArraySlice<CallTimes> {
    let profile = profiles[Int(trips[trip].profile)]
    return times[profile.times..<profile.times + patterns[Int(profile.pattern)].calls.count]
  }

  /// Whether an index of all calls would exceed the memory limit.
  ///
  /// Trips share patterns, so a small file may expand to many stop times.
  package var hasTooManyCalls: Bool {
    let all = Array(trips.indices) + frequencies.map { Int($0.trip) }
    return all.reduce(0) { $0 + pattern(ofTrip: $1).calls.count } > Self.mostCalls
  }

  func frequencies(ofTrip trip: Int) -> Range<Int> {
    let first = frequencies.indices.bisection { frequencies[$0].trip >= trip }
    return first..<frequencies.indices.bisection { frequencies[$0].trip > trip }
  }
}

/// The tables of a GTFS feed, which use row numbers instead of identifiers.
package struct TransitFeed: Equatable, Sendable {
  package var info = Info()
  package var agencies: [Agency] = []
  package var stops: [Stop] = []
  package var routes: [Route] = []
  package var services: [Service] = []
  package var trips: [Trip] = []
  /// The stop times; the rows of a trip are consecutive and ordered by `stop_sequence`.
  package var stopTimes: [StopTime] = []
  /// The values of `stop_headsign`.
  package var stopHeadsigns: [String] = []
  package var frequencies: [Frequency] = []
  package var transfers: [Transfer] = []
  package var entrances: [Entrance] = []

  package init() {}

  /// `feed_info.txt`.
  package struct Info: Equatable, Sendable {
    package var publisher: String?
    package var version: String?
    package var start: LocalDate?
    package var end: LocalDate?

    package init() {}
  }

  /// A row of `agency.txt`.
  package struct Agency: Equatable, Sendable {
    package var id: String
    package var name: String
    package var timeZone: String

    package init(id: String, name: String, timeZone: String) {
      (self.id, self.name, self.timeZone) = (id, name, timeZone)
    }
  }

  /// A row of `stops.txt`.
  package struct Stop: Equatable, Sendable {
    package var id: String
    package var code: String?
    package var name: String
    package var point: MapPoint?
    package var parent: Int32?
    /// `location_type`: 0 stop or platform, 1 station, 2 entrance, 3 node, 4 boarding area.
    package var locationType: UInt8 = 0
    package var platform: String?
    /// `wheelchair_boarding`: 0 unknown, 1 yes, 2 no; `wheelchair_accessible` of trips is the same.
    package var wheelchair: UInt8 = 0

    package init(id: String, name: String, point: MapPoint?) {
      (self.id, self.name, self.point) = (id, name, point)
    }
  }

  /// A row of `routes.txt`.
  package struct Route: Equatable, Sendable {
    package var id: String
    package var agency: Int32 = 0
    package var shortName: String?
    package var longName: String?
    /// `route_type`, for example 3 for buses.
    package var type: Int32
    package var color: String?

    package init(id: String, type: Int32) { (self.id, self.type) = (id, type) }
  }

  /// The days of a service: a row of `calendar.txt` and its rows of `calendar_dates.txt`.
  package struct Service: Equatable, Sendable {
    package var id: String
    /// Bit 0 is Monday.
    package var weekdays: UInt8 = 0
    package var start: LocalDate?
    package var end: LocalDate?
    /// Sorted, like `removed`.
    package var added: [LocalDate] = []
    package var removed: [LocalDate] = []

    package init(id: String) { self.id = id }
  }

  /// A row of `trips.txt` and its rows of `stop_times.txt`.
  package struct Trip: Equatable, Sendable {
    package var id: String
    package var route: Int32
    package var service: Int32
    package var headsign: String?
    package var direction: UInt8?
    package var wheelchair: UInt8 = 0
    /// A range in the stop times of the feed.
    package var stopTimes: Range<Int32>

    package init(id: String, route: Int32, service: Int32, stopTimes: Range<Int32> = 0..<0) {
      (self.id, self.route, self.service, self.stopTimes) = (id, route, service, stopTimes)
    }
  }

  /// A row of `stop_times.txt`.
  package struct StopTime: Equatable, Sendable {
    package var stop: Int32
    /// Seconds since noon minus 12 hours on the service day; blank times have already been interpolated.
    package var arrival: Int32
    package var departure: Int32
    package var sequence: Int32
    /// `pickup_type` and `drop_off_type`: 0 regular, 1 not available, 2 phone the agency, 3 ask the driver.
    package var pickup: UInt8 = 0
    package var dropOff: UInt8 = 0
    /// Whether the times are exact, instead of interpolated or approximate.
    package var isExact = true
    /// An index in `stopHeadsigns`; -1 if the trip's headsign is shown.
    package var headsign: Int32 = -1

    package init(stop: Int32, arrival: Int32, departure: Int32, sequence: Int32) {
      (self.stop, self.arrival) = (stop, arrival)
      (self.departure, self.sequence) = (departure, sequence)
    }
  }

  /// The longest transfer in seconds: a day.
  package static let longestTransfer = 86400

  /// A rule of `transfers.txt` between two stops or stations.
  package struct Transfer: Equatable, Sendable {
    package var from: Int32
    package var to: Int32
    /// The time that the transfer takes, 0 if the second vehicle waits; -1 if the transfer is not possible.
    package var seconds: Int32

    package init(from: Int32, to: Int32, seconds: Int32) {
      (self.from, self.to, self.seconds) = (from, to, seconds)
    }
  }

  /// An entrance of a station, and the way from it to a platform according to `pathways.txt`.
  package struct Entrance: Equatable, Sendable {
    /// The platform.
    package var stop: Int32
    package var point: MapPoint
    package var seconds: Int32
    /// The time without stairs and escalators; -1 if there is no such way.
    package var stepFreeSeconds: Int32

    package init(stop: Int32, point: MapPoint, seconds: Int32, stepFreeSeconds: Int32) {
      (self.stop, self.point, self.seconds) = (stop, point, seconds)
      self.stepFreeSeconds = stepFreeSeconds
    }
  }

  /// A row of `frequencies.txt`.
  package struct Frequency: Equatable, Sendable {
    package var trip: Int32
    package var times: Range<Int32>
    package var headway: Int32
    package var isExact: Bool

    package init(trip: Int32, times: Range<Int32>, headway: Int32, isExact: Bool) {
      (self.trip, self.times, self.headway, self.isExact) = (trip, times, headway, isExact)
    }

    var runs: Int { runs(before: Int(times.upperBound)) }

    /// The number of runs that would start before a time if the period did not end.
    func runs(before time: Int) -> Int {
      let seconds = time - Int(times.lowerBound)
      return seconds > 0 ? (seconds + Int(headway) - 1) / Int(headway) : 0
    }

    /// The start of a run, counted from 0, in seconds since noon minus 12 hours.
    func start(ofRun run: Int) -> Int { Int(times.lowerBound) + run * Int(headway) }
  }
}
