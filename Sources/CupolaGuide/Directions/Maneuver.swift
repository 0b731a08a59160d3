/// What to do at a point of a route.
public struct Maneuver: Equatable, Sendable {
  /// The kinds that apps draw signs for.
  public enum Kind: String, CaseIterable, Codable, Sendable {
    case depart, straight, slightLeft = "slight_left", slightRight = "slight_right", left, right
    case sharpLeft = "sharp_left", sharpRight = "sharp_right", uTurn = "u_turn"
    /// Steps and escalators of which the map does not say whether they lead up or down.
    case steps, escalator
    case stepsUp = "steps_up", stepsDown = "steps_down"
    case escalatorUp = "escalator_up", escalatorDown = "escalator_down"
    case elevatorUp = "elevator_up", elevatorDown = "elevator_down"
    case crossing, enterBuilding = "enter_building", leaveBuilding = "leave_building", arrive
  }

  /// Its sign.
  public let kind: Kind
  /// Where: a number of ``Route/points``.
  public let point: Int
  /// The way that is followed from here; `nil` when it has no name.
  public let name: String?
  /// What to do, in a sentence.
  public let text: String
  /// Meters from here to the next maneuver.
  public let meters: Double
  /// Seconds from here to the next maneuver.
  public let seconds: Double

  package init(
    _ kind: Kind, at point: Int, name: String? = nil, text: String, meters: Double,
    seconds: Double
  ) {
    (self.kind, self.point, self.name, self.text) = (kind, point, name, text)
    (self.meters, self.seconds) = (meters, seconds)
  }
}
