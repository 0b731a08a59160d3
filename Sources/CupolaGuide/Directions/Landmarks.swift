internal import CupolaCampus

// 1. Find the building next to a point of a route, and the side on which it is.
// 2. Indoors, find the last room door that a route passes before a point.

struct Landmarks: Sendable {
  private struct Area: Sendable {
    let id: String
    let name: String?
    let plane: MapPlane
    let outline: [SIMD2<Double>]
    let radius: Double
    let isBuilding: Bool

    init?(_ area: GroundArea) {
      let isIndoor = area.kind == .room || area.kind == .corridor
      guard !isIndoor, let ring = area.rings.first else { return nil }
      (id, name, isBuilding) = (area.id, area.name, area.kind == .building)
      let plane = MapPlane(around: ring.first)
      self.plane = plane
      outline = ring.map { plane.point($0) }
      radius = outline.reduce(0) { max($0, $1.length) }
    }

    /// Returns for how many meters the building goes on behind a turn, if users have walked along it and it is on one
    /// side only.
    func rest(
      at here: SIMD2<Double>, after approach: (heading: Double, meters: Double),
      on isRight: Bool, before step: ManeuverPlan.Step
    ) -> Double? {
      let (sine, cosine) = Degrees.sinCos(approach.heading)
      let along = outline.map { ($0.x - here.x) * sine + ($0.y - here.y) * cosine }
      let aside = outline.map { ($0.x - here.x) * cosine - ($0.y - here.y) * sine }
      guard isRight ? (aside.min() ?? 0) > -1 : (aside.max() ?? 0) < 1 else { return nil }
      let (passed, rest) = (0 - (along.min() ?? 0), along.max() ?? 0)
      // Users who come around a corner do not see how far the building reaches back.
      guard min(passed, approach.meters) - max(0, -rest) >= 4 else { return nil }
      let isSlight = step.kind == .slightLeft || step.kind == .slightRight
      let most =
        step.isToRight != isRight ? max(12, passed / 3) : max(5, isSlight ? passed : passed / 3)
      return rest <= most ? rest : nil
    }

    /// Whether the building hides points behind it from users.
    func isBetween(_ place: RoutePoint, _ other: RoutePoint) -> Bool {
      let (here, there) = (plane.point(place), plane.point(other))
      // Buildings that touch the other one end at the same wall.
      let end = there - (there - here) * (min(1, Landmarks.wall / max((there - here).length, 0.01)))
      guard here.length <= radius + Landmarks.reach, ![outline].enclose(here) else { return false }
      return zip(outline, outline.dropFirst() + outline.prefix(1)).contains {
        Self.cross($0, $1, here, end)
      }
    }

    private static func cross(
      _ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>, _ d: SIMD2<Double>
    ) -> Bool {
      func side(_ p: SIMD2<Double>, _ q: SIMD2<Double>, _ r: SIMD2<Double>) -> Double {
        (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
      }
      return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
    }
  }

  /// All areas with names, which can be destinations.
  private let areas: [Area]
  /// All buildings; those without names only hide others.
  private let buildings: [Area]
  /// The IDs of the buildings at the start and the end of the route, which are not used as landmarks.
  private var excluded: Set<String> = []

  private static let reach = 25.0
  /// Users have passed a building if it goes on for at most this number of meters.
  private static let passed = 3.0

  /// A building hides walls that are more than this number of meters behind it.
  private static let wall = 1.0

  init(_ ground: [GroundArea]) {
    let all = ground.compactMap { Area($0) }
    areas = all.filter { $0.name != nil }
    buildings = all.filter(\.isBuilding)
  }

  /// Returns the nearest point of a building or another area, or the given point if it is inside.
  func nearest(of id: String, to place: RoutePoint) -> RoutePoint? {
    var best: (distance: Double, point: RoutePoint)?
    for area in areas where area.id == id {
      let here = area.plane.point(place)
      if [area.outline].enclose(here) { return place }
      let (distance, nearest) = SegmentDistance.nearest(to: here, of: area.outline)
      guard distance < best?.distance ?? .infinity else { continue }
      let (latitude, longitude) = area.plane.place(nearest)
      best = (distance, RoutePoint(latitude: latitude, longitude: longitude))
    }
    return best?.point
  }

  func without(_ ids: [String?]) -> Landmarks {
    var others = self
    others.excluded = Set(ids.compactMap(\.self))
    return others
  }

  func near(
    _ step: ManeuverPlan.Step, of assembly: RouteAssembly
  ) -> (name: String, side: String, isBehind: Bool)? {
    let point = step.point
    let place = assembly.points[point]
    guard !(assembly.segments.indices.contains(point - 1) && assembly.segments[point - 1].isIndoor),
      let heading = Bearing.near(point, of: assembly.points, step: -1)
    else { return nil }
    let meters = Self.metersStraight(to: point, heading, of: assembly)
    var best: (distance: Double, name: String, side: String, isBehind: Bool)?
    for landmark in buildings where !excluded.contains(landmark.id) {
      guard let name = landmark.name else { continue }
      let here = landmark.plane.point(place)
      guard here.length <= landmark.radius + Self.reach else { continue }
      let (distance, nearest) = SegmentDistance.nearest(to: here, of: landmark.outline)
      let way = nearest - here
      guard distance <= Self.reach, distance > 0.5, way.squared > 0
      else { continue }
      let turn = Degrees.turn(from: heading, to: Degrees.azimuth(east: way.x, north: way.y))
      // A landmark that is straight ahead or behind is not on either side.
      guard (30...150).contains(turn.magnitude),
        let rest = landmark.rest(
          at: here, after: (heading, meters), on: turn > 0, before: step)
      else { continue }
      let isBehind = rest <= Self.passed
      if let best, best.isBehind == isBehind ? best.distance <= distance : best.isBehind {
        continue
      }
      guard isVisible(landmark, at: nearest, from: place) else { continue }
      best = (distance, name, turn > 0 ? "right" : "left", isBehind)
    }
    return best.map { ($0.name, $0.side, $0.isBehind) }
  }

  /// Whether no other building is between users and the nearest point of a landmark.
  private func isVisible(
    _ landmark: Area, at nearest: SIMD2<Double>, from place: RoutePoint
  ) -> Bool {
    let (latitude, longitude) = landmark.plane.place(nearest)
    let wall = RoutePoint(latitude: latitude, longitude: longitude)
    return !buildings.contains { $0.id != landmark.id && $0.isBetween(place, wall) }
  }

  /// Returns for how many meters, up to 100, a route leads straight to a point behind the last crossing, from where users
  /// see no building at their side.
  private static func metersStraight(
    to point: Int, _ heading: Double, of assembly: RouteAssembly
  ) -> Double {
    var (leg, meters) = (point - 1, 0.0)
    while leg >= 0, meters < 100, assembly.segments[leg].kind != .crossing {
      if let bearing = Bearing.of(assembly.points[leg], assembly.points[leg + 1]),
        Degrees.turn(from: bearing, to: heading).magnitude > 30
      {
        break
      }
      meters += assembly.segments[leg].meters
      leg -= 1
    }
    return meters
  }

  func building(at place: RoutePoint) -> String? {
    var best: (distance: Double, name: String)?
    for landmark in buildings {
      guard let name = landmark.name else { continue }
      let here = landmark.plane.point(place)
      guard here.length <= landmark.radius + 3 else { continue }
      let distance = SegmentDistance.nearest(to: here, of: landmark.outline).distance
      if distance < min(3, best?.distance ?? .infinity) { best = (distance, name) }
    }
    return best?.name
  }
}

/// The doors between rooms and corridors, to name the room that a route passes before a turn.
struct RoomDoors: Sendable {
  private struct Door: Sendable {
    let name: String
    let place: RoutePoint
    /// Points inside the room, which show on which side of the corridor it is.
    let inside: [RoutePoint]
    let corridors: Set<Int>
  }

  private var doors: [Door] = []

  /// The maximum distance of a door from the route, and of the turn from the door, in meters.
  private static let (aside, reach) = (4.0, 12.0)
  /// Doors at most this many meters before the turn are not mentioned.
  private static let unmentioned = 1.0

  init(_ graph: PathGraph, of assembly: RouteAssembly) {
    let indoors = assembly.segments.indices.filter { assembly.segments[$0].isIndoor }
    let passed = Set(indoors.map { assembly.way(of: $0) })
    guard indoors.contains(where: { Self.isCorridor(assembly.segments[$0]) }) else { return }
    var ways: [Int: Set<Int>] = [:]
    for edge in graph.edges
    where passed.contains(edge.way) && graph.ways[edge.way].kind != .room {
      for end in [edge.from, edge.to] { ways[end, default: []].insert(edge.way) }
    }
    var rooms: [[Int]: [Int]] = [:]
    for edge in graph.edges where graph.ways[edge.way].kind == .room {
      for (end, other) in [(edge.from, edge.to), (edge.to, edge.from)] where ways[end] != nil {
        rooms[[end, edge.way], default: []].append(other)
      }
    }
    func point(_ vertex: Int) -> RoutePoint {
      RoutePoint(graph.vertices[vertex].point, level: graph.vertices[vertex].level)
    }
    for (key, others) in rooms.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      guard let corridors = ways[key[0]], let name = graph.ways[key[1]].name,
        !passed.contains(key[1])
      else { continue }
      doors.append(
        Door(
          name: name, place: point(key[0]), inside: others.map(point),
          corridors: corridors))
    }
  }

  private static func isCorridor(_ segment: Route.Segment) -> Bool {
    segment.isIndoor && (segment.kind == .area || segment.kind == .corridor)
  }

  /// Returns the room whose door a route passes last before a point, if the route leads straight from there.
  func before(_ point: Int, of assembly: RouteAssembly) -> (name: String, side: String)? {
    guard !doors.isEmpty else { return nil }
    var (leg, meters) = (point - 1, 0.0)
    while leg >= 0, meters < Self.reach, Self.isCorridor(assembly.segments[leg]) {
      let (from, to) = (assembly.points[leg], assembly.points[leg + 1])
      let isStraight = isStraight(at: leg, of: assembly)
      // A door at the beginning of the leg is not ahead of the user.
      let begin = isStraight ? 0 : Self.unmentioned
      let way = assembly.way(of: leg)
      if let found = last(from, to, after: begin, before: meters, on: way) { return found }
      guard isStraight else { return nil }
      meters += assembly.segments[leg].meters
      leg -= 1
    }
    return nil
  }

  private func isStraight(at point: Int, of assembly: RouteAssembly) -> Bool {
    guard point > 0, let before = Bearing.of(assembly.points[point - 1], assembly.points[point]),
      let behind = Bearing.of(assembly.points[point], assembly.points[point + 1])
    else { return false }
    return Degrees.turn(from: before, to: behind).magnitude < ManeuverPlan.straight
  }

  /// Returns the last door along a leg, which ends the given number of meters before the turn.
  private func last(
    _ from: RoutePoint, _ to: RoutePoint, after begin: Double, before meters: Double, on way: Int
  ) -> (name: String, side: String)? {
    let plane = MapPlane(latitude: from.latitude, longitude: from.longitude)
    let end = plane.point(to)
    let length = end.length
    guard length > 0.1, from.level == to.level else { return nil }
    var best: (rank: Double, name: String, side: String)?
    for door in doors where door.place.level == from.level && door.corridors.contains(way) {
      func offset(_ point: RoutePoint) -> (along: Double, left: Double) {
        let place = plane.point(point)
        return (
          (place.x * end.x + place.y * end.y) / length, (end.x * place.y - end.y * place.x) / length
        )
      }
      let (along, left) = offset(door.place)
      let rest = length - along + meters
      guard along >= begin - 0.1, along <= length + 0.1, left.magnitude <= Self.aside,
        rest > Self.unmentioned, rest <= Self.reach,
        along - left.magnitude > best?.rank ?? -.infinity
      else { continue }
      let side = door.inside.reduce(0) { $0 + offset($1).left }
      guard side.magnitude > 0.5 else { continue }
      best = (along - left.magnitude, door.name, side > 0 ? "left" : "right")
    }
    return best.map { ($0.name, $0.side) }
  }
}
