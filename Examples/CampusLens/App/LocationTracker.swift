import CoreLocation
import Cupola
import Foundation

/// The position and heading of the phone.
@MainActor
final class LocationTracker: NSObject, CLLocationManagerDelegate {
  /// The maximum age of a position in seconds.
  nonisolated private static let longestAge = 30.0

  private let manager = CLLocationManager()
  private var changed: ((Position?, Heading?) -> Void)?
  private var position: Position?
  private var heading: Heading?
  private var forgetting: Task<Void, Never>?

  func start(_ changed: @escaping (Position?, Heading?) -> Void) {
    self.changed = changed
    manager.delegate = self
    // Otherwise a phone at rest stops sending updates, and its position would expire.
    manager.pausesLocationUpdatesAutomatically = false
    // Degrees. Smaller turns do not change an answer.
    manager.headingFilter = 5
    manager.requestWhenInUseAuthorization()
    manager.startUpdatingLocation()
    manager.startUpdatingHeading()
  }

  nonisolated func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    // The first position may be hours old.
    let position = locations.last.flatMap { Position($0) }
    let age = locations.last.map { max(0, -$0.timestamp.timeIntervalSinceNow) } ?? 0
    MainActor.assumeIsolated { stand(at: position, for: Self.longestAge - age) }
  }

  nonisolated func locationManager(
    _ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading
  ) {
    let heading = Heading(newHeading)
    MainActor.assumeIsolated { update { $0.heading = heading } }
  }

  /// Uses a position until it is too old, as a phone that loses its position may send no further updates.
  private func stand(at position: Position?, for seconds: Double) {
    forgetting?.cancel()
    update { $0.position = seconds > 0 ? position : nil }
    guard self.position != nil else { return }
    forgetting = Task { [weak self] in
      try? await Task.sleep(for: .seconds(seconds))
      if !Task.isCancelled { self?.update { $0.position = nil } }
    }
  }

  private func update(_ change: (LocationTracker) -> Void) {
    change(self)
    changed?(position, heading)
  }
}
