public import CupolaGuide

/// A trip on one of its days, with the moments of all its calls: what realtime data change.
public struct TripInstance: Equatable, Sendable {
  /// What tells instances apart.
  public struct Key: Hashable, Sendable {
    /// `trip_id`.
    public let tripID: String
    /// The service day, which may be the day before the departure.
    public let serviceDate: LocalDate
    /// Of trips that run by frequency the start, in seconds since noon minus 12 hours; else `nil`.
    public let frequencyStart: Int?

    /// An instance of a trip.
    public init(tripID: String, serviceDate: LocalDate, frequencyStart: Int? = nil) {
      (self.tripID, self.serviceDate) = (tripID, serviceDate)
      self.frequencyStart = frequencyStart
    }
  }

  /// A stop on the way.
  public struct Call: Equatable, Sendable {
    /// The identifier of the stop or platform.
    public let stopID: String
    /// `stop_sequence`; it grows along the trip.
    public let sequence: Int
    /// Seconds since 1970.
    public var arrival: Double
    /// Seconds since 1970.
    public var departure: Double
    /// How much the times are worth.
    public let precision: TransitPrecision
    /// Whether people can get on: not at the last stop.
    public let canBoard: Bool
    /// Whether people can get off: not at the first stop.
    public let canAlight: Bool
  }

  /// What tells it apart.
  public let key: Key
  /// The line.
  public let route: TransitRoute
  /// What the vehicle's sign says.
  public let headsign: String?
  /// `direction_id`: 0 or 1.
  public let direction: Int?
  /// The seconds between vehicles where only they are known (`exact_times` of 0); else `nil`.
  public let headway: Int?
  /// In their order.
  public var calls: [Call]
}
