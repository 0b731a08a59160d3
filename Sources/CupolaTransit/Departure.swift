/// A vehicle's leaving of a stop, as scheduled.
public struct Departure: Equatable, Sendable {
  /// What tells departures apart, and what realtime is joined on.
  public struct Key: Hashable, Sendable {
    /// The trip on its day.
    public let trip: TripInstance.Key
    /// `stop_sequence`.
    public let sequence: Int

    /// The departure of a trip at a stop.
    public init(trip: TripInstance.Key, sequence: Int) {
      (self.trip, self.sequence) = (trip, sequence)
    }
  }

  /// What tells it apart.
  public let key: Key
  /// The line.
  public let route: TransitRoute
  /// What the vehicle's sign says, as the schedule has it.
  public let headsign: String?
  /// `direction_id`: 0 or 1.
  public let direction: Int?
  /// Seconds since 1970.
  public let time: Double
  /// How much the time is worth.
  public let precision: TransitPrecision
  /// The stop or platform.
  public let stop: TransitStop
  /// Whether people must phone the agency (2) or ask the driver (3) to board: `pickup_type`; else 0.
  public let pickup: Int
  /// Whether wheelchairs fit; `nil`: unknown.
  public internal(set) var isWheelchairAccessible: Bool?
  /// The trip's last stop.
  public let lastStop: TransitStop

  /// Where it goes: what the sign says, else the last stop's name.
  public var destination: String { headsign ?? lastStop.name }

  /// What to call it, such as `55 Downtown`.
  public var title: String { route.title + " " + destination }
}
