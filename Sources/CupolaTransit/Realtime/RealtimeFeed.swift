internal import CupolaGuide
internal import CupolaSupport

/// What vehicles really do: a message of GTFS-realtime 2.0 (https://gtfs.org/documentation/realtime/reference).
public struct RealtimeFeed: Equatable, Sendable {
  /// `gtfs_realtime_version`.
  public internal(set) var version: String?
  /// Whether it holds changes only; such are read, and what they leave out is not known.
  public internal(set) var isDifferential = false
  /// When it was made, seconds since 1970; `nil` when it does not say.
  public internal(set) var timestamp: Double?
  /// `feed_version` of the schedule that it belongs to.
  public internal(set) var feedVersion: String?
  /// Changes of trips.
  public internal(set) var tripUpdates: [TripUpdate] = []
  /// Where vehicles are.
  public internal(set) var vehicles: [VehiclePosition] = []
  /// What passengers are told.
  public internal(set) var alerts: [Alert] = []

  /// What tells which trip is meant.
  public struct Trip: Hashable, Sendable {
    /// How it belongs to the schedule.
    public enum Relationship: Int, Sendable {
      case scheduled = 0, added, unscheduled, canceled
      case replacement = 5, duplicated, deleted, new
    }

    /// `trip_id`.
    public internal(set) var id: String?
    /// `route_id`.
    public internal(set) var route: String?
    /// `direction_id`.
    public internal(set) var direction: Int?
    /// `start_time`, such as `24:10:00`.
    public internal(set) var startTime: String?
    /// `start_date`, such as `20261123`.
    public internal(set) var startDate: String?
    /// How it belongs to the schedule.
    public internal(set) var relationship = Relationship.scheduled
  }

  /// Whether a vehicle takes wheelchairs: `wheelchair_accessible` in the place of what the schedule says.
  enum WheelchairAccess: Int, Sendable {
    case unknown = 1, fits, doesNotFit

    var isAccessible: Bool? { self == .unknown ? nil : self == .fits }
  }

  /// Changes of a trip.
  public struct TripUpdate: Equatable, Sendable {
    /// Which trip.
    public internal(set) var trip = Trip()
    /// `id` of the vehicle.
    public internal(set) var vehicle: String?
    /// Whether the vehicle takes wheelchairs; `nil` where nothing is said of that, and the schedule holds.
    var wheelchair: WheelchairAccess?
    /// Of single stops, in the order of the trip.
    public internal(set) var stops: [StopUpdate] = []
    /// When it was measured, seconds since 1970.
    public internal(set) var timestamp: Double?
    /// Seconds that the whole trip is late.
    public internal(set) var delay: Int?
    /// Of a copy (`DUPLICATED`) its own identifier, day and start, as in `trip_properties`.
    var copy = Trip()
  }

  /// Changes at a stop of a trip.
  public struct StopUpdate: Equatable, Sendable {
    /// What is known of the stop.
    public enum Relationship: Int, Sendable { case scheduled = 0, skipped, noData, unscheduled }

    /// `stop_sequence`.
    public internal(set) var sequence: Int?
    /// `stop_id`.
    public internal(set) var stop: String?
    /// When the vehicle comes.
    public internal(set) var arrival: Event?
    /// When it leaves.
    public internal(set) var departure: Event?
    /// What is known of the stop.
    public internal(set) var relationship = Relationship.scheduled
  }

  /// An arrival or departure.
  public struct Event: Equatable, Sendable {
    /// Seconds late.
    public internal(set) var delay: Int?
    /// Seconds since 1970.
    public internal(set) var time: Int?
    /// Seconds by which it may be wrong.
    public internal(set) var uncertainty: Int?
    /// When it should be by a schedule of its own (`NEW`, `REPLACEMENT`), seconds since 1970.
    var scheduledTime: Int?
  }

  /// Where a vehicle is.
  public struct VehiclePosition: Equatable, Sendable {
    /// How it is to the stop.
    public enum Status: Int, Sendable { case incomingAt = 0, stoppedAt, inTransitTo }

    /// Which trip it makes; `nil` when it does not say.
    public internal(set) var trip: Trip?
    /// `id`.
    public internal(set) var id: String?
    /// What stands on it.
    public internal(set) var label: String?
    /// Whether it takes wheelchairs; `nil` where nothing is said of that, and the schedule holds.
    var wheelchair: WheelchairAccess?
    /// Degrees north.
    public internal(set) var latitude: Double?
    /// Degrees east.
    public internal(set) var longitude: Double?
    /// Degrees clockwise from north.
    public internal(set) var bearing: Double?
    /// Meters a second.
    public internal(set) var speed: Double?
    /// `current_stop_sequence`.
    public internal(set) var sequence: Int?
    /// `stop_id`.
    public internal(set) var stop: String?
    /// How it is to the stop.
    public internal(set) var status = Status.inTransitTo
    /// When it was measured, seconds since 1970.
    public internal(set) var timestamp: Double?
    /// `occupancy_status`, as the reference numbers it.
    public internal(set) var occupancy: Int?
  }

  /// What passengers are told.
  public struct Alert: Equatable, Sendable {
    /// Whom it is about; what is missing is not looked at.
    public struct Subject: Hashable, Sendable {
      /// `agency_id`.
      public internal(set) var agency: String?
      /// `route_id`.
      public internal(set) var route: String?
      /// `direction_id`, of the route.
      public internal(set) var direction: Int?
      /// `stop_id`.
      public internal(set) var stop: String?
      /// `route_type`.
      public internal(set) var routeType: Int?
      /// The trip.
      public internal(set) var trip: Trip?
    }

    /// A text and its language, as of BCP 47.
    public struct Translation: Hashable, Sendable {
      /// What to show.
      public internal(set) var text = ""
      /// As of BCP 47; `nil` when it does not say.
      public internal(set) var language: String?
    }

    /// Seconds since 1970; a missing end is open. Empty: always.
    public internal(set) var periods: [Period] = []
    /// Whom it is about.
    public internal(set) var subjects: [Subject] = []
    /// `cause`, as the reference numbers them.
    public internal(set) var cause: Int?
    /// `effect`, as the reference numbers them.
    public internal(set) var effect: Int?
    /// Where to read more.
    public internal(set) var url: [Translation] = []
    /// In a few words.
    public internal(set) var header: [Translation] = []
    /// In full.
    public internal(set) var description: [Translation] = []

    /// A time in which it holds.
    public struct Period: Equatable, Sendable {
      /// Seconds since 1970; `nil` is open.
      public internal(set) var start: Double?
      /// Seconds since 1970, not included; `nil` is open.
      public internal(set) var end: Double?
    }
  }
}

extension [RealtimeFeed.Alert.Translation] {
  /// The text in a language, else in that of no language, else the first.
  ///
  /// - Parameter language: such as `de`, `de-AT`, or `zh-Hant-TW`, of which `zh-Hant` goes before other kinds of `zh`.
  public func text(in language: String?) -> String? {
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

extension RealtimeFeed.Alert {
  /// Whether it holds at a moment, seconds since 1970.
  public func holds(at moment: Double) -> Bool {
    periods.isEmpty
      || periods.contains {
        ($0.start ?? -.infinity) <= moment && moment < ($0.end ?? .infinity)
      }
  }
}

extension RealtimeFeed.Event {
  /// ``time``, else the own schedule's time with ``delay``, where that is a moment of some millennia.
  var moment: Double? { Self.moment(time) ?? Self.moment(scheduledTime.map { $0 &+ (delay ?? 0) }) }

  private static func moment(_ time: Int?) -> Double? {
    time.flatMap { (1...900_000_000_000).contains($0) ? Double($0) : nil }
  }
}
