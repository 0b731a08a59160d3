internal import CupolaCampus

/// What leaves from stops, with what is known of the vehicles.
public struct DepartureBoard: Sendable {
  /// The schedule.
  public let timetable: Timetable
  /// What is known of the vehicles; `nil` for the schedule alone.
  public let realtime: RealtimeState?

  /// Seconds that vehicles may be late and are still waited for.
  private static let latest = 3600.0
  /// Departures that are looked at for one that is shown: those that have already left, or are not by schedule.
  private static let spare = 500

  /// - Parameters:
  ///   - timetable: the schedule.
  ///   - realtime: `nil` for the schedule alone.
  public init(_ timetable: Timetable, _ realtime: RealtimeState? = nil) {
    (self.timetable, self.realtime) = (timetable, realtime)
  }

  /// The departures from some stops, the first one first; canceled ones stand where they would be.
  ///
  /// - Parameters:
  ///   - stops: identifiers; a station stands for its platforms.
  ///   - from: seconds since 1970.
  ///   - during: seconds.
  ///   - limit: the most that are given.
  public func departures(
    at stops: [String], from: Double, during: Double = 86400, limit: Int = 100
  ) -> [LiveDeparture] {
    guard let realtime else {
      return timetable.departures(at: stops, from: from, during: during, limit: limit)
        .map { LiveDeparture(departure: $0, status: .scheduled, time: $0.time) }
    }
    guard limit > 0 else { return [] }
    let scheduled = timetable.departures(
      at: stops, from: from - Self.latest, during: during + Self.latest,
      limit: min(limit, 100_000) + Self.spare)
    var predictions: [TripInstance.Key: TripPrediction] = [:]
    var found = scheduled.map { live($0, realtime, &predictions) }
    let numbers = Set(timetable.numbers(ofStops: stops))
    found += runs(at: numbers, realtime) + added(at: numbers, realtime)
    return Array(
      Self.withoutDoubles(found).filter { from <= $0.time && $0.time < from + during }
        .sorted {
          ($0.time, $0.departure.key.trip.tripID) < ($1.time, $1.departure.key.trip.tripID)
        }
        .prefix(limit))
  }

  private func live(
    _ departure: Departure, _ realtime: RealtimeState,
    _ predictions: inout [TripInstance.Key: TripPrediction]
  ) -> LiveDeparture {
    let nothing = LiveDeparture(departure: departure, status: .scheduled, time: departure.time)
    let key = departure.key.trip
    guard let update = realtime.updates[key], let trip = timetable.instance(key),
      let number = trip.calls.firstIndex(where: { $0.sequence == departure.key.sequence })
    else { return nothing }
    let prediction = predictions[key] ?? TripPrediction(update, to: trip)
    predictions[key] = prediction
    return Self.live(departure, prediction.calls[number])
  }

  private static func live(
    _ departure: Departure, _ call: TripPrediction.Call
  ) -> LiveDeparture {
    switch call.status {
    case .scheduled, .noData:
      LiveDeparture(departure: departure, status: .scheduled, time: departure.time)
    case .canceled: LiveDeparture(departure: departure, status: .canceled, time: departure.time)
    case .skipped: LiveDeparture(departure: departure, status: .skipped, time: departure.time)
    case .predicted:
      LiveDeparture(
        departure: departure, status: .predicted(delay: call.delay),
        time: call.departure ?? departure.time)
    }
  }

  // MARK: - What no schedule has

  /// Vehicles of trips that run by frequency: their starts stand in no schedule.
  private func runs(at stops: Set<Int>, _ realtime: RealtimeState) -> [LiveDeparture] {
    realtime.updates.keys.filter { $0.frequencyStart != nil }.flatMap { key -> [LiveDeparture] in
      guard let trip = timetable.instance(key), trip.headway != nil,
        let update = realtime.updates[key]
      else { return [] }
      let prediction = TripPrediction(update, to: trip)
      return zip(trip.calls, prediction.calls).compactMap { call, predicted in
        guard call.canBoard, predicted.status == .predicted,
          let stop = timetable.stop(call.stopID),
          let number = timetable.index.stopNumbers[call.stopID], stops.contains(number),
          let last = trip.calls.last.flatMap({ timetable.stop($0.stopID) })
        else { return nil }
        let departure = Departure(
          key: Departure.Key(trip: key, sequence: call.sequence), route: trip.route,
          headsign: trip.headsign, direction: trip.direction, time: call.departure,
          precision: call.precision, stop: stop, pickup: 0, isWheelchairAccessible: nil,
          lastStop: last)
        return Self.live(departure, predicted)
      }
    }
  }

  /// Trips that were added.
  private func added(at stops: Set<Int>, _ realtime: RealtimeState) -> [LiveDeparture] {
    realtime.added.flatMap { update -> [LiveDeparture] in
      guard let route = update.trip.route.flatMap(timetable.route),
        let last = update.stops.last?.stop.flatMap(timetable.stop)
      else { return [] }
      let moment = update.stops.first?.time ?? 0
      let date =
        update.trip.startDate.flatMap(RealtimeState.date)
        ?? LocalTime(secondsSince1970: moment, timeZone: timetable.timeZone)?.date
      guard let date else { return [] }
      return update.stops.dropLast().enumerated().compactMap { place, stop in
        guard stop.relationship != .skipped, let time = stop.time, let id = stop.stop,
          let number = timetable.index.stopNumbers[id], stops.contains(number),
          let here = timetable.stop(id)
        else { return nil }
        let key = TripInstance.Key(tripID: update.trip.id ?? "", serviceDate: date)
        let departure = Departure(
          key: Departure.Key(trip: key, sequence: stop.sequence ?? place), route: route,
          headsign: nil, direction: update.trip.direction, time: time, precision: .exact,
          stop: here, pickup: 0, isWheelchairAccessible: nil, lastStop: last)
        return LiveDeparture(departure: departure, status: .predicted(delay: nil), time: time)
      }
    }
  }

  /// Where a vehicle of a frequency is known, what only the frequency said near to it is left out.
  private static func withoutDoubles(_ all: [LiveDeparture]) -> [LiveDeparture] {
    struct Place: Hashable { let trip: String, stop: String, sequence: Int }
    func place(_ one: LiveDeparture) -> Place {
      Place(
        trip: one.departure.key.trip.tripID, stop: one.departure.stop.id,
        sequence: one.departure.key.sequence)
    }
    var known: [Place: [Double]] = [:]
    for one in all {
      if case .every = one.departure.precision, case .predicted = one.status {
        known[place(one), default: []].append(one.time)
      }
    }
    var seen: Set<Departure.Key> = []
    return all.filter { one in
      guard case .every(let headway) = one.departure.precision else { return true }
      if case .predicted = one.status { return seen.insert(one.departure.key).inserted }
      return !(known[place(one)] ?? []).contains {
        ($0 - one.time).magnitude < Double(headway) / 2
      }
    }
  }

  // MARK: - Words

  /// `55 Downtown in 4 min, on time`.
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

  /// What is to be said besides: old data, another schedule, alerts; a line each.
  public func notices(at stops: [String], now: Double, in language: String? = nil) -> [String] {
    guard let realtime else { return [] }
    var notices: [String] = []
    if let age = realtime.age(at: now), realtime.isOld(at: now) {
      let minutes = Int((min(age, 1e9) / 60).rounded(.down))
      notices.append("the realtime data are old: of \(minutes) min ago")
    }
    if let notice = realtime.versionNotice { notices.append(notice) }
    let routes = Set(stops.flatMap { timetable.routes(at: $0) }.map(\.id))
    for alert in realtime.alerts(stops: Set(stops), routes: routes, at: now) {
      if let text = alert.header.text(in: language) ?? alert.description.text(in: language) {
        notices.append(VisibleText.line(text))
      }
    }
    return notices
  }
}

extension RealtimeFeed.StopUpdate {
  /// When the vehicle leaves, or else comes.
  fileprivate var time: Double? { departure?.moment ?? arrival?.moment }
}
