/// A point of a map, WGS 84, to a ten-millionth of a degree as OpenStreetMap keeps it: a centimeter. Equal points are
/// equal.
package struct MapPoint: Hashable, Sendable {
  /// Degrees north times 10^7.
  package let latitudeE7: Int32
  /// Degrees east times 10^7.
  package let longitudeE7: Int32

  /// Fails when a coordinate is not finite or out of its range.
  package init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    latitudeE7 = Int32((latitude * 1e7).rounded())
    longitudeE7 = Int32((longitude * 1e7).rounded())
  }

  /// Fails when a coordinate is out of its range.
  package init?(latitudeE7: Int32, longitudeE7: Int32) {
    guard latitudeE7.magnitude <= 900_000_000, longitudeE7.magnitude <= 1_800_000_000 else {
      return nil
    }
    (self.latitudeE7, self.longitudeE7) = (latitudeE7, longitudeE7)
  }

  /// Degrees north, -90...90.
  package var latitude: Double { Double(latitudeE7) / 1e7 }
  /// Degrees east, -180...180.
  package var longitude: Double { Double(longitudeE7) / 1e7 }
}
