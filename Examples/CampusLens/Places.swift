import CoreLocation
import Cupola
import Foundation

/// Position and heading of the phone.
@MainActor
final class Places: NSObject, CLLocationManagerDelegate {
  /// Seconds that a position may be old.
  nonisolated private static let longestAge = 30.0

  private let manager = CLLocationManager()
  private var changed: ((Position?, Heading?) -> Void)?
  private var position: Position?
  private var heading: Heading?

  func start(_ changed: @escaping (Position?, Heading?) -> Void) {
    self.changed = changed
    manager.delegate = self
    manager.requestWhenInUseAuthorization()
    manager.startUpdatingLocation()
    manager.startUpdatingHeading()
  }

  nonisolated func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    // A position that means nothing is none; the first one may be that of hours ago.
    let position = locations.last.flatMap {
      $0.timestamp.timeIntervalSinceNow > -Self.longestAge ? Position($0) : nil
    }
    MainActor.assumeIsolated { update { $0.position = position } }
  }

  nonisolated func locationManager(
    _ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading
  ) {
    let heading = Heading(newHeading)
    MainActor.assumeIsolated { update { $0.heading = heading } }
  }

  private func update(_ change: (Places) -> Void) {
    change(self)
    changed?(position, heading)
  }
}
