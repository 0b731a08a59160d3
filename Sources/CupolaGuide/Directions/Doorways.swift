internal import CupolaCampus

// 1. Measure in which direction a door leads: at right angles to the wall that contains it.
// 2. Compare this direction with that in which users reach the door.
// 3. Without an outline of the room, compare the directions of the route before and after the door.

/// The outlines of rooms and corridors by identifier.
struct Walls: Sendable {
  private var areas: [String: [GroundArea]] = [:]

  /// The maximum distance in meters between a door and its wall.
  private static let reach = 0.3
  /// Sections of a wall up to this number of meters long, such as the sides of columns, have no direction of their own.
  private static let shortest = 0.3
  /// At a corner, two walls differ by more than this number of degrees.
  private static let straight = 20.0

  init(_ ground: [GroundArea]) {
    for area in ground where area.kind == .room || area.kind == .corridor {
      areas[area.id, default: []].append(area)
    }
  }

  /// Returns the direction at right angles to the wall of a space at a door, which is one of two opposite directions;
  /// `nil` in a corner and if no wall is there.
  func bearing(at door: RoutePoint, of id: String) -> Double? {
    let plane = MapPlane(latitude: door.latitude, longitude: door.longitude)
    var best: (length: Double, bearing: Double)?
    var others: [Double] = []
    for area in areas[id] ?? [] where area.level == door.level {
      for ring in area.rings.map({ $0.map { plane.point($0) } }) {
        for (one, other) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
          let (wall, near) = (other - one, SegmentDistance.nearest(to: .zero, from: one, to: other))
          guard near.length <= Self.reach, wall.length > Self.shortest else { continue }
          let bearing = Degrees.azimuth(east: -wall.y, north: wall.x)
          others.append(bearing)
          if wall.length > best?.length ?? 0 { best = (wall.length, bearing) }
        }
      }
    }
    guard let best else { return nil }
    let isCorner = others.contains { other in
      let turn = Degrees.turn(from: best.bearing, to: other).magnitude
      return min(turn, 180 - turn) > Self.straight
    }
    return isCorner ? nil : best.bearing
  }
}

/// The doors of rooms along a route.
struct Doorways {
  let assembly: RouteAssembly
  let search: SearchGraph
  let walls: Walls

  /// Doors at smaller angles are ahead.
  private static let ahead = 45.0

  private var segments: [Route.Segment] { assembly.segments }

  /// Whether a route enters or leaves a room at a point.
  func isDoor(_ point: Int) -> Bool {
    guard point > 0, point < segments.count else { return false }
    let (before, behind) = (segments[point - 1].kind, segments[point].kind)
    return (before == .room || behind == .room)
      && ![.steps, .escalator, .elevator].contains(before)
      && assembly.way(of: point - 1) != assembly.way(of: point)
  }

  /// Returns the maneuver at a door.
  ///
  /// - Parameters:
  ///   - turn: The turn of the route, which is used if no outline of the room is known.
  ///   - corner: The corner of a corridor shortly before the door, if users turn there too.
  func kind(at point: Int, _ turn: Double, after corner: Int? = nil) -> Maneuver.Kind {
    guard let through = bearing(through: point),
      let angle = segments[point - 1].kind == .room
        ? turnInRoom(to: point, through)
        : near(corner ?? point, step: -1).map({ self.turn($0, through) })
    else { return kindWithoutWalls(point, turn) }
    if angle.magnitude < Self.ahead { return shift(to: point) ?? .straight }
    return angle > 0 ? .right : .left
  }

  /// Returns the direction of a door, as users pass through it.
  private func bearing(through point: Int) -> Double? {
    let room = segments[point].kind == .room ? point : point - 1
    let id = search.graph.ways[assembly.way(of: room)].id
    let place = assembly.points[point]
    guard let bearing = walls.bearing(at: place, of: id),
      let before = Bearing.of(assembly.points[point - 1], place),
      let behind = Bearing.of(place, assembly.points[point + 1])
    else { return nil }
    let along = [before, behind].reduce(0) {
      $0 + Degrees.sinCos(Degrees.turn(from: bearing, to: $1)).cos
    }
    return along < 0 ? bearing + 180 : bearing
  }

  /// Returns the turn at the second of two doors of a room, or at the door of the room where the route starts. Users
  /// in a room face the door.
  private func turnInRoom(to point: Int, _ through: Double) -> Double? {
    let leaving = segments[point].kind == .room ? through : near(point, step: 1)
    guard let leaving else { return nil }
    guard let entry = entry(before: point) else {
      return self.turn(through, leaving)
    }
    guard let arriving = bearing(through: entry) else { return nil }
    let turn = self.turn(arriving, leaving)
    // Through another door in the same wall, users turn to the side where that door is.
    guard turn.magnitude > 135,
      let across = Bearing.of(assembly.points[entry], assembly.points[point])
    else { return turn }
    return self.turn(arriving, across)
  }

  /// Returns the door through which a route entered the room that it leaves at a point.
  private func entry(before point: Int) -> Int? {
    var entry = point - 1
    while entry > 0, assembly.way(of: entry - 1) == assembly.way(of: point - 1) { entry -= 1 }
    return isDoor(entry) ? entry : nil
  }

  /// Returns the side of a door in the wall opposite to another door, if it is not opposite that door.
  private func shift(to point: Int) -> Maneuver.Kind? {
    guard segments[point - 1].kind == .room, segments[point].kind == .room,
      let entry = entry(before: point), let arriving = bearing(through: entry),
      let across = Bearing.of(assembly.points[entry], assembly.points[point])
    else { return nil }
    let turn = self.turn(arriving, across)
    guard turn.magnitude >= Self.ahead else { return nil }
    return turn > 0 ? .slightRight : .slightLeft
  }

  private func near(_ point: Int, step: Int) -> Double? {
    Bearing.near(point, of: assembly.points, step: step, within: Bearing.reachIndoors)
  }

  // MARK: - Without outlines

  /// Doors are at right angles to walls, although the middle of a room may be in another direction.
  private func kindWithoutWalls(_ point: Int, _ turn: Double) -> Maneuver.Kind {
    switch ManeuverPlan.kind(turn) {
    case .slightLeft, .sharpLeft: .left
    case .slightRight, .sharpRight: .right
    case .straight: sideOfRoom(point) ?? .straight
    case let kind: kind
    }
  }

  /// Returns the side on which a route enters or leaves a room through the side wall of a corridor; `nil` for other
  /// doors.
  private func sideOfRoom(_ point: Int) -> Maneuver.Kind? {
    guard assembly.vertices[point] >= 0, let before = near(point, step: -1),
      let behind = near(point, step: 1)
    else { return nil }
    let isEntering = segments[point].kind == .room
    let corridor = assembly.way(of: isEntering ? point - 1 : point)
    // The corridor goes on past the door that the route enters, or begins before the door that it leaves.
    let wanted = isEntering ? before : behind + 180
    let graph = search.graph
    let other = search.leaving[assembly.vertices[point]].compactMap { arc -> Double? in
      guard graph.edges[Int(arc) >> 1].way == corridor else { return nil }
      return Bearing.of(
        assembly.points[point], RoutePoint(graph.vertices[graph.head(Int(arc))].point))
    }.min { turn(wanted, $0).magnitude < turn(wanted, $1).magnitude }
    guard let other, turn(wanted, other).magnitude < Self.ahead else { return nil }
    let side = isEntering ? turn(other, behind) : turn(behind, before + 180)
    return side > 0 ? .right : .left
  }

  private func turn(_ from: Double, _ to: Double) -> Double { Degrees.turn(from: from, to: to) }
}
