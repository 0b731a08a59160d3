public import CupolaGuide
internal import CupolaSupport

/// A trip on one of its days, with the moments of all its calls: what realtime data change.
public struct TripInstance: Equatable, Sendable {
  /// What tells instances apart.
  public struct Key: Hashable, Sendable {
    /// `trip_id`.
    public let tripID: String
    /// The service day, which may be the day before the departure.
    public let serviceDate: LocalDate
    /// Of trips that run by frequency the start, in seconds since noon minus 12 hours; else `nil`.
    public let frequencyStart: Int?

    /// An instance of a trip.
    public init(tripID: String, serviceDate: LocalDate, frequencyStart: Int? = nil) {
      (self.tripID, self.serviceDate) = (tripID, serviceDate)
      self.frequencyStart = frequencyStart
    }
  }

  /// A stop on the way.
  public struct Call: Equatable, Sendable {
    /// The identifier of the stop or platform.
    public let stopID: String
    /// `stop_sequence`; it grows along the trip.
    public let sequence: Int
    /// Seconds since 1970.
    public var arrival: Double
    /// Seconds since 1970.
    public var departure: Double
    /// How much the times are worth.
    public let precision: TransitPrecision
    /// Whether people can get on: not at the last stop.
    public let canBoard: Bool
    /// Whether people can get off: not at the first stop.
    public let canAlight: Bool
  }

  /// What tells it apart.
  public let key: Key
  /// The line.
  public let route: TransitRoute
  /// What the vehicle's sign says.
  public let headsign: String?
  /// `direction_id`: 0 or 1.
  public let direction: Int?
  /// The seconds between vehicles where only they are known (`exact_times` of 0); else `nil`.
  public let headway: Int?
  /// In their order.
  public var calls: [Call]
}

/// How much a scheduled time is worth.
public enum TransitPrecision: Hashable, Sendable {
  /// Vehicles keep it.
  case exact
  /// It lies between times that vehicles keep (`timepoint` of 0, or interpolated).
  case approximate
  /// A vehicle comes that often; the time itself is only one of many possible ones.
  case every(seconds: Int)

  /// Such as `every 10 min`; `nil` when a vehicle has a time of its own.
  public var words: String? {
    guard case .every(let seconds) = self else { return nil }
    return seconds % 60 == 0 ? "every \(seconds / 60) min" : "every \(seconds) s"
  }
}

extension Timetable {
  /// Whether the schedule has a trip of an identifier.
  public func hasTrip(_ id: String) -> Bool { index.tripNumbers[id] != nil }

  /// Whether a trip runs by frequency, so that its instances have starts of their own.
  public func runsByFrequency(_ tripID: String) -> Bool {
    guard let trip = index.tripNumbers[tripID] else { return false }
    return !tables.frequencies(ofTrip: trip).isEmpty
  }

  /// A trip on a day with the moments of its calls; `nil` when there is no such trip, or when it does
  /// not run on that day or at that start. Copies that realtime data tell of are known to
  /// ``RealtimeState/instance(_:in:)``.
  ///
  /// Of trips that run by frequency the start must be one of the schedule; where only the frequency is
  /// known, any start in one of the trip's periods. Of other trips the start is not looked at.
  public func instance(_ key: TripInstance.Key) -> TripInstance? {
    guard let trip = index.tripNumbers[key.tripID],
      index.services.runs(
        Int(tables.trips[trip].service), onDay: key.serviceDate.dayNumber)
    else { return nil }
    let rows = tables.frequencies(ofTrip: trip)
    guard !rows.isEmpty else { return instance(ofTrip: trip, on: key.serviceDate) }
    guard let start = key.frequencyStart else { return nil }
    for row in rows {
      let frequency = tables.frequencies[row]
      guard Int(frequency.times.lowerBound) <= start, start < Int(frequency.times.upperBound) else {
        continue
      }
      let isRun = (start - Int(frequency.times.lowerBound)) % Int(frequency.headway) == 0
      guard isRun || !frequency.isExact else { return nil }
      return instance(ofTrip: trip, on: key.serviceDate, run: (row, start))
    }
    return nil
  }

  /// The instances of a trip that are on their way at some moment of a window, in the order of their
  /// starts.
  ///
  /// - Parameters:
  ///   - id: `trip_id` of the feed.
  ///   - from: seconds since 1970.
  ///   - during: seconds, no more than ``longestWindow``.
  ///   - limit: the most that are given.
  public func instances(
    ofTrip id: String, from: Double, during: Double, limit: Int = 1000
  ) -> [TripInstance] {
    guard let trip = index.tripNumbers[id], let span = index.services.span, limit > 0,
      let window = Self.window(from: from, during: during)
    else { return [] }
    let offsets = tables.times(ofTrip: trip)
    guard let first = offsets.first, let last = offsets.last else { return [] }
    let rows = tables.frequencies(ofTrip: trip)
    var found: [TripInstance] = []
    for day in index.clock.days(in: window, times: index.times, of: span) {
      guard index.services.runs(Int(tables.trips[trip].service), onDay: day),
        let date = LocalDate(dayNumber: day)
      else { continue }
      let midnight = index.clock.start(ofDay: day)
      // The starts with which the vehicle is on its way in the window.
      let low = window.lowerBound - midnight - Int(last.departure)
      let high = window.upperBound - midnight - Int(first.arrival)
      if rows.isEmpty {
        let start = Int(tables.trips[trip].start)
        if low <= start, start < high { found.append(instance(ofTrip: trip, on: date)) }
      }
      for row in rows {
        let frequency = tables.frequencies[row]
        var start = frequency.start(ofRun: frequency.runs(before: low))
        while start < min(high, Int(frequency.times.upperBound)), found.count < limit {
          found.append(instance(ofTrip: trip, on: date, run: (row, start)))
          start += Int(frequency.headway)
        }
      }
      if found.count >= limit { break }
    }
    return found
  }

  /// - Parameter run: the row of frequencies and the start of a trip that runs by frequency.
  func instance(
    ofTrip trip: Int, on date: LocalDate, run: (row: Int, start: Int)? = nil
  ) -> TripInstance {
    let pattern = tables.pattern(ofTrip: trip)
    let row = run?.row ?? -1
    let time = run?.start ?? Int(tables.trips[trip].start)
    let start = index.clock.start(ofDay: date.dayNumber) + time
    let calls = zip(tables.calls[pattern.calls], tables.times(ofTrip: trip)).enumerated()
    var headway: Int?
    if row >= 0, !tables.frequencies[row].isExact { headway = Int(tables.frequencies[row].headway) }
    return TripInstance(
      key: TripInstance.Key(
        tripID: tables.trips[trip].id, serviceDate: date, frequencyStart: run?.start),
      route: index.routes[Int(pattern.route)], headsign: headsign(ofTrip: trip),
      direction: pattern.direction < 0 ? nil : Int(pattern.direction),
      headway: headway,
      calls: calls.map { place, pair in
        let (call, times) = pair
        return TripInstance.Call(
          stopID: tables.stops[Int(call.stop)].id, sequence: Int(call.sequence),
          arrival: Double(start + Int(times.arrival)),
          departure: Double(start + Int(times.departure)),
          precision: precision(of: call, row: row),
          canBoard: call.canBoard && place < pattern.calls.count - 1,
          canAlight: call.canAlight && place > 0)
      })
  }
}
