/// The Earth as a plane around a place: right to a percent within some kilometers.
package enum LocalPlane {
  package static let metersPerDegree = 111_320.0

  /// Meters toward east and north from one place to another.
  package static func meters(
    from start: Position, latitude: Double, longitude: Double
  ) -> (east: Double, north: Double) {
    let turn = Degrees.turn(from: start.longitude, to: longitude)
    return (
      turn * Degrees.sinCos(start.latitude).cos * metersPerDegree,
      (latitude - start.latitude) * metersPerDegree
    )
  }

  /// Meters toward east and north from one place to another.
  package static func meters(
    from start: Position, to end: Position
  ) -> (east: Double, north: Double) {
    meters(from: start, latitude: end.latitude, longitude: end.longitude)
  }
}
