internal import CupolaCampus

/// A map as a plane in meters around a place, toward east and north: right to a percent within some kilometers.
package struct MapPlane: Sendable {
  private let latitude: Double
  private let longitude: Double
  private let shrink: Double

  /// - Parameter origin: `nil` where there is nothing to be drawn.
  package init(around origin: MapPoint?) {
    self.init(latitude: origin?.latitude ?? 0, longitude: origin?.longitude ?? 0)
  }

  /// Around a place that no map has, to the last digit.
  package init(latitude: Double, longitude: Double) {
    (self.latitude, self.longitude) = (latitude, longitude)
    shrink = max(0.01, Degrees.sinCos(latitude).cos)
  }

  package func point(latitude: Double, longitude: Double) -> SIMD2<Double> {
    [
      Degrees.turn(from: self.longitude, to: longitude) * shrink * LocalPlane.metersPerDegree,
      (latitude - self.latitude) * LocalPlane.metersPerDegree,
    ]
  }

  package func point(_ point: MapPoint) -> SIMD2<Double> {
    self.point(latitude: point.latitude, longitude: point.longitude)
  }

  /// The place of a point of the plane.
  package func place(_ point: SIMD2<Double>) -> (latitude: Double, longitude: Double) {
    (
      latitude + point.y / LocalPlane.metersPerDegree,
      Degrees.turn(from: 0, to: longitude + point.x / (shrink * LocalPlane.metersPerDegree))
    )
  }
}
