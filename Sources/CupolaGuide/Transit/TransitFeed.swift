/// A schedule of public transport: the tables of GTFS as arrays, with numbers of rows in place of identifiers.
struct TransitFeed: Equatable, Sendable {
  /// What the publisher says of the feed.
  var info = Info()
  var agencies: [Agency] = []
  var stops: [Stop] = []
  var routes: [Route] = []
  var services: [Service] = []
  var trips: [Trip] = []
  /// Of each trip together, in the order of `stop_sequence`.
  var stopTimes: [StopTime] = []
  /// Sorted by trip, then by start.
  var frequencies: [Frequency] = []

  init() {}

  /// `feed_info.txt`.
  struct Info: Equatable, Sendable {
    var publisher: String?
    var version: String?
    var start: LocalDate?
    var end: LocalDate?

    init() {}
  }

  /// A row of `agency.txt`.
  struct Agency: Equatable, Sendable {
    var id: String
    var name: String
    /// An identifier of the IANA database.
    var timeZone: String

    init(id: String, name: String, timeZone: String) {
      (self.id, self.name, self.timeZone) = (id, name, timeZone)
    }
  }

  /// A row of `stops.txt`.
  struct Stop: Equatable, Sendable {
    var id: String
    /// The number on the sign.
    var code: String?
    var name: String
    var point: MapPoint?
    /// The number of the station among the stops.
    var parent: Int32?
    /// `location_type`: 0 stop or platform, 1 station, 2 entrance, 3 node, 4 boarding area.
    var locationType: UInt8 = 0
    var platform: String?
    /// `wheelchair_boarding`: 0 unknown, 1 yes, 2 no.
    var wheelchair: UInt8 = 0

    init(id: String, name: String, point: MapPoint?) {
      (self.id, self.name, self.point) = (id, name, point)
    }
  }

  /// A row of `routes.txt`.
  struct Route: Equatable, Sendable {
    var id: String
    /// The number of the agency among the agencies.
    var agency: Int32 = 0
    var shortName: String?
    var longName: String?
    /// `route_type`, such as 3 for buses.
    var type: Int32
    /// `RRGGBB`.
    var color: String?

    init(id: String, type: Int32) { (self.id, self.type) = (id, type) }
  }

  /// The days on which trips run: a row of `calendar.txt` with those of `calendar_dates.txt`.
  struct Service: Equatable, Sendable {
    var id: String
    /// Monday is the lowest bit.
    var weekdays: UInt8 = 0
    var start: LocalDate?
    var end: LocalDate?
    /// Sorted.
    var added: [LocalDate] = []
    /// Sorted.
    var removed: [LocalDate] = []

    init(id: String) { self.id = id }
  }

  /// A row of `trips.txt` and its rows of `stop_times.txt`.
  struct Trip: Equatable, Sendable {
    var id: String
    var route: Int32
    var service: Int32
    var headsign: String?
    /// `direction_id`: 0 or 1.
    var direction: UInt8?
    /// `wheelchair_accessible`: 0 unknown, 1 yes, 2 no.
    var wheelchair: UInt8 = 0
    /// Of the feed's stop times.
    var stopTimes: Range<Int32>

    init(id: String, route: Int32, service: Int32, stopTimes: Range<Int32> = 0..<0) {
      (self.id, self.route, self.service, self.stopTimes) = (id, route, service, stopTimes)
    }
  }

  /// A row of `stop_times.txt`.
  struct StopTime: Equatable, Sendable {
    var stop: Int32
    /// Seconds since noon minus 12 hours of the service day; blank ones are already interpolated.
    var arrival: Int32
    var departure: Int32
    var sequence: Int32
    /// `pickup_type` and `drop_off_type`: 0 regular, 1 none, 2 phone the agency, 3 ask the driver.
    var pickup: UInt8 = 0
    var dropOff: UInt8 = 0
    /// Whether the times are exact and not interpolated or approximate.
    var isExact = true

    init(stop: Int32, arrival: Int32, departure: Int32, sequence: Int32) {
      (self.stop, self.arrival) = (stop, arrival)
      (self.departure, self.sequence) = (departure, sequence)
    }
  }

  /// A row of `frequencies.txt`.
  struct Frequency: Equatable, Sendable {
    var trip: Int32
    /// Seconds since noon minus 12 hours; the end is not included.
    var times: Range<Int32>
    /// Seconds.
    var headway: Int32
    /// `exact_times` of 1: the departures are exact, not only their frequency.
    var isExact: Bool

    init(trip: Int32, times: Range<Int32>, headway: Int32, isExact: Bool) {
      (self.trip, self.times, self.headway, self.isExact) = (trip, times, headway, isExact)
    }
  }
}

extension TransitFeed.Frequency {
  /// How many vehicles start.
  var runs: Int { runs(before: Int(times.upperBound)) }

  /// How many would start before a time if none were the last.
  func runs(before time: Int) -> Int {
    let seconds = time - Int(times.lowerBound)
    return seconds > 0 ? (seconds + Int(headway) - 1) / Int(headway) : 0
  }

  /// When a vehicle starts, of which the first has the number 0: seconds since noon minus 12 hours.
  func start(ofRun run: Int) -> Int { Int(times.lowerBound) + run * Int(headway) }
}
