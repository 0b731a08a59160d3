import Cupola

/// Whoever exchanges latitude and longitude is far from everything.
extension Geofence {
  /// Meters from the fence that make a place one of another campus, and up to which people still mean this one.
  private static let (farAway, surroundings) = (10_000.0, 1000.0)

  /// Says so where a place is far away, and near with latitude and longitude exchanged.
  ///
  /// - Parameter name: what gave the place, such as an option.
  /// - Returns: whether it was said.
  @discardableResult
  func noteExchanged(_ position: Position, givenBy name: String) -> Bool {
    guard let exchanged = position.swapped, signedDistance(to: position) > Self.farAway,
      signedDistance(to: exchanged) < Self.surroundings
    else { return false }
    Console.note(
      "note: \(name) is far from the map; with latitude and longitude exchanged it would be there")
    return true
  }
}
