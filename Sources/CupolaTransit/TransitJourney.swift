/// A way from some stops to others: on one vehicle, or on two with a change.
public struct TransitJourney: Equatable, Sendable {
  /// What is ridden without a change.
  public struct Leg: Equatable, Sendable {
    /// The trip on its day.
    public let trip: TripInstance.Key
    /// The line.
    public let route: TransitRoute
    /// What the vehicle's sign says, else the name of its last stop.
    public let destination: String
    /// Where people get on.
    public let from: TransitStop
    /// `stop_sequence` there.
    public let fromSequence: Int
    /// Seconds since 1970.
    public let departure: Double
    /// Where people get off.
    public let to: TransitStop
    /// `stop_sequence` there.
    public let toSequence: Int
    /// Seconds since 1970.
    public let arrival: Double
    /// How much the times are worth.
    public let precision: TransitPrecision
  }

  /// The latest moment to start for the first stop, seconds since 1970.
  public let leave: Double
  /// The moment of being there, with the way from the last stop, seconds since 1970.
  public let arrive: Double
  /// In their order, one or two.
  public let legs: [Leg]
  /// Seconds of the way to the first stop.
  public let accessSeconds: Double
  /// Seconds of the way between the vehicles, no less than the least for a change; 0 without one.
  public let changeSeconds: Double
  /// Seconds of the way from the last stop.
  public let egressSeconds: Double

  /// How often people change vehicles: 0 or 1.
  public var changes: Int { max(0, legs.count - 1) }
  /// Seconds from door to door.
  public var seconds: Double { arrive - leave }
}
