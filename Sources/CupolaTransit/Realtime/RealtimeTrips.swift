internal import CupolaGuide
internal import CupolaSupport

// 1. Find the trip and service day for a message by identifier, date, start and times.
// 2. Create duplicated trips (`DUPLICATED`) with their own start times.
// 3. Match trips that a message describes only by route, direction, start and date.

extension RealtimeState {
  /// The largest difference, in seconds, between a reported time and the time span of its trip.
  fileprivate static let reach = 12.0 * 3600

  /// Returns the trip and service day for a trip descriptor, or `nil` if none matches.
  ///
  /// `start_date` is the service day. Some agencies, such as WMATA, send the calendar date for trips that start at
  /// 24:00 or later, which can be detected by `start_time` or the reported time. If there is no date, the service day
  /// is the one on which the trip runs at the reported time; otherwise, the nearest one. In case of a tie, the earlier
  /// day is used. Descriptors of duplicated trips match nothing, because they contain the identifier of the original
  /// trip.
  static func key(
    of trip: RealtimeFeed.Trip, in timetable: Timetable, at moment: Double, reported: Double? = nil
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
      if isFrequent || (reported != nil && dated?.isNear(reported) ?? false) { return dated?.key }
      let before = date.adding(days: -1).flatMap(found)
      let isBefore = before?.begins(on: date, at: start, reported: reported, in: timetable) ?? false
      return isBefore ? before?.key : dated?.key
    }
    // Otherwise, a report in the morning about tonight's trip would match yesterday's trip.
    let then = reported ?? moment
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

  /// Parses a time such as `25:10:00` to seconds.
  static func seconds(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map {
      Digits.number($0)
    }
    guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2],
      (0...999).contains(hours), (0..<60).contains(minutes), (0..<60).contains(seconds)
    else { return nil }
    return hours * 3600 + minutes * 60 + seconds
  }

  /// Parses a date such as `20261123`.
  static func date(_ text: String) -> LocalDate? {
    guard text.utf8.count == 8, let value = Digits.number(text) else { return nil }
    return LocalDate(year: value / 10_000, month: value / 100 % 100, day: value % 100)
  }
}

extension Timetable {
  /// Returns the trip of a `DUPLICATED` update, with its own start time.
  ///
  /// Returns `nil` if the update has no identifier or start time, or if the original trip is not in the schedule.
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
  /// The difference in seconds between a time and the trip's time span; 0 within the span.
  fileprivate func away(from moment: Double) -> Double? {
    guard let first = calls.first?.arrival, let last = calls.last?.departure else { return nil }
    return max(0, first - moment, moment - last)
  }

  /// Whether a reported time, if there is one, is close enough to belong to the trip.
  fileprivate func isNear(_ moment: Double?) -> Bool {
    guard let moment, let away = away(from: moment) else { return moment == nil }
    return away <= RealtimeState.reach
  }

  /// Whether the trip starts at 24:00 or later and on this calendar date, as confirmed by the report.
  fileprivate func begins(
    on date: LocalDate, at start: Int?, reported: Double?, in timetable: Timetable
  ) -> Bool {
    guard let first = calls.first?.departure,
      let local = LocalTime(secondsSince1970: first, timeZone: timetable.timeZone),
      local.date == date, key.serviceDate != date
    else { return false }
    if reported != nil { return isNear(reported) }
    return start.map { $0 / 60 == local.minute } ?? false
  }
}

extension RealtimeFeed.Trip {
  /// Whether the descriptor matches a trip; a missing date or start matches all.
  func matches(_ key: TripInstance.Key) -> Bool {
    guard id == key.tripID else { return false }
    if let startDate, RealtimeState.date(startDate) != key.serviceDate { return false }
    guard let startTime, let start = key.frequencyStart else { return true }
    return RealtimeState.seconds(startTime) == start
  }

  /// Whether the trip has no identifier, but has all four fields that can be used instead.
  fileprivate var isNamedByStart: Bool {
    (id?.isEmpty ?? true) && route != nil && direction != nil && startTime != nil
      && startDate != nil
  }

  /// Whether the trip is in the schedule, unlike added and duplicated trips.
  fileprivate var isScheduled: Bool {
    switch relationship {
    case .scheduled, .canceled, .replacement, .deleted: true
    case .added, .unscheduled, .duplicated, .new: false
    }
  }
}

extension RealtimeFeed.TripUpdate {
  /// Whether the update is a `REPLACEMENT` that contains a stop and a time for each call.
  ///
  /// An incomplete replacement changes the scheduled trip in the same way as any other update.
  var replacesTrip: Bool {
    guard trip.relationship == .replacement else { return false }
    let calls = stops.filter { $0.relationship != .skipped }
    return calls.count > 1 && calls.allSatisfy { $0.stop != nil && $0.time != nil }
  }

  /// The first time reported for a stop, in seconds since 1970.
  var firstMoment: Double? {
    stops.lazy.compactMap { $0.arrival?.moment ?? $0.departure?.moment }.first
  }
}

/// Matches trips by `route_id`, `direction_id`, `start_time` and `start_date` instead of `trip_id`.
///
/// All four fields are required and must match exactly one trip on that day. Trips with a frequency cannot be matched
/// (https://gtfs.org/documentation/realtime/feed-entities/trip-updates#alternative-trip-matching).
struct TripFinder {
  private struct Name: Hashable {
    let route: Int
    let direction: Int
    let start: Int
  }

  private let timetable: Timetable
  /// The trip numbers for each description.
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

  /// Returns the trip's number if it has no identifier and matches exactly one scheduled trip.
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

  func named(_ feed: RealtimeFeed) -> RealtimeFeed {
    var feed = feed
    feed.tripUpdates = feed.tripUpdates.map { $0.trip.isScheduled ? named($0) : $0 }
    for place in feed.vehicles.indices {
      guard let trip = feed.vehicles[place].trip, trip.isScheduled else { continue }
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
    // If there is no `trip_id`, `stop_sequence` may differ from the schedule, so use `stop_id`.
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
  /// Returns the messages with the identifiers of matched trips.
  func named(by timetable: Timetable) -> [RealtimeFeed] {
    // Most messages contain identifiers, so the table of starts is rarely needed.
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
