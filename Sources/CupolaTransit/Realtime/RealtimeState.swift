public import CupolaGuide
internal import CupolaSupport

// 1. Match trip updates, duplicated and added trips, and vehicles with the scheduled trips.
// 2. Compute the age of the messages, and compare their version with that of the schedule.
// 3. Return the prediction and vehicles for a trip, and the alerts for stops, routes and trips.
// 4. Poll for new messages.

/// The realtime data for a schedule at one time, combined from one or more messages.
public struct RealtimeState: Sendable {
  private let feeds: [RealtimeFeed]
  /// The number of trip updates that do not match a scheduled trip.
  ///
  /// Includes `DUPLICATED` trips without an identifier or start time; excludes added trips.
  private(set) var unknownTrips = 0

  private(set) var updates: [TripInstance.Key: RealtimeFeed.TripUpdate] = [:]
  /// The scheduled trips that are replaced by a complete `REPLACEMENT` journey.
  let replaced: Set<TripInstance.Key>
  /// Updates of trips that are not in the schedule.
  private(set) var added: [RealtimeFeed.TripUpdate] = []
  /// `DUPLICATED` trips with their updates.
  private(set) var copies:
    [TripInstance.Key: (trip: TripInstance, update: RealtimeFeed.TripUpdate)] = [:]
  let wheelchairs: [TripInstance.Key: RealtimeFeed.WheelchairAccess]
  private let timetable: Timetable
  /// The agency and `route_type` of each route.
  private let lines: [String: (agency: String?, type: Int)]

  /// Creates the state from messages.
  ///
  /// - Parameters:
  ///   - feeds: The messages, from one or more feeds.
  ///   - timetable: The timetable that the messages refer to.
  ///   - moment: The time of receipt in seconds since 1970, for messages without a timestamp.
  public init(_ feeds: [RealtimeFeed], of timetable: Timetable, at moment: Double) {
    let feeds = feeds.named(by: timetable)
    self.feeds = feeds
    self.timetable = timetable
    lines = timetable.lines
    for feed in feeds {
      for update in feed.tripUpdates {
        let isKnown = update.trip.id.map(timetable.hasTrip) ?? false
        switch update.trip.relationship {
        case .added, .new,
          .unscheduled where !isKnown,
          .replacement where !isKnown && update.replacesTrip:
          added.append(update)
        case .duplicated:
          if let trip = timetable.copy(update) {
            copies[trip.key] = (trip: trip, update: update)
          } else {
            unknownTrips += 1
          }
        default:
          let now = update.timestamp ?? feed.timestamp ?? moment
          if let key = Self.key(
            of: update.trip, in: timetable, at: now, reported: update.firstMoment)
          {
            updates[key] = update
          } else {
            unknownTrips += 1
          }
        }
      }
    }
    var wheelchairs = updates.compactMapValues(\.wheelchair)
    for (key, copy) in copies { wheelchairs[key] = copy.update.wheelchair }
    for vehicle in feeds.flatMap(\.vehicles) {
      guard let access = vehicle.wheelchair, let trip = vehicle.trip else { continue }
      let now = vehicle.timestamp ?? moment
      let key = Self.key(of: trip, in: timetable, at: now, reported: vehicle.timestamp)
      if let key { wheelchairs[key] = access }
    }
    self.wheelchairs = wheelchairs
    replaced = Set(updates.filter { $0.value.replacesTrip }.keys)
  }

  /// Returns the age of the oldest message in seconds; `nil` if no message has a timestamp.
  func age(at moment: Double) -> Double? {
    feeds.compactMap(\.timestamp).min().map { moment - $0 }
  }

  /// Whether the oldest message is more than 90 s old.
  func isOld(at moment: Double) -> Bool { age(at: moment).map { $0 > 90 } ?? false }

  /// A notice if a message is for a different version of the schedule than the guide's.
  var versionNotice: String? {
    guard let version = timetable.version else { return nil }
    let other = feeds.compactMap(\.feedVersion).first { $0 != version }
    return other.map { other in
      let (theirs, ours) = (other.start(scalars: 60), version.start(scalars: 60))
      return "realtime data is for schedule version \(theirs), but the guide has \(ours); "
        + "build the guide again with the new schedule"
    }
  }

  func isDeleted(_ key: TripInstance.Key) -> Bool {
    updates[key]?.trip.relationship == .deleted
  }

  /// Returns a scheduled or duplicated trip on its service day.
  func instance(_ key: TripInstance.Key) -> TripInstance? {
    copies[key]?.trip ?? timetable.instance(key)
  }

  func prediction(for trip: TripInstance) -> TripPrediction? {
    (updates[trip.key] ?? copies[trip.key]?.update).map { TripPrediction($0, to: trip) }
  }

  /// Returns the vehicles of a scheduled, duplicated or added trip.
  func vehicles(
    of key: TripInstance.Key, at moment: Double
  ) -> [RealtimeFeed.VehiclePosition] {
    feeds.flatMap(\.vehicles).filter { vehicle in
      guard let trip = vehicle.trip, trip.id == key.tripID else { return false }
      // Duplicated and added trips have no service days in the schedule.
      if !timetable.hasTrip(key.tripID) { return trip.matches(key) }
      let time = vehicle.timestamp ?? moment
      return Self.key(of: trip, in: timetable, at: time, reported: vehicle.timestamp) == key
    }
  }

  /// Returns the alerts that apply to stops, routes or trips at a time; passing a station does not include its
  /// platforms.
  ///
  /// If no routes are given, alerts for an agency or route type apply to all routes. An alert for a trip applies only
  /// to that trip. An alert for a direction does not apply if all known trips of the route are in the opposite
  /// direction.
  func alerts(
    stops: Set<String>, routes: Set<String> = [], trips: Set<TripInstance.Key> = [],
    at moment: Double
  ) -> [RealtimeFeed.Alert] {
    let directions = timetable.directions(from: stops, of: trips)
    return feeds.flatMap(\.alerts).filter { alert in
      alert.holds(at: moment)
        && alert.subjects.contains { subject in
          if let trip = subject.trip {
            if let id = trip.id, !id.isEmpty {
              return trips.contains(where: trip.matches)
                && subject.stop.map { stops.contains($0) } ?? true
            }
            // The alert describes the trip by its start, but no scheduled trip matches.
            if trip.startTime != nil { return false }
          }
          if isOfOtherDirection(subject, directions) { return false }
          if let stop = subject.stop { return stops.contains(stop) }
          if let route = subject.route ?? subject.trip?.route { return routes.contains(route) }
          guard subject.trip == nil, subject.agency != nil || subject.routeType != nil else {
            return false
          }
          return (routes.isEmpty ? Set(lines.keys) : routes).contains { isAbout($0, subject) }
        }
    }
  }

  /// Whether an alert is for a direction of a route in which no trips are known.
  private func isOfOtherDirection(
    _ subject: RealtimeFeed.Alert.Subject, _ directions: [String: Set<Int>]
  ) -> Bool {
    guard let direction = subject.direction ?? subject.trip?.direction,
      let route = subject.route ?? subject.trip?.route, let known = directions[route]
    else { return false }
    // A trip without a direction may run in either direction.
    return !known.contains(direction) && !known.contains(-1)
  }

  /// Whether an alert for an agency, a route type or both applies to a route.
  private func isAbout(_ route: String, _ subject: RealtimeFeed.Alert.Subject) -> Bool {
    guard let line = lines[route] else { return false }
    // If a feed has only one agency, the agency may have no identifier.
    let isOfAgency = subject.agency == nil || line.agency == nil || subject.agency == line.agency
    return isOfAgency && (subject.routeType == nil || subject.routeType == line.type)
  }
}

extension Timetable {
  fileprivate var lines: [String: (agency: String?, type: Int)] {
    let all = tables.routes.map { route -> (String, (agency: String?, type: Int)) in
      let number = Int(route.agency)
      let agency = tables.agencies.indices.contains(number) ? tables.agencies[number].id : ""
      return (route.id, (agency: agency.isEmpty ? nil : agency, type: Int(route.type)))
    }
    return Dictionary(all) { first, _ in first }
  }

  /// The directions of each route, determined from departures at stops and from trips; -1 if unknown.
  fileprivate func directions(
    from stops: Set<String>, of trips: Set<TripInstance.Key>
  ) -> [String: Set<Int>] {
    var directions: [String: Set<Int>] = [:]
    func add(_ pattern: TimetableTables.Pattern) {
      let route = tables.routes[Int(pattern.route)].id
      directions[route, default: []].insert(Int(pattern.direction))
    }
    for trip in trips {
      if let number = index.tripNumbers[trip.tripID] { add(tables.pattern(ofTrip: number)) }
    }
    for number in stops.compactMap({ index.stopNumbers[$0] }) {
      for place in index.lines.places[number] {
        let pattern = tables.patterns[Int(index.lines.lines[Int(place.line)].pattern)]
        let call = pattern.calls.lowerBound + Int(place.position)
        // Passengers cannot board at the last stop.
        if call < pattern.calls.upperBound - 1, tables.calls[call].canBoard { add(pattern) }
      }
    }
    return directions
  }
}

/// Polls for realtime messages and continues after errors.
public struct RealtimePoll: Sendable {
  /// The result of a poll.
  public enum Answer: Sendable {
    /// The realtime state, created from the new messages.
    case state(RealtimeState)
    /// The poll failed. Keep using the previous state.
    case failed(problem: String)
  }

  private let timetable: Timetable
  private let interval: Double
  private let clock: @Sendable () -> Double
  private let sleep: @Sendable (Double) async throws -> Void

  /// Creates a poll.
  ///
  /// - Parameters:
  ///   - timetable: The timetable that the messages refer to.
  ///   - interval: The interval in seconds, at least 1. Agencies usually publish new messages every 30 s.
  ///   - clock: Returns the current time in seconds since 1970.
  ///   - sleep: Waits for a number of seconds; throws if the task is canceled.
  public init(
    _ timetable: Timetable, every interval: Double = 30,
    clock: @escaping @Sendable () -> Double = { LocalTime.secondsSince1970Now },
    sleep: @escaping @Sendable (Double) async throws -> Void = { seconds in
      // `Duration` overflows at about 10^20 s, so limit the interval to 1e9 s (30 years).
      try await Task.sleep(for: .seconds(min(seconds, 1e9)))
    }
  ) {
    precondition(interval >= 1, "a polling interval of \(interval) s is too short")
    (self.timetable, self.interval) = (timetable, interval)
    (self.clock, self.sleep) = (clock, sleep)
  }

  /// Polls until the task is canceled; `fetch` returns one or more messages, such as trip updates and alerts.
  public func run(
    fetch: @Sendable () async throws -> [[UInt8]], take: @Sendable (Answer) async -> Void
  ) async {
    while !Task.isCancelled {
      do {
        let feeds = try await fetch().map { try RealtimeFeed(bytes: $0) }
        await take(.state(RealtimeState(feeds, of: timetable, at: clock())))
      } catch {
        if Task.isCancelled { return }
        await take(.failed(problem: "\(error)"))
      }
      do { try await sleep(interval) } catch { return }
    }
  }
}
