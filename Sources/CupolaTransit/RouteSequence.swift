/// The stops of a route in one direction, in their order.
public struct RouteSequence: Equatable, Sendable {
  /// `direction_id`; `nil` where the schedule does not say.
  public let direction: Int?
  /// What most vehicles of the direction show.
  public let headsign: String?
  /// The stops at which most trips call; of sequences with as many trips, the first one's.
  public let usual: [TransitStop]
  /// All stops at which any trip of the direction calls: those of ``usual`` with those of other trips
  /// between, behind the stop after which they come.
  public let stops: [TransitStop]
  /// The number of trips; those that run by frequency count as often as they run in a day.
  public let tripCount: Int
}
