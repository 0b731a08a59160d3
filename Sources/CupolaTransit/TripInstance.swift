package import CupolaGuide
internal import CupolaSupport

// 1. A trip on one service day, its key, and the precision of its times.
// 2. The timetable looks the trip up by the key; it must run on that day and at that start.

/// A trip on one of its days, with the moments of all its calls: what realtime data change.
package struct TripInstance: Equatable, Sendable {
  /// What tells instances apart.
  package struct Key: Hashable, Sendable {
    /// `trip_id`.
    package let tripID: String
    /// The service day, which may be the day before the departure.
    package let serviceDate: LocalDate
    /// Of trips that run by frequency the start, in seconds since noon minus 12 hours; else `nil`.
    var frequencyStart: Int?
  }

  /// A stop on the way.
  struct Call: Equatable, Sendable {
    /// The identifier of the stop or platform.
    let stopID: String
    /// `stop_sequence`; it grows along the trip.
    let sequence: Int
    /// Seconds since 1970.
    var arrival: Double
    var departure: Double
    let precision: TransitPrecision
    /// Whether people can get on: not at the last stop.
    let canBoard: Bool
    /// Whether people can get off: not at the first stop.
    let canAlight: Bool
  }

  let key: Key
  let route: TransitRoute
  /// What the vehicle's sign says.
  let headsign: String?
  /// `direction_id`: 0 or 1.
  let direction: Int?
  /// The seconds between vehicles where only they are known (`exact_times` of 0); else `nil`.
  let headway: Int?
  var calls: [Call]
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
  func hasTrip(_ id: String) -> Bool { index.tripNumbers[id] != nil }

  func runsByFrequency(_ tripID: String) -> Bool {
    guard let trip = index.tripNumbers[tripID] else { return false }
    return !tables.frequencies(ofTrip: trip).isEmpty
  }

  /// A trip on a day with the moments of its calls; `nil` when there is no such trip, or when it does
  /// not run on that day or at that start. Copies that realtime data tell of are known to
  /// ``RealtimeState/instance(_:)``.
  ///
  /// Of trips that run by frequency the start must be one of the schedule; where only the frequency is
  /// known, any start in one of the trip's periods. Of other trips the start is not looked at.
  func instance(_ key: TripInstance.Key) -> TripInstance? {
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

  /// - Parameter run: the row of frequencies and the start of a trip that runs by frequency.
  func instance(
    ofTrip trip: Int, on date: LocalDate, run: (row: Int, start: Int)? = nil
  ) -> TripInstance {
    let pattern = tables.pattern(ofTrip: trip)
    let row = run?.row ?? -1
    let time = run?.start ?? Int(tables.trips[trip].start)
    let start = index.clock.start(ofDay: date.dayNumber) + time
    let calls = zip(tables.calls[pattern.calls], tables.times(ofTrip: trip)).enumerated()
    return TripInstance(
      key: TripInstance.Key(
        tripID: tables.trips[trip].id, serviceDate: date, frequencyStart: run?.start),
      route: index.routes[Int(pattern.route)], headsign: headsign(ofTrip: trip),
      direction: pattern.direction < 0 ? nil : Int(pattern.direction),
      headway: row >= 0 && !tables.frequencies[row].isExact
        ? Int(tables.frequencies[row].headway) : nil,
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
