internal import CupolaGuide
internal import CupolaSupport

// 1. Find the trip and service day of a message by identifier, date, start and times.
// 2. Make copies of trips (`DUPLICATED`) at their own time.
// 3. Find the identifier of a trip that a message names by route, direction, start and date.

extension RealtimeState {
  /// Seconds from a trip's first arrival and last departure within which a moment may belong to it.
  fileprivate static let reach = 12.0 * 3600

  /// The trip on its day that is meant; `nil` when there is none.
  ///
  /// A date is that of the service day. Some agencies (WMATA) write the day on the calendar for trips that begin at
  /// 24:00 or later: where `start_time` or a moment that was said shows it, the trip of the day before is meant.
  ///
  /// Without a date it is the one that is on its way at the moment that was said, else at that of the message, or else
  /// the nearest in time; of equally near ones the earlier. An update of a copy names the trip that it is a copy of, but
  /// says nothing of that.
  ///
  /// - Parameters:
  ///   - moment: of the message, seconds since 1970.
  ///   - said: a moment at which the vehicle is on that trip, seconds since 1970.
  static func key(
    of trip: RealtimeFeed.Trip, in timetable: Timetable, at moment: Double, said: Double? = nil
  ) -> TripInstance.Key? {
    guard trip.relationship != .duplicated, let id = trip.id, timetable.hasTrip(id) else {
      return nil
    }
    let start = trip.startTime.flatMap(Self.seconds)
    let isFrequent = timetable.runsByFrequency(id)
    if isFrequent, start == nil { return nil }
    func found(_ date: LocalDate) -> TripInstance? {
      timetable.instance(
        TripInstance.Key(tripID: id, serviceDate: date, frequencyStart: isFrequent ? start : nil))
    }
    if let text = trip.startDate {
      guard let date = Self.date(text) else { return nil }
      let dated = found(date)
      if isFrequent || (said != nil && dated?.isNear(said) ?? false) { return dated?.key }
      let before = date.adding(days: -1).flatMap(found)
      let isBefore = before?.begins(on: date, at: start, said: said, in: timetable) ?? false
      return isBefore ? before?.key : dated?.key
    }
    // What is said of this evening in the morning is not said of the evening before.
    let then = said ?? moment
    guard let today = LocalTime(secondsSince1970: then, timeZone: timetable.timeZone)?.date else {
      return nil
    }
    var best: (away: Double, key: TripInstance.Key)?
    for days in -2...1 {
      guard let one = today.adding(days: days).flatMap(found), let away = one.away(from: then)
      else { continue }
      if away <= reach, away < best?.away ?? .infinity { best = (away, one.key) }
    }
    return best?.key
  }

  /// Of `25:10:00`.
  static func seconds(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map {
      Digits.number($0)
    }
    guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2],
      (0...999).contains(hours), (0..<60).contains(minutes), (0..<60).contains(seconds)
    else { return nil }
    return hours * 3600 + minutes * 60 + seconds
  }

  /// Of `20261123`.
  static func date(_ text: String) -> LocalDate? {
    guard text.utf8.count == 8, let value = Digits.number(text) else { return nil }
    return LocalDate(year: value / 10_000, month: value / 100 % 100, day: value % 100)
  }
}

extension Timetable {
  /// The copy of a trip (`DUPLICATED`) of which an update is, at its own time; `nil` where it does not say what it is
  /// called and when it begins, or is a copy of no trip of the schedule.
  func copy(_ update: RealtimeFeed.TripUpdate) -> TripInstance? {
    guard let original = update.trip.id.flatMap({ index.tripNumbers[$0] }),
      let id = update.copy.id, !hasTrip(id),
      let date = update.copy.startDate.flatMap(RealtimeState.date),
      let start = update.copy.startTime.flatMap(RealtimeState.seconds)
    else { return nil }
    let trip = instance(ofTrip: original, on: date)
    guard let first = trip.calls.first?.departure else { return nil }
    let later = index.clock.secondsSince1970(start, on: date) - first
    return TripInstance(
      key: TripInstance.Key(tripID: id, serviceDate: date), route: trip.route,
      headsign: trip.headsign, direction: trip.direction, headway: nil,
      calls: trip.calls.map { call in
        var call = call
        call.arrival += later
        call.departure += later
        return call
      })
  }
}

extension TripInstance {
  /// Seconds between a moment and the time in which the vehicle is on its way; `nil` without calls.
  fileprivate func away(from moment: Double) -> Double? {
    guard let first = calls.first?.arrival, let last = calls.last?.departure else { return nil }
    return max(0, first - moment, moment - last)
  }

  /// Whether a moment, where one was said, may belong to it.
  fileprivate func isNear(_ moment: Double?) -> Bool {
    guard let moment, let away = away(from: moment) else { return moment == nil }
    return away <= RealtimeState.reach
  }

  /// Whether it begins at 24:00 or later, on the calendar on a date, and something said shows that it is meant.
  fileprivate func begins(
    on date: LocalDate, at start: Int?, said: Double?, in timetable: Timetable
  ) -> Bool {
    guard let first = calls.first?.departure,
      let local = LocalTime(secondsSince1970: first, timeZone: timetable.timeZone),
      local.date == date, key.serviceDate != date
    else { return false }
    if said != nil { return isNear(said) }
    return start.map { $0 / 60 == local.minute } ?? false
  }
}

extension RealtimeFeed.Trip {
  /// Whether it is a trip on its day, or one of several where it says no date or start.
  func means(_ key: TripInstance.Key) -> Bool {
    guard id == key.tripID else { return false }
    if let startDate, RealtimeState.date(startDate) != key.serviceDate { return false }
    guard let startTime, let start = key.frequencyStart else { return true }
    return RealtimeState.seconds(startTime) == start
  }

  /// Whether it has no identifier, but all that may stand for it.
  fileprivate var isNamedByStart: Bool {
    (id?.isEmpty ?? true) && route != nil && direction != nil && startTime != nil
      && startDate != nil
  }

  /// Whether it is a trip of the schedule, as it is or changed, and none that came to it.
  fileprivate var isOfSchedule: Bool {
    switch relationship {
    case .scheduled, .canceled, .replacement, .deleted: true
    case .added, .unscheduled, .duplicated, .new: false
    }
  }
}

extension RealtimeFeed.TripUpdate {
  /// Whether it is a whole journey, stops with their times, in place of that of the schedule (`REPLACEMENT`). One that
  /// says less changes the journey of the schedule.
  var replacesTrip: Bool {
    guard trip.relationship == .replacement else { return false }
    let calls = stops.filter { $0.relationship != .skipped }
    return calls.count > 1 && calls.allSatisfy { $0.stop != nil && $0.time != nil }
  }

  /// The first moment that it says of a stop, seconds since 1970.
  var firstMoment: Double? {
    stops.lazy.compactMap { $0.arrival?.moment ?? $0.departure?.moment }.first
  }
}

/// Finds the trips that messages name by `route_id`, `direction_id`, `start_time` and `start_date` instead of by
/// `trip_id` (https://gtfs.org/documentation/realtime/feed-entities/trip-updates#alternative-trip-matching).
///
/// All four must be said, and be those of one trip on that day: of several nobody knows which one is meant. Trips that
/// run by frequency cannot be named so.
struct TripFinder {
  private struct Name: Hashable {
    let route: Int
    let direction: Int
    /// Seconds since noon minus 12 hours of the service day.
    let start: Int
  }

  private let timetable: Timetable
  /// The numbers of trips.
  private let trips: [Name: [Int]]

  init(_ timetable: Timetable) {
    self.timetable = timetable
    let tables = timetable.tables
    var trips: [Name: [Int]] = [:]
    for (number, trip) in tables.trips.enumerated() {
      let pattern = tables.pattern(ofTrip: number)
      guard pattern.direction >= 0, !pattern.calls.isEmpty,
        tables.frequencies(ofTrip: number).isEmpty
      else { continue }
      let name = Name(
        route: Int(pattern.route), direction: Int(pattern.direction), start: Int(trip.start))
      trips[name, default: []].append(number)
    }
    self.trips = trips
  }

  /// The number of the trip; `nil` where it has an identifier, or where no trip or more than one is meant.
  private func number(of trip: RealtimeFeed.Trip) -> Int? {
    guard trip.isNamedByStart, let route = trip.route.flatMap({ timetable.index.routeNumbers[$0] }),
      let direction = trip.direction, let start = trip.startTime.flatMap(RealtimeState.seconds),
      let date = trip.startDate.flatMap(RealtimeState.date)
    else { return nil }
    let running = trips[Name(route: route, direction: direction, start: start), default: []]
      .filter {
        timetable.index.services.runs(
          Int(timetable.tables.trips[$0].service), onDay: date.dayNumber)
      }
    return running.count == 1 ? running[0] : nil
  }

  /// A message with the identifiers of the trips that are found.
  func named(_ feed: RealtimeFeed) -> RealtimeFeed {
    var feed = feed
    feed.tripUpdates = feed.tripUpdates.map { $0.trip.isOfSchedule ? named($0) : $0 }
    for place in feed.vehicles.indices {
      guard let trip = feed.vehicles[place].trip, trip.isOfSchedule else { continue }
      feed.vehicles[place].trip = named(trip)
    }
    for place in feed.alerts.indices {
      for subject in feed.alerts[place].subjects.indices {
        guard let trip = feed.alerts[place].subjects[subject].trip else { continue }
        feed.alerts[place].subjects[subject].trip = named(trip)
      }
    }
    return feed
  }

  private func named(_ trip: RealtimeFeed.Trip) -> RealtimeFeed.Trip {
    guard let number = number(of: trip) else { return trip }
    var trip = trip
    trip.id = timetable.tables.trips[number].id
    return trip
  }

  private func named(_ update: RealtimeFeed.TripUpdate) -> RealtimeFeed.TripUpdate {
    guard let number = number(of: update.trip) else { return update }
    var update = update
    let tables = timetable.tables
    update.trip.id = tables.trips[number].id
    let calls = tables.calls[tables.pattern(ofTrip: number).calls]
    // Without a `trip_id` a `stop_sequence` need not be that of the schedule: the `stop_id` counts.
    for place in update.stops.indices {
      let stop = update.stops[place]
      let isCall = calls.contains {
        Int($0.sequence) == stop.sequence && tables.stops[Int($0.stop)].id == stop.stop
      }
      if !isCall { update.stops[place].sequence = nil }
    }
    return update
  }
}

extension [RealtimeFeed] {
  /// The messages with the identifiers of trips that they name by route, direction, start and date.
  func named(by timetable: Timetable) -> [RealtimeFeed] {
    // Most messages have identifiers, and need no table of the schedule's starts.
    let namesByStart = contains { feed in
      feed.tripUpdates.contains { $0.trip.isNamedByStart }
        || feed.vehicles.contains { $0.trip?.isNamedByStart ?? false }
        || feed.alerts.contains { $0.subjects.contains { $0.trip?.isNamedByStart ?? false } }
    }
    guard namesByStart else { return self }
    let finder = TripFinder(timetable)
    return map { finder.named($0) }
  }
}
