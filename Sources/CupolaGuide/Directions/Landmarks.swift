internal import CupolaCampus

// 1. Find the building next to a point of a route, and the side on which it is.
// 2. Indoors, find the last room door that a route passes before a point.

struct Landmarks: Sendable {
  struct Landmark: Sendable {
    let id: String
    let name: String
    fileprivate let plane: MapPlane
    fileprivate let outline: [SIMD2<Double>]
    fileprivate let radius: Double

    init?(_ area: GroundArea) {
      guard area.kind == .building, let name = area.name, let ring = area.rings.first else {
        return nil
      }
      (id, self.name) = (area.id, name)
      let plane = MapPlane(around: ring.first)
      self.plane = plane
      outline = ring.map { plane.point($0) }
      radius = outline.reduce(0) { max($0, $1.length) }
    }

    /// Whether users have walked along the building when they reach a turn, and it is on one side only.
    fileprivate func isPassed(
      at here: SIMD2<Double>, after approach: (heading: Double, meters: Double),
      on isRight: Bool, before step: ManeuverPlan.Step
    ) -> Bool {
      let (sine, cosine) = Degrees.sinCos(approach.heading)
      let along = outline.map { ($0.x - here.x) * sine + ($0.y - here.y) * cosine }
      let aside = outline.map { ($0.x - here.x) * cosine - ($0.y - here.y) * sine }
      guard isRight ? (aside.min() ?? 0) > -1 : (aside.max() ?? 0) < 1 else { return false }
      let (passed, rest) = (0 - (along.min() ?? 0), along.max() ?? 0)
      // Users who come around a corner do not see how far the building reaches back.
      guard min(passed, approach.meters) - max(0, -rest) >= 4 else { return false }
      guard step.isToRight == isRight else { return rest <= max(12, passed / 3) }
      let isSlight = step.kind == .slightLeft || step.kind == .slightRight
      return rest <= max(5, isSlight ? passed : passed / 3)
    }
  }

  private var all: [Landmark]
  /// The IDs of the buildings at the start and the end of the route, which are not used as landmarks.
  private var excluded: Set<String> = []

  private static let reach = 25.0

  init(_ landmarks: [Landmark]) { all = landmarks }

  func without(_ ids: [String?]) -> Landmarks {
    var others = self
    others.excluded = Set(ids.compactMap(\.self))
    return others
  }

  func near(
    _ step: ManeuverPlan.Step, of assembly: RouteAssembly
  ) -> (name: String, side: String)? {
    let point = step.point
    let place = assembly.points[point]
    guard !(assembly.segments.indices.contains(point - 1) && assembly.segments[point - 1].isIndoor),
      let heading = Bearing.near(point, of: assembly.points, step: -1)
    else { return nil }
    let meters = Self.metersStraight(to: point, heading, of: assembly)
    var best: (distance: Double, name: String, side: String)?
    for landmark in all where !excluded.contains(landmark.id) {
      let here = landmark.plane.point(place)
      guard here.length <= landmark.radius + Self.reach else { continue }
      let (distance, nearest) = SegmentDistance.nearest(to: here, of: landmark.outline)
      let way = nearest - here
      guard distance <= Self.reach, distance < best?.distance ?? .infinity, distance > 0.5,
        way.squared > 0
      else { continue }
      let turn = Degrees.turn(from: heading, to: Degrees.azimuth(east: way.x, north: way.y))
      // A landmark that is straight ahead or behind is not on either side.
      guard (30...150).contains(turn.magnitude),
        landmark.isPassed(at: here, after: (heading, meters), on: turn > 0, before: step)
      else { continue }
      best = (distance, landmark.name, turn > 0 ? "right" : "left")
    }
    return best.map { ($0.name, $0.side) }
  }

  /// Returns for how many meters, up to 100, a route leads straight to a point.
  private static func metersStraight(
    to point: Int, _ heading: Double, of assembly: RouteAssembly
  ) -> Double {
    var (leg, meters) = (point - 1, 0.0)
    while leg >= 0, meters < 100 {
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
    for landmark in all {
      let here = landmark.plane.point(place)
      guard here.length <= landmark.radius + 3 else { continue }
      let distance = SegmentDistance.nearest(to: here, of: landmark.outline).distance
      if distance < min(3, best?.distance ?? .infinity) { best = (distance, landmark.name) }
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
