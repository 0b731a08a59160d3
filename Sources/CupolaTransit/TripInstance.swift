package import CupolaGuide
internal import CupolaSupport

// 1. Define a trip on a service day, its key, and the precision of its times.
// 2. Look up the trip with a key; it must run on that day and have that start.

/// A trip on one service day, with the times of its calls.
package struct TripInstance: Equatable, Sendable {
  /// Identifies a trip on a service day.
  package struct Key: Hashable, Sendable {
    package let tripID: String
    /// The service day, which may be the day before the departure.
    package let serviceDate: LocalDate
    /// The start in seconds since noon minus 12 hours; only for trips with a frequency.
    var frequencyStart: Int?
  }

  struct Call: Equatable, Sendable {
    let stopID: String
    /// `stop_sequence`; it increases along the trip.
    let sequence: Int
    /// Seconds since 1970, like `departure`.
    var arrival: Double
    var departure: Double
    let precision: TransitPrecision
    /// Whether passengers can board; `false` at the last stop, just as `canAlight` is `false` at the first stop.
    let canBoard: Bool
    let canAlight: Bool
  }

  let key: Key
  let route: TransitRoute
  let headsign: String?
  let direction: Int?
  /// The headway in seconds if departures have no exact times; otherwise, `nil`.
  let headway: Int?
  var calls: [Call]
}

/// How reliable a scheduled time is.
public enum TransitPrecision: Hashable, Sendable {
  /// Vehicles depart at the scheduled time.
  case exact
  /// The time is interpolated, or its `timepoint` is 0.
  case approximate
  /// Vehicles depart at this interval; the time is only an estimate.
  case every(seconds: Int)

  /// The interval, for example `every 10 min`; `nil` for other precisions.
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

  /// Returns a trip on a service day, or `nil` if it does not run on that day or has no such start.
  ///
  /// For trips with a frequency, the start must be a scheduled one or, if `exact_times` is 0, any time in a period. For
  /// other trips, the start is ignored. ``RealtimeState/instance(_:)`` also returns duplicated trips.
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

  /// - Parameter run: The row of frequencies and the start; only for trips with a frequency.
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
