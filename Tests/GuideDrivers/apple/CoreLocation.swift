// swift-format-ignore-file
// The part of CoreLocation that the guide uses, after its documentation.

public struct CLLocationCoordinate2D {
  public var latitude: Double
  public var longitude: Double

  public init(latitude: Double, longitude: Double) {
    (self.latitude, self.longitude) = (latitude, longitude)
  }
}

public class CLLocation {
  public let coordinate: CLLocationCoordinate2D
  /// Meters; negative when the coordinate is invalid.
  public let horizontalAccuracy: Double

  /// Not Apple's: its longer initializer has more that the guide does not use.
  public init(coordinate: CLLocationCoordinate2D, horizontalAccuracy: Double) {
    (self.coordinate, self.horizontalAccuracy) = (coordinate, horizontalAccuracy)
  }
}
