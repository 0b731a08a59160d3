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
  /// Forgets the position when it is too old.
  private var forgetting: Task<Void, Never>?

  func start(_ changed: @escaping (Position?, Heading?) -> Void) {
    self.changed = changed
    manager.delegate = self
    // A phone that lies still goes on telling where it is: else it would be forgotten there.
    manager.pausesLocationUpdatesAutomatically = false
    manager.requestWhenInUseAuthorization()
    manager.startUpdatingLocation()
    manager.startUpdatingHeading()
  }

  nonisolated func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    // A position that means nothing is none; the first one may be that of hours ago.
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

  /// Takes a position until it is too old: where a phone has lost its place it may say nothing any more.
  private func stand(at position: Position?, for seconds: Double) {
    forgetting?.cancel()
    update { $0.position = seconds > 0 ? position : nil }
    guard self.position != nil else { return }
    forgetting = Task { [weak self] in
      try? await Task.sleep(for: .seconds(seconds))
      if !Task.isCancelled { self?.update { $0.position = nil } }
    }
  }

  private func update(_ change: (Places) -> Void) {
    change(self)
    changed?(position, heading)
  }
}
