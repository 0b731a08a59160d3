/// A stop of public transport and the way to it.
public struct NearStop: Equatable, Sendable {
  /// The stop.
  public let stop: TransitStop
  /// Meters to go.
  public let meters: Double
  /// Seconds to go.
  public let seconds: Double
}
