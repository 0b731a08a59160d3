extension Building {
  /// Meters from a position to the nearest point of the building, 0 inside; `nil` when the map does not
  /// know where it is.
  package func distance(from position: Position) -> Double? {
    BuildingView(of: self, from: position)?.distance
  }
}
