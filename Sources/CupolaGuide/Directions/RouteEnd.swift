public import CupolaCampus

/// Where somebody wants to go from or to.
public enum RouteEnd: Equatable, Sendable {
  /// A position, on a floor where it is indoors.
  case position(Position, level: Double? = nil)
  case place(Place)
}

extension RouteEnd {
  package var place: Place? {
    if case .place(let place) = self { return place }
    return nil
  }

  /// Where it is on a map.
  package var point: RoutePoint {
    switch self {
    case .position(let position, let level):
      RoutePoint(latitude: position.latitude, longitude: position.longitude, level: level)
    case .place(let place): place.position
    }
  }

  /// Whether walls are between it and what is around it.
  var isRoom: Bool { place.map { $0.kind == .room && !$0.doors.isEmpty } ?? false }

  /// Where it can be entered.
  package var doors: [Place.Door] {
    switch self {
    case .position: [Place.Door(point)]
    case .place(let place): place.doors.isEmpty ? [Place.Door(place.position)] : place.doors
    }
  }

  /// The door from which a way begins, or before which it ends, at a point.
  func door(nearest point: RoutePoint?) -> RoutePoint {
    guard let point else { return self.point }
    return doors.map(\.point).min { Bearing.meters($0, point) < Bearing.meters($1, point) }
      ?? self.point
  }
}
