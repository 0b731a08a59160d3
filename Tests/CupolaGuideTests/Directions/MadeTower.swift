@testable import CupolaGuide

/// A made-up tower with an elevator, steps and an escalator; its door is 20 m north of where a path begins.
///
/// ```
/// floor 2:           60 . room          y = 40: corridor, from the elevator (x = 0) to the east
/// floor 1:  escalator from x = 20 to x = 30, floor 0 to 1, on to floor 2 by steps
/// floor 0:  door (0, 20), corridor to (0, 40) and (20, 40)
/// ```
struct MadeTower {
  let guide: Guide

  init() {
    var vertices: [PathGraph.Vertex] = []
    var edges: [PathGraph.Edge] = []
    func vertex(_ x: Double, _ y: Double, _ level: Double?) -> Int {
      let (latitude, longitude) = MapMaker.place(x, y)
      guard let point = MapPoint(latitude: latitude, longitude: longitude) else {
        preconditionFailure("made graphs are small")
      }
      vertices.append(PathGraph.Vertex(point: point, level: level, barrier: []))
      return vertices.count - 1
    }
    let kinds: [WayKind] = [.path, .corridor, .elevator, .escalator, .steps, .room]
    let ways = kinds.map { kind in
      var way = PathDraft.Way(id: "way/\(kind)", kind: kind)
      way.isIndoor = kind != .path
      way.stepCount = kind == .steps ? 17 : 0
      return way
    }
    func edge(_ from: Int, _ to: Int, _ kind: WayKind) {
      edges.append(
        PathGraph.Edge(
          from: from, to: to, way: kinds.firstIndex(of: kind) ?? 0,
          access: kind == .steps || kind == .escalator ? .walk : .onFoot))
    }
    let door = vertex(0, 20, nil)
    edge(vertex(0, 0, nil), door, .path)
    let hall = vertex(0, 40, 0)
    edge(door, vertex(0, 20, 0), .corridor)
    edge(vertices.count - 1, hall, .corridor)
    let lift = vertex(0, 40, 2)
    edge(hall, lift, .elevator)
    let corner = vertex(40, 40, 2)
    edge(lift, corner, .corridor)
    edge(corner, vertex(40, 60, 2), .room)
    let foot = vertex(20, 40, 0)
    edge(hall, foot, .corridor)
    let landing = vertex(30, 40, 1)
    edge(foot, landing, .escalator)
    edge(landing, corner, .steps)
    let ring = [(-10.0, 20.0), (70, 20), (70, 80), (-10, 80), (0, 20)].compactMap { x, y in
      let (latitude, longitude) = MapMaker.place(x, y)
      return MapPoint(latitude: latitude, longitude: longitude)
    }
    let room = Place(
      id: "way/9@2", kind: .room, ref: "2.07", position: MapMaker.point(40, 60, level: 2),
      building: "way/1", doors: [Place.Door(RoutePoint(vertices[6].point, level: 2))])
    guide = Guide(
      name: "Tower", attribution: nil, timeZone: nil, places: [room],
      graph: PathGraph(vertices: vertices, edges: edges, ways: ways),
      ground: [GroundArea(.building, id: "way/1", name: "The Tower", rings: [ring])])
  }

  var room: RouteEnd { .place(guide.places[0]) }
}
