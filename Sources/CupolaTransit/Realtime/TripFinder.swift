internal import CupolaGuide
internal import CupolaSupport

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

  private func id(of trip: RealtimeFeed.Trip) -> String? {
    number(of: trip).map { timetable.tables.trips[$0].id }
  }

  /// A message with the identifiers of the trips that are found.
  func named(_ feed: RealtimeFeed) -> RealtimeFeed {
    var feed = feed
    feed.tripUpdates = feed.tripUpdates.map { $0.trip.isOfSchedule ? named($0) : $0 }
    for place in feed.vehicles.indices {
      guard let trip = feed.vehicles[place].trip, trip.isOfSchedule, let id = id(of: trip) else {
        continue
      }
      feed.vehicles[place].trip?.id = id
    }
    for place in feed.alerts.indices {
      for subject in feed.alerts[place].subjects.indices {
        guard let id = feed.alerts[place].subjects[subject].trip.flatMap({ id(of: $0) }) else {
          continue
        }
        feed.alerts[place].subjects[subject].trip?.id = id
      }
    }
    return feed
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
    guard contains(where: \.namesByStart) else { return self }
    let finder = TripFinder(timetable)
    return map { finder.named($0) }
  }
}

extension RealtimeFeed {
  fileprivate var namesByStart: Bool {
    tripUpdates.contains { $0.trip.isNamedByStart }
      || vehicles.contains { $0.trip?.isNamedByStart ?? false }
      || alerts.contains { $0.subjects.contains { $0.trip?.isNamedByStart ?? false } }
  }
}

extension RealtimeFeed.Trip {
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
