internal import CupolaGuide
internal import CupolaSupport

// 1. A GTFS-realtime message as values: trip updates, vehicles and alerts.
// 2. The text of an alert in a language.

/// What vehicles really do: a message of GTFS-realtime 2.0 (https://gtfs.org/documentation/realtime/reference).
public struct RealtimeFeed: Equatable, Sendable {
  /// When it was made, seconds since 1970; `nil` when it does not say.
  var timestamp: Double?
  /// `feed_version` of the schedule that it belongs to.
  var feedVersion: String?
  var tripUpdates: [TripUpdate] = []
  var vehicles: [VehiclePosition] = []
  /// What passengers are told.
  var alerts: [Alert] = []

  /// What tells which trip is meant.
  struct Trip: Hashable, Sendable {
    /// How it belongs to the schedule.
    enum Relationship: Int, Sendable {
      case scheduled = 0, added, unscheduled, canceled
      case replacement = 5, duplicated, deleted, new
    }

    var id: String?
    var route: String?
    /// `direction_id`.
    var direction: Int?
    /// `start_time`, such as `24:10:00`.
    var startTime: String?
    /// `start_date`, such as `20261123`.
    var startDate: String?
    var relationship = Relationship.scheduled
  }

  /// Whether a vehicle takes wheelchairs: `wheelchair_accessible` in the place of what the schedule says.
  enum WheelchairAccess: Int, Sendable {
    case unknown = 1, fits, doesNotFit

    var isAccessible: Bool? { self == .unknown ? nil : self == .fits }
  }

  /// Changes of a trip.
  struct TripUpdate: Equatable, Sendable {
    var trip = Trip()
    /// `nil` where nothing is said of that, and the schedule holds.
    var wheelchair: WheelchairAccess?
    /// In the order of the trip.
    var stops: [StopUpdate] = []
    /// When it was measured, seconds since 1970.
    var timestamp: Double?
    /// Seconds that the whole trip is late.
    var delay: Int?
    /// Of a copy (`DUPLICATED`) its own identifier, day and start, as in `trip_properties`.
    var copy = Trip()
  }

  /// Changes at a stop of a trip.
  struct StopUpdate: Equatable, Sendable {
    enum Relationship: Int, Sendable { case scheduled = 0, skipped, noData, unscheduled }

    /// `stop_sequence`.
    var sequence: Int?
    /// `stop_id`.
    var stop: String?
    var arrival: Event?
    var departure: Event?
    var relationship = Relationship.scheduled

    /// When the vehicle leaves, or else comes.
    var time: Double? { departure?.moment ?? arrival?.moment }
  }

  /// An arrival or departure.
  struct Event: Equatable, Sendable {
    /// Seconds late.
    var delay: Int?
    /// Seconds since 1970.
    var time: Int?
    /// When it should be by a schedule of its own (`NEW`, `REPLACEMENT`), seconds since 1970.
    var scheduledTime: Int?

    /// ``time``, else the own schedule's time with ``delay``, where that is a moment of some millennia.
    var moment: Double? {
      Self.moment(time) ?? Self.moment(scheduledTime.map { $0 &+ (delay ?? 0) })
    }

    private static func moment(_ time: Int?) -> Double? {
      time.flatMap { (1...900_000_000_000).contains($0) ? Double($0) : nil }
    }
  }

  /// Where a vehicle is.
  struct VehiclePosition: Equatable, Sendable {
    /// `nil` when it does not say.
    var trip: Trip?
    /// `id`.
    var id: String?
    /// What stands on it.
    var label: String?
    /// `nil` where nothing is said of that, and the schedule holds.
    var wheelchair: WheelchairAccess?
    /// Degrees north.
    var latitude: Double?
    /// Degrees east.
    var longitude: Double?
    /// Degrees clockwise from north.
    var bearing: Double?
    /// When it was measured, seconds since 1970.
    var timestamp: Double?
  }

  /// What passengers are told.
  struct Alert: Equatable, Sendable {
    /// Whom it is about; what is missing is not looked at.
    struct Subject: Hashable, Sendable {
      var agency: String?
      var route: String?
      /// `direction_id`, of the route.
      var direction: Int?
      var stop: String?
      var routeType: Int?
      var trip: Trip?
    }

    /// A text and its language, as of BCP 47; `nil` when it does not say.
    struct Translation: Hashable, Sendable {
      var text = ""
      var language: String?
    }

    /// Seconds since 1970; the end is not included, `nil` is open.
    struct Period: Equatable, Sendable {
      var start: Double?
      var end: Double?
    }

    /// Empty: always.
    var periods: [Period] = []
    var subjects: [Subject] = []
    /// In a few words.
    var header: [Translation] = []
    /// In full.
    var description: [Translation] = []

    /// Whether it holds at a moment, seconds since 1970.
    func holds(at moment: Double) -> Bool {
      periods.isEmpty
        || periods.contains {
          ($0.start ?? -.infinity) <= moment && moment < ($0.end ?? .infinity)
        }
    }
  }
}

extension [RealtimeFeed.Alert.Translation] {
  /// The text in a language, else in that of no language, else the first.
  ///
  /// - Parameter language: such as `de`, `de-AT`, or `zh-Hant-TW`, of which `zh-Hant` goes before other kinds of `zh`.
  func text(in language: String?) -> String? {
    for range in language.map({ LocalizedText.ranges(of: $0.lowercased()) }) ?? [] {
      if let found = first(where: { $0.language?.lowercased() == range }) { return found.text }
    }
    let wanted = language?.split(separator: "-").first?.lowercased()
    let found =
      first { wanted != nil && $0.language?.split(separator: "-").first?.lowercased() == wanted }
      ?? first { $0.language == nil } ?? first
    return found?.text
  }
}
