/// A departure with what is known of the vehicle.
public struct LiveDeparture: Equatable, Sendable {
  /// How it stands.
  public enum Status: Equatable, Sendable {
    /// Nothing is known but the schedule.
    case scheduled
    /// Seconds late, or less than 0 early; `nil` of trips that have no schedule to be late for.
    case predicted(delay: Int?)
    /// The trip is canceled.
    case canceled
    /// The vehicle does not stop here.
    case skipped
  }

  /// As scheduled, but for wheelchairs, where more is known of the vehicle; of added trips what is predicted.
  public let departure: Departure
  /// How it stands.
  public let status: Status
  /// When it leaves, seconds since 1970.
  public let time: Double
}
