internal import CupolaGuide
internal import CupolaSupport

/// A GTFS-realtime 2.0 message (https://gtfs.org/documentation/realtime/reference).
public struct RealtimeFeed: Equatable, Sendable {
  /// The time of the message in seconds since 1970.
  var timestamp: Double?
  var feedVersion: String?
  var tripUpdates: [TripUpdate] = []
  var vehicles: [VehiclePosition] = []
  var alerts: [Alert] = []

  struct Trip: Hashable, Sendable {
    enum Relationship: Int, Sendable {
      case scheduled = 0, added, unscheduled, canceled
      case replacement = 5, duplicated, deleted, new
    }

    var id: String?
    var route: String?
    var direction: Int?
    /// `start_time`, such as `24:10:00`.
    var startTime: String?
    /// `start_date`, such as `20261123`.
    var startDate: String?
    var relationship = Relationship.scheduled
  }

  /// `wheelchair_accessible`, which overrides the schedule.
  enum WheelchairAccess: Int, Sendable {
    case unknown = 1, fits, doesNotFit

    var isAccessible: Bool? { self == .unknown ? nil : self == .fits }
  }

  struct TripUpdate: Equatable, Sendable {
    var trip = Trip()
    /// The reported wheelchair accessibility; `nil` if not reported, in which case the schedule applies.
    var wheelchair: WheelchairAccess?
    /// The updates in trip order.
    var stops: [StopUpdate] = []
    var timestamp: Double?
    /// The delay of the whole trip in seconds.
    var delay: Int?
    /// The identifier, date and start time of a `DUPLICATED` trip, from `trip_properties`.
    var copy = Trip()
  }

  struct StopUpdate: Equatable, Sendable {
    enum Relationship: Int, Sendable { case scheduled = 0, skipped, noData, unscheduled }

    var sequence: Int?
    var stop: String?
    var arrival: Event?
    var departure: Event?
    var relationship = Relationship.scheduled

    /// The departure time or, if missing, the arrival time.
    var time: Double? { departure?.moment ?? arrival?.moment }
  }

  struct Event: Equatable, Sendable {
    var delay: Int?
    var time: Int?
    /// The scheduled time of a `NEW` or `REPLACEMENT` trip in seconds since 1970.
    var scheduledTime: Int?

    /// ``time`` or, if missing, ``scheduledTime`` plus ``delay``; `nil` if implausible.
    var moment: Double? {
      Self.moment(time) ?? Self.moment(scheduledTime.map { $0 &+ (delay ?? 0) })
    }

    private static func moment(_ time: Int?) -> Double? {
      time.flatMap { (1...900_000_000_000).contains($0) ? Double($0) : nil }
    }
  }

  struct VehiclePosition: Equatable, Sendable {
    var trip: Trip?
    var id: String?
    /// The text displayed on the vehicle.
    var label: String?
    var wheelchair: WheelchairAccess?
    var latitude: Double?
    var longitude: Double?
    /// The bearing in degrees clockwise from north.
    var bearing: Double?
    var timestamp: Double?
  }

  struct Alert: Equatable, Sendable {
    /// The `EntitySelector` of an alert; fields that are missing match everything.
    struct Subject: Hashable, Sendable {
      var agency: String?
      var route: String?
      var direction: Int?
      var stop: String?
      var routeType: Int?
      var trip: Trip?
    }

    /// A text with its BCP 47 language, if specified.
    struct Translation: Hashable, Sendable {
      var text = ""
      var language: String?
    }

    /// A period in seconds since 1970, excluding its end; a `nil` start or end means unlimited.
    struct Period: Equatable, Sendable {
      var start: Double?
      var end: Double?
    }

    /// The active periods; empty if the alert is always active.
    var periods: [Period] = []
    var subjects: [Subject] = []
    var header: [Translation] = []
    var description: [Translation] = []

    /// Whether the alert is active at a time in seconds since 1970.
    func holds(at moment: Double) -> Bool {
      periods.isEmpty
        || periods.contains {
          ($0.start ?? -.infinity) <= moment && moment < ($0.end ?? .infinity)
        }
    }
  }
}

extension [RealtimeFeed.Alert.Translation] {
  /// Returns the text in a language; otherwise, the one without a language; otherwise, the first one.
  ///
  /// - Parameter language: A language such as `de`, `de-AT` or `zh-Hant-TW`. Longer matching prefixes, such as
  ///   `zh-Hant`, are preferred to `zh`.
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
