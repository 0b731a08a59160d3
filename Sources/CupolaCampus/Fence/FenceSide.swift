/// On which side of the fence a position lies, as far as its error lets that be told.
public enum FenceSide: String, Codable, CaseIterable, Sendable {
  /// The whole circle of the position's error lies within the fence.
  case inside
  /// The whole circle of the position's error lies outside the fence.
  case outside
  /// The fence runs through the circle of the position's error.
  case tooClose = "too_close_to_tell"
}
