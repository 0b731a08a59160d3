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
    let trip = tables.trips[Int(found.trip)]
    let pattern = tables.pattern(ofTrip: Int(found.trip))
    let call = tables.calls[pattern.calls.lowerBound + Int(found.position)]
    let last = tables.calls[pattern.calls.upperBound - 1]
    let key = TripInstance.Key(
      tripID: trip.id, serviceDate: date,
      frequencyStart: found.row < 0 ? nil : Int(found.start))
    return Departure(
      key: Departure.Key(trip: key, sequence: Int(call.sequence)),
      route: index.routes[Int(pattern.route)], headsign: headsign(ofTrip: Int(found.trip)),
      direction: pattern.direction < 0 ? nil : Int(pattern.direction),
      time: Double(found.moment), precision: precision(of: call, row: Int(found.row)),
      stop: index.stops[Int(call.stop)], pickup: Int(call.pickup),
      isWheelchairAccessible: accessibility(ofTrip: Int(found.trip)),
      lastStop: index.stops[Int(last.stop)])
  }
}
