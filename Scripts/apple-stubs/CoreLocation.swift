// What Cupola uses of CoreLocation.

public import Foundation

public struct CLLocationCoordinate2D: Sendable {
  public var latitude: Double
  public var longitude: Double
}

open class CLLocation {
  /// Invalid when `horizontalAccuracy` is negative.
  open var coordinate: CLLocationCoordinate2D { fatalError() }
  open var horizontalAccuracy: Double { fatalError() }
  open var timestamp: Date { fatalError() }
}

open class CLHeading {
  /// Degrees; negative where it could not be determined.
  open var trueHeading: Double { fatalError() }
  open var magneticHeading: Double { fatalError() }
  /// Degrees of error of the magnetic heading; negative where that is invalid.
  open var headingAccuracy: Double { fatalError() }
}

// What Examples/CampusLens uses.

public protocol CLLocationManagerDelegate: AnyObject {
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
}

open class CLLocationManager {
  public init() {}
  open weak var delegate: (any CLLocationManagerDelegate)?
  open var pausesLocationUpdatesAutomatically = true
  open func requestWhenInUseAuthorization() {}
  open func startUpdatingLocation() {}
  open func startUpdatingHeading() {}
}
