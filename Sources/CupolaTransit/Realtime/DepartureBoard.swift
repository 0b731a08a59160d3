internal import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

// 1. Combine scheduled departures with the predictions for their trips.
// 2. Add late departures scheduled before the time window, and added, duplicated and replacement trips.
// 3. Remove estimated departures close to a predicted vehicle of the same trip, and sort by time.

/// A departure with its realtime status.
public struct LiveDeparture: Equatable, Sendable {
  /// The realtime status of a departure.
  public enum Status: Equatable, Sendable {
    /// There is no realtime data for the departure.
    case scheduled
    /// The delay in seconds, negative if early; `nil` for trips without a schedule.
    case predicted(delay: Int?)
    /// The trip is canceled.
    case canceled
    /// The vehicle does not stop here.
    case skipped
  }

  /// The scheduled departure. Its wheelchair accessibility is taken from realtime data if available.
  public let departure: Departure
  /// The realtime status.
  public let status: Status
  /// The predicted or scheduled time in seconds since 1970.
  public let time: Double

  init(_ departure: Departure, _ status: Status = .scheduled, at time: Double? = nil) {
    (self.departure, self.status, self.time) = (departure, status, time ?? departure.time)
  }

  fileprivate var isPredicted: Bool { if case .predicted = status { true } else { false } }

  /// Returns a copy with the vehicle's wheelchair accessibility, if reported.
  fileprivate func inVehicle(of access: RealtimeFeed.WheelchairAccess?) -> LiveDeparture {
    guard let access else { return self }
    var departure = departure
    departure.isWheelchairAccessible = access.isAccessible
    return LiveDeparture(departure, status, at: time)
  }
}

/// Departures from stops, combined with realtime data.
public struct DepartureBoard: Sendable {
  private let timetable: Timetable
  package let realtime: RealtimeState?

  /// Creates a board; without realtime data, it contains only the schedule.
  public init(_ timetable: Timetable, _ realtime: RealtimeState? = nil) {
    (self.timetable, self.realtime) = (timetable, realtime)
  }

  /// Returns departures from stops, sorted by time; a station includes its platforms.
  ///
  /// Includes canceled departures, but not deleted ones (`DELETED`). `from` and `during` are in seconds.
  public func departures(
    at stops: [String], from: Double, during: Double = 86400, limit: Int = 100
  ) -> [LiveDeparture] {
    guard let realtime else {
      return timetable.departures(at: stops, from: from, during: during, limit: limit)
        .map { LiveDeparture($0) }
    }
    guard limit > 0 else { return [] }
    let numbers = Set(timetable.numbers(ofStops: stops))
    var known = known(at: numbers, realtime)
    // A prediction replaces the scheduled departure, or an estimated departure of a trip with a frequency.
    let scheduled = timetable.departures(
      at: stops, from: from, during: during, limit: min(limit, 100_000) + 2 * known.count)
    var found = scheduled.filter { !realtime.isDeleted($0.key.trip) }.map { departure in
      known.removeValue(forKey: departure.key) ?? LiveDeparture(departure)
    }
    // Add late departures scheduled before the window, and runs whose start is not in the schedule.
    found += known.values.filter(\.isPredicted)
    // Remove scheduled departures of replaced trips, because their replacement journeys are among the added departures.
    found.removeAll { $0.status != .skipped && realtime.replaced.contains($0.departure.key.trip) }
    found += added(at: numbers, realtime)
    found += realtime.copies.values.flatMap { live($0.trip, $0.update, at: numbers) }
    return Array(
      Self.withoutDoubles(found).filter { from <= $0.time && $0.time < from + during }
        .sorted {
          ($0.time, $0.departure.key.trip.tripID, $0.departure.key.sequence)
            < ($1.time, $1.departure.key.trip.tripID, $1.departure.key.sequence)
        }
        .prefix(limit)
        .map { $0.inVehicle(of: realtime.wheelchairs[$0.departure.key.trip]) })
  }

  private func known(
    at stops: Set<Int>, _ realtime: RealtimeState
  ) -> [Departure.Key: LiveDeparture] {
    var known: [Departure.Key: LiveDeparture] = [:]
    for (key, update) in realtime.updates {
      guard let trip = timetable.instance(key) else { continue }
      for one in live(trip, update, at: stops) { known[one.departure.key] = one }
    }
    return known
  }

  private func live(
    _ trip: TripInstance, _ update: RealtimeFeed.TripUpdate, at stops: Set<Int>
  ) -> [LiveDeparture] {
    guard let id = update.trip.id else { return [] }
    let prediction = TripPrediction(update, to: trip)
    return trip.calls.enumerated().compactMap { place, call -> LiveDeparture? in
      guard call.canBoard, let stop = timetable.index.stopNumbers[call.stopID],
        stops.contains(stop),
        let departure = timetable.departure(of: trip, at: place, scheduledAs: id)
      else { return nil }
      let predicted = prediction.calls[place]
      return switch predicted.status {
      case .scheduled, .noData: LiveDeparture(departure)
      case .canceled: LiveDeparture(departure, .canceled)
      case .skipped: LiveDeparture(departure, .skipped)
      case .predicted:
        LiveDeparture(departure, .predicted(delay: predicted.delay), at: predicted.departure)
      }
    }
  }

  // MARK: - Trips that are not in the schedule

  private func added(at stops: Set<Int>, _ realtime: RealtimeState) -> [LiveDeparture] {
    let added = realtime.added.flatMap { update -> [LiveDeparture] in
      // Skipped stops at the beginning may have no time.
      let moment = update.stops.lazy.compactMap(\.time).first ?? 0
      let date =
        update.trip.startDate.flatMap(RealtimeState.date)
        ?? LocalTime(secondsSince1970: moment, timeZone: timetable.timeZone)?.date
      guard let date, let route = update.trip.route.flatMap(timetable.route) else { return [] }
      let key = TripInstance.Key(tripID: update.trip.id ?? "", serviceDate: date)
      return journey(update, as: key, on: route, at: stops)
    }
    let replaced = realtime.replaced.flatMap { key -> [LiveDeparture] in
      guard let update = realtime.updates[key], let trip = timetable.instance(key) else {
        return []
      }
      return journey(update, as: key, on: trip.route, at: stops)
    }
    return added + replaced
  }

  /// Returns the departures of a journey that is not in the schedule.
  ///
  /// The last stop may be missing from the guide if no scheduled trip calls there.
  private func journey(
    _ update: RealtimeFeed.TripUpdate, as key: TripInstance.Key, on route: TransitRoute,
    at stops: Set<Int>
  ) -> [LiveDeparture] {
    let calls = update.stops.filter { $0.relationship != .skipped }
    guard let last = calls.compactMap({ $0.stop.flatMap(timetable.stop) }).last else { return [] }
    return calls.dropLast().enumerated().compactMap { place, stop in
      guard let time = stop.time, let id = stop.stop,
        let number = timetable.index.stopNumbers[id], stops.contains(number),
        let here = timetable.stop(id)
      else { return nil }
      let departure = Departure(
        key: Departure.Key(trip: key, sequence: stop.sequence ?? place), route: route,
        headsign: nil, direction: update.trip.direction, time: time, precision: .exact,
        stop: here, pickup: 0, isWheelchairAccessible: update.wheelchair?.isAccessible,
        lastStop: last)
      return LiveDeparture(
        departure, stop.relationship == .noData ? .scheduled : .predicted(delay: nil))
    }
  }

  /// Removes estimated departures that are within half a headway of a predicted vehicle.
  private static func withoutDoubles(_ all: [LiveDeparture]) -> [LiveDeparture] {
    struct Place: Hashable { let trip: String, stop: String, sequence: Int }
    func place(_ one: LiveDeparture) -> Place {
      Place(
        trip: one.departure.key.trip.tripID, stop: one.departure.stop.id,
        sequence: one.departure.key.sequence)
    }
    var known: [Place: [Double]] = [:]
    for one in all {
      if case .every = one.departure.precision, one.isPredicted {
        known[place(one), default: []].append(one.time)
      }
    }
    return all.filter { one in
      guard case .every(let headway) = one.departure.precision, !one.isPredicted else {
        return true
      }
      return !(known[place(one)] ?? []).contains {
        ($0 - one.time).magnitude < Double(headway) / 2
      }
    }
  }

  // MARK: - Text

  /// Formats a departure, for example `55 Downtown in 4 min, on time`.
  public func words(for departure: LiveDeparture, now: Double) -> String {
    let scheduled = departure.departure
    let title =
      VisibleText.line(scheduled.title)
      + (scheduled.stop.platform.map { ", platform " + VisibleText.line($0) } ?? "")
    let time = timetable.words(until: departure.time, now: now)
    return "\(title) \(time), \(words(departure.status, scheduled))"
  }

  private func words(_ status: LiveDeparture.Status, _ scheduled: Departure) -> String {
    switch status {
    case .scheduled: scheduled.precision.words ?? "scheduled"
    case .canceled: "canceled"
    case .skipped: "does not stop"
    case .predicted(nil): "on its way"
    case .predicted(let delay?):
      delay.magnitude < 60
        ? "on time" : "\(delay.magnitude / 60) min \(delay > 0 ? "late" : "early")"
    }
  }

  /// Returns one line for each notice: old data, a different schedule version, or an alert.
  ///
  /// Alerts are in `language`, such as `de` or `de-AT`; `nil` prefers texts with no specified language.
  public func notices(at stops: [String], now: Double, in language: String? = nil) -> [String] {
    guard let realtime else { return [] }
    var notices: [String] = []
    if let age = realtime.age(at: now), realtime.isOld(at: now) {
      let minutes = Int((min(age, 1e9) / 60).rounded(.down))
      notices.append("realtime data is \(minutes) min old")
    }
    if let notice = realtime.versionNotice { notices.append(notice) }
    for alert in alerts(at: stops, realtime, now) {
      let texts = [alert.header, alert.description].compactMap { $0.text(in: language) }
      // Some agencies send empty headlines.
      if let text = texts.first(where: { $0.contains { !$0.isWhitespace } }) {
        notices.append(VisibleText.line(text))
      }
    }
    return notices
  }

  private func alerts(
    at stops: [String], _ realtime: RealtimeState, _ now: Double
  ) -> [RealtimeFeed.Alert] {
    let numbers = timetable.numbers(ofStops: stops)
    let stations = numbers.map { timetable.index.stations[$0] }.filter { $0 >= 0 }
    let routes = stops.flatMap { timetable.routes(at: $0) }.map(\.id)
    let trips = departures(at: stops, from: now).map(\.departure.key.trip)
    return realtime.alerts(
      stops: Set((numbers + stations).map { timetable.index.stops[$0].id }), routes: Set(routes),
      trips: Set(trips), at: now)
  }
}
