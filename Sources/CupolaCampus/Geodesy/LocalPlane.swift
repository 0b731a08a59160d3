/// The Earth as a plane around a place: right to a percent within some kilometres.
package enum LocalPlane {
  package static let metresPerDegree = 111_320.0

  /// Metres towards east and north from one place to another.
  package static func metres(
    from start: Position, latitude: Double, longitude: Double
  ) -> (east: Double, north: Double) {
    let turn = Degrees.turn(from: start.longitude, to: longitude)
    return (
      turn * Degrees.sinCos(start.latitude).cos * metresPerDegree,
      (latitude - start.latitude) * metresPerDegree
    )
  }

  /// Metres towards east and north from one place to another.
  package static func metres(
    from start: Position, to end: Position
  ) -> (east: Double, north: Double) {
    metres(from: start, latitude: end.latitude, longitude: end.longitude)
  }
}
