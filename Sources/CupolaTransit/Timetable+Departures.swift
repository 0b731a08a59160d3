internal import CupolaGuide
internal import CupolaSupport

extension Timetable {
  /// What departs from stops, in the order of the scheduled moments.
  ///
  /// Nobody boards at a trip's last stop, nor where `pickup_type` is 1. Trips that run by frequency
  /// without exact times depart as if the first one came at the start of the period.
  ///
  /// - Parameters:
  ///   - stops: identifiers; a station stands for its platforms. Unknown ones have no departures.
  ///   - from: seconds since 1970; departures at that moment are among them.
  ///   - during: seconds, no more than ``longestWindow``.
  ///   - limit: the most that are given.
  public func departures(
    at stops: [String], from: Double, during: Double = 86400, limit: Int = 100_000
  ) -> [Departure] {
    guard let window = Self.window(from: from, during: during), limit > 0 else { return [] }
    var scan = DepartureScan(self, window: window, limit: limit)
    return scan.departures(at: numbers(ofStops: stops)).compactMap { departure($0) }
  }

  /// Seconds of the longest window that is looked at: 400 days.
  public static let longestWindow = 400.0 * 86400

  /// The whole seconds of a window; `nil` when there are none.
  static func window(from: Double, during: Double) -> Range<Int>? {
    guard abs(from) < 1e12, during > 0 else { return nil }
    let end = from + min(during, longestWindow)
    return Int(from.rounded(.up))..<Int(end.rounded(.up))
  }

  private func departure(_ found: DepartureScan.Found) -> Departure? {
    guard let date = LocalDate(dayNumber: Int(found.day)) else { return nil }
    let (trip, place) = (Int(found.trip), Int(found.position))
    let key = TripInstance.Key(
      tripID: tables.trips[trip].id, serviceDate: date,
      frequencyStart: found.row < 0 ? nil : Int(found.start))
    let call = tables.calls[tables.pattern(ofTrip: trip).calls.lowerBound + place]
    return departure(
      of: key, trip, at: place, time: Double(found.moment),
      precision: precision(of: call, row: Int(found.row)))
  }

  /// The departure of a trip on its day at one of its calls.
  ///
  /// - Parameter id: of the trip in the schedule, which a copy has not for its own.
  func departure(of trip: TripInstance, at place: Int, scheduledAs id: String) -> Departure? {
    guard let number = index.tripNumbers[id] else { return nil }
    let call = trip.calls[place]
    return departure(
      of: trip.key, number, at: place, time: call.departure, precision: call.precision)
  }

  private func departure(
    of key: TripInstance.Key, _ trip: Int, at place: Int, time: Double, precision: TransitPrecision
  ) -> Departure {
    let pattern = tables.pattern(ofTrip: trip)
    let call = tables.calls[pattern.calls.lowerBound + place]
    let last = tables.calls[pattern.calls.upperBound - 1]
    return Departure(
      key: Departure.Key(trip: key, sequence: Int(call.sequence)),
      route: index.routes[Int(pattern.route)], headsign: headsign(ofTrip: trip),
      direction: pattern.direction < 0 ? nil : Int(pattern.direction), time: time,
      precision: precision, stop: index.stops[Int(call.stop)], pickup: Int(call.pickup),
      isWheelchairAccessible: accessibility(ofTrip: trip),
      lastStop: index.stops[Int(last.stop)])
  }
}
