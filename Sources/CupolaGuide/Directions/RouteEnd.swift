public import CupolaCampus

/// Where somebody wants to go from or to.
public enum RouteEnd: Equatable, Sendable {
  /// A position, on a floor where it is indoors.
  case position(Position, level: Double? = nil)
  case place(Place)
}

extension RouteEnd {
  var place: Place? {
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
  var doors: [Place.Door] {
    switch self {
    case .position: [Place.Door(point)]
    case .place(let place): place.doors.isEmpty ? [Place.Door(place.position)] : place.doors
    }
  }
}
