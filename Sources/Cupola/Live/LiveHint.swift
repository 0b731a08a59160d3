/// What a person can do for a better answer.
public enum LiveHint: String, Codable, Sendable {
  /// The picture is blurred.
  case holdStill = "hold_still"
  /// The picture is too dark.
  case moreLight = "more_light"
  /// The picture is too bright.
  case lessLight = "less_light"
  /// There is nothing to see, such as a wall close up.
  case stepBack = "step_back"
  /// The middle of the picture says more than all of it.
  case stepNearer = "step_nearer"
  /// The left of the picture says more than all of it.
  case moveLeft = "move_left"
  /// The right of the picture says more than all of it.
  case moveRight = "move_right"
}
