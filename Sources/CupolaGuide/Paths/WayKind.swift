/// What an edge of the graph is to those who go along it.
public enum WayKind: UInt8, CaseIterable, Sendable {
  /// A street that cars use, too.
  case street
  /// A path, a footway or a pedestrian street.
  case path
  /// A marked way across a street.
  case crossing
  case steps
  /// Moving steps, or a moving walkway.
  case escalator
  case elevator
  /// An open area, which is crossed on straight lines.
  case area
  /// Inside of a building.
  case corridor
  /// Inside of a room.
  case room
  /// From a path to an entrance, over ground that no way is on.
  case link
}
