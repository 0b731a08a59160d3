// swift-format-ignore-file
// Stubs of the CoreLocation API that the guide uses, written after Apple's documentation.
public import Foundation

public struct CLLocationCoordinate2D {
  public var latitude: Double
  public var longitude: Double

  public init(latitude: Double, longitude: Double) {
    (self.latitude, self.longitude) = (latitude, longitude)
  }
}

public class CLLocation {
  public let coordinate: CLLocationCoordinate2D
  public let horizontalAccuracy: Double

  /// Not part of Apple's API, whose initializer has more parameters.
  public init(coordinate: CLLocationCoordinate2D, horizontalAccuracy: Double) {
    (self.coordinate, self.horizontalAccuracy) = (coordinate, horizontalAccuracy)
  }

  public init(
    coordinate: CLLocationCoordinate2D, altitude: Double, horizontalAccuracy: Double,
    verticalAccuracy: Double, timestamp: Date
  ) {
    (self.coordinate, self.horizontalAccuracy) = (coordinate, horizontalAccuracy)
  }
}
