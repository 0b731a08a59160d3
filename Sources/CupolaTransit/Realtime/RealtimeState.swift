public import CupolaGuide
internal import CupolaSupport

// 1. Match trip updates, copies, added trips and vehicles with the trips of the schedule.
// 2. Compute the age of the messages, and compare their version with the guide's.
// 3. Return the prediction and the vehicles of a trip, and the alerts for stops, routes and trips.
// 4. Poll for new messages.

/// What is known of the vehicles of a schedule at a moment: one or more messages, such as trip updates and alerts.
public struct RealtimeState: Sendable {
  /// The messages, with the identifiers of trips that they name by route, direction, start and date.
  private let feeds: [RealtimeFeed]
  /// Trip updates whose trips the schedule does not have, and which are no added ones; copies of trips
  /// (`DUPLICATED`) that do not say what they are called and when they begin are among them.
  private(set) var unknownTrips = 0

  /// Updates by what they change; the last one of a trip counts.
  private(set) var updates: [TripInstance.Key: RealtimeFeed.TripUpdate] = [:]
  /// Those of the updates that say all of another journey, which is driven in place of the trip (`REPLACEMENT`).
  let replaced: Set<TripInstance.Key>
  /// Trips that no schedule has.
  private(set) var added: [RealtimeFeed.TripUpdate] = []
  /// Copies of trips at another time, with what is known of them.
  private(set) var copies:
    [TripInstance.Key: (trip: TripInstance, update: RealtimeFeed.TripUpdate)] = [:]
  /// Whether the vehicles of trips take wheelchairs, where messages say so.
  let wheelchairs: [TripInstance.Key: RealtimeFeed.WheelchairAccess]
  private let timetable: Timetable
  /// Whose each route of the schedule is, and its `route_type`.
  private let lines: [String: (agency: String?, type: Int)]

  /// - Parameters:
  ///   - feeds: the messages.
  ///   - timetable: the schedule that they belong to.
  ///   - moment: when they came, seconds since 1970, for messages that do not say.
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
          if let key = Self.key(of: update.trip, in: timetable, at: now, said: update.firstMoment) {
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
      let key = Self.key(of: trip, in: timetable, at: now, said: vehicle.timestamp)
      if let key { wheelchairs[key] = access }
    }
    self.wheelchairs = wheelchairs
    replaced = Set(updates.filter { $0.value.replacesTrip }.keys)
  }

  // MARK: - Age and version

  /// Seconds since the oldest message was made; `nil` when none says.
  func age(at moment: Double) -> Double? {
    feeds.compactMap(\.timestamp).min().map { moment - $0 }
  }

  /// Whether what is known is more than 90 s old.
  func isOld(at moment: Double) -> Bool { age(at: moment).map { $0 > 90 } ?? false }

  /// A sentence where a message belongs to another schedule than the guide has; `nil` where that is not known.
  var versionNotice: String? {
    guard let version = timetable.version else { return nil }
    let other = feeds.compactMap(\.feedVersion).first { $0 != version }
    return other.map { other in
      let (theirs, ours) = (other.start(scalars: 60), version.start(scalars: 60))
      return "the realtime data belong to the schedule \(theirs), the guide has \(ours); "
        + "build the guide again with the new one"
    }
  }

  // MARK: - Trips, vehicles and alerts

  /// Whether nobody is to be told of a trip, not even that it is canceled (`DELETED`).
  func isDeleted(_ key: TripInstance.Key) -> Bool {
    updates[key]?.trip.relationship == .deleted
  }

  /// A trip on its day, of the schedule or a copy (`DUPLICATED`) of one, which the schedule does not know; `nil` when
  /// there is none.
  func instance(_ key: TripInstance.Key) -> TripInstance? {
    copies[key]?.trip ?? timetable.instance(key)
  }

  /// What is known of a trip; `nil` where nothing is.
  func prediction(for trip: TripInstance) -> TripPrediction? {
    (updates[trip.key] ?? copies[trip.key]?.update).map { TripPrediction($0, to: trip) }
  }

  /// The vehicles of a trip, also of one that the schedule does not have: of a copy, or of an added one.
  ///
  /// - Parameters:
  ///   - key: as a departure or a journey names it.
  ///   - moment: seconds since 1970, for messages that do not say.
  func vehicles(
    of key: TripInstance.Key, at moment: Double
  ) -> [RealtimeFeed.VehiclePosition] {
    feeds.flatMap(\.vehicles).filter { vehicle in
      guard let trip = vehicle.trip, trip.id == key.tripID else { return false }
      // A copy or an added trip: the schedule tells nothing of its days.
      if !timetable.hasTrip(key.tripID) { return trip.means(key) }
      let time = vehicle.timestamp ?? moment
      return Self.key(of: trip, in: timetable, at: time, said: vehicle.timestamp) == key
    }
  }

  /// What passengers of some stops, routes and trips are told at a moment, each once.
  ///
  /// - Parameters:
  ///   - stops: identifiers; stations and their platforms are told apart.
  ///   - routes: identifiers; none stand for all when something is said of an agency or a kind of route. What is said
  ///     of one trip of them is told only with that trip, and what is said of one direction not where all trips of the
  ///     route that leave from the stops, or are among the trips, go in another.
  ///   - trips: on their days.
  ///   - moment: seconds since 1970.
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
              return trips.contains(where: trip.means)
                && subject.stop.map { stops.contains($0) } ?? true
            }
            // Named by its start, but by that no trip is found.
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

  /// Whether what is said of one direction of a route is said of none of those that are known.
  private func isOfOtherDirection(
    _ subject: RealtimeFeed.Alert.Subject, _ directions: [String: Set<Int>]
  ) -> Bool {
    guard let direction = subject.direction ?? subject.trip?.direction,
      let route = subject.route ?? subject.trip?.route, let known = directions[route]
    else { return false }
    // Where the schedule says no direction, any may be meant.
    return !known.contains(direction) && !known.contains(-1)
  }

  /// Whether what is said of an agency, of a kind of route, or of both, is said of a route.
  private func isAbout(_ route: String, _ subject: RealtimeFeed.Alert.Subject) -> Bool {
    guard let line = lines[route] else { return false }
    // The only agency of a feed need not have an identifier.
    let isOfAgency = subject.agency == nil || line.agency == nil || subject.agency == line.agency
    return isOfAgency && (subject.routeType == nil || subject.routeType == line.type)
  }
}

extension Timetable {
  /// By route the identifier of its agency, `nil` where the feed gives none, and its `route_type`.
  fileprivate var lines: [String: (agency: String?, type: Int)] {
    let all = tables.routes.map { route -> (String, (agency: String?, type: Int)) in
      let number = Int(route.agency)
      let agency = tables.agencies.indices.contains(number) ? tables.agencies[number].id : ""
      return (route.id, (agency: agency.isEmpty ? nil : agency, type: Int(route.type)))
    }
    return Dictionary(all) { first, _ in first }
  }

  /// By route the directions in which its trips leave from stops, and those of some trips; -1 where the schedule says
  /// none.
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
        // Nobody boards at the last stop.
        if call < pattern.calls.upperBound - 1, tables.calls[call].canBoard { add(pattern) }
      }
    }
    return directions
  }
}

/// Asks for realtime data again and again, and goes on when that fails.
public struct RealtimePoll: Sendable {
  /// What came of a time.
  public enum Answer: Sendable {
    /// What is known now.
    case state(RealtimeState)
    /// Nothing came; what was known before is getting old.
    case failed(problem: String)
  }

  private let timetable: Timetable
  private let interval: Double
  private let clock: @Sendable () -> Double
  private let sleep: @Sendable (Double) async throws -> Void

  /// - Parameters:
  ///   - timetable: the schedule.
  ///   - interval: seconds, 1 or more; agencies make new messages every 30 s.
  ///   - clock: seconds since 1970.
  ///   - sleep: waits for some seconds; throws when the task is canceled.
  public init(
    _ timetable: Timetable, every interval: Double = 30,
    clock: @escaping @Sendable () -> Double = { LocalTime.secondsSince1970Now },
    sleep: @escaping @Sendable (Double) async throws -> Void = { seconds in
      // A `Duration` ends at some 10^20 s; this is 30 years.
      try await Task.sleep(for: .seconds(min(seconds, 1e9)))
    }
  ) {
    precondition(interval >= 1, "asking each \(interval) s")
    (self.timetable, self.interval) = (timetable, interval)
    (self.clock, self.sleep) = (clock, sleep)
  }

  /// Asks until the task is canceled.
  ///
  /// - Parameters:
  ///   - fetch: the bytes of one message or more, such as of trip updates and of alerts.
  ///   - take: gets each answer.
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
