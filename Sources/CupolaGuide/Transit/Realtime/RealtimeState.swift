/// What is known of the vehicles of a schedule at a moment: one or more messages, such as trip updates and alerts.
public struct RealtimeState: Sendable {
  /// The messages.
  public let feeds: [RealtimeFeed]
  /// Trip updates whose trips the schedule does not have, and which are no added ones; copies of trips
  /// (`DUPLICATED`) that do not say what they are called and when they begin are among them.
  public let unknownTrips: Int

  /// Updates by what they change; the last one of a trip counts.
  let updates: [TripInstance.Key: RealtimeFeed.TripUpdate]
  /// Trips that no schedule has.
  let added: [RealtimeFeed.TripUpdate]
  /// Copies of trips at another time, with what is known of them.
  let copies: [TripInstance.Key: (trip: TripInstance, update: RealtimeFeed.TripUpdate)]
  private let scheduleVersion: String?

  /// Seconds after which a message is called old.
  public static let oldAge = 90.0

  /// - Parameters:
  ///   - feeds: the messages.
  ///   - timetable: the schedule that they belong to.
  ///   - moment: when they came, seconds since 1970, for messages that do not say.
  public init(_ feeds: [RealtimeFeed], of timetable: Timetable, at moment: Double) {
    self.feeds = feeds
    scheduleVersion = timetable.version
    var updates: [TripInstance.Key: RealtimeFeed.TripUpdate] = [:]
    var added: [RealtimeFeed.TripUpdate] = []
    var copies: [TripInstance.Key: (trip: TripInstance, update: RealtimeFeed.TripUpdate)] = [:]
    var unknown = 0
    for feed in feeds {
      for update in feed.tripUpdates {
        switch update.trip.relationship {
        case .added, .new,
          .unscheduled where !(update.trip.id.map(timetable.hasTrip) ?? false):
          added.append(update)
        case .duplicated:
          if let trip = timetable.copy(update) {
            copies[trip.key] = (trip: trip, update: update)
          } else {
            unknown += 1
          }
        default:
          let now = update.timestamp ?? feed.timestamp ?? moment
          if let key = Self.key(of: update.trip, in: timetable, at: now, said: update.firstMoment) {
            updates[key] = update
          } else {
            unknown += 1
          }
        }
      }
    }
    (self.updates, self.added, self.copies) = (updates, added, copies)
    unknownTrips = unknown
  }

  // MARK: - Age and version

  /// Seconds since the oldest message was made; `nil` when none says.
  public func age(at moment: Double) -> Double? {
    feeds.compactMap(\.timestamp).min().map { moment - $0 }
  }

  /// Whether what is known is more than ``oldAge`` old.
  public func isOld(at moment: Double) -> Bool { age(at: moment).map { $0 > Self.oldAge } ?? false }

  /// A sentence where a message belongs to another schedule than the guide has; `nil` where that is not known.
  public var versionNotice: String? {
    guard let scheduleVersion else { return nil }
    let other = feeds.compactMap(\.feedVersion).first { $0 != scheduleVersion }
    return other.map {
      "the realtime data belong to the schedule \($0), the guide has \(scheduleVersion); "
        + "build the guide again with the new one"
    }
  }

  // MARK: - Trips, vehicles and alerts

  /// Whether nobody is to be told of a trip, not even that it is canceled (`DELETED`).
  func isDeleted(_ key: TripInstance.Key) -> Bool {
    updates[key]?.trip.relationship == .deleted
  }

  /// What is known of a trip; `nil` where nothing is.
  public func prediction(for trip: TripInstance) -> TripPrediction? {
    updates[trip.key].map { TripPrediction($0, to: trip) }
  }

  /// The vehicles of a trip.
  public func vehicles(
    of key: TripInstance.Key, in timetable: Timetable, at moment: Double
  ) -> [RealtimeFeed.VehiclePosition] {
    feeds.flatMap(\.vehicles).filter { vehicle in
      guard let trip = vehicle.trip, trip.id == key.tripID else { return false }
      let time = vehicle.timestamp ?? moment
      return Self.key(of: trip, in: timetable, at: time, said: vehicle.timestamp) == key
    }
  }

  /// What passengers of some stops, routes and trips are told at a moment, each once.
  ///
  /// - Parameters:
  ///   - stops: identifiers; stations and their platforms are told apart.
  ///   - routes: identifiers. What is said of one trip of them is told only with that trip.
  ///   - trips: on their days.
  ///   - moment: seconds since 1970.
  public func alerts(
    stops: Set<String>, routes: Set<String> = [], trips: Set<TripInstance.Key> = [],
    at moment: Double
  ) -> [RealtimeFeed.Alert] {
    feeds.flatMap(\.alerts).filter { alert in
      alert.holds(at: moment)
        && alert.subjects.contains { subject in
          let trip = subject.trip.flatMap { $0.id == nil ? nil : $0 }
          if let trip, !trips.contains(where: trip.means) { return false }
          if let stop = subject.stop { return stops.contains(stop) }
          if trip != nil { return true }
          if let route = subject.route ?? subject.trip?.route { return routes.contains(route) }
          return subject.agency != nil && subject.trip == nil
        }
    }
  }
}
