internal import CupolaCampus
internal import CupolaGuide

// 1. Find the entrances that are not on a path, and for each, the nearest path without a wall in between.
// 2. Split that path and add a straight link.

struct EntranceLinks {
  static let reach = 40.0

  private struct Link {
    let entrance: Int
    let edge: Int
    let fraction: Double
    let access: WayAccess
  }

  static func add(
    _ map: inout GuideMap, to draft: inout PathDraft, budget: WorkBudget = .links,
    faults: inout [MapFault]
  ) {
    let links = links(map, draft, budget: budget, faults: &faults)
    guard !links.isEmpty else { return }
    let way = draft.add(PathDraft.Way(id: "cupola/links", kind: .link))
    for (edge, group) in Dictionary(grouping: links, by: \.edge).sorted(by: { $0.key < $1.key }) {
      let (from, to) = (draft.edges[edge].from, draft.edges[edge].to)
      var stops: [Int] = []
      for link in group.sorted(by: { ($0.fraction, $0.entrance) < ($1.fraction, $1.entrance) }) {
        let stop = stop(on: (from, to), link.fraction, &map, &draft)
        draft.addEdge(draft.vertex(link.entrance, level: nil), stop, way: way, access: link.access)
        if stop != from, stop != to, stops.last != stop { stops.append(stop) }
      }
      draft.split(edge: edge, at: stops)
    }
  }

  private static func stop(
    on ends: (from: Int, to: Int), _ fraction: Double, _ map: inout GuideMap,
    _ draft: inout PathDraft
  ) -> Int {
    if fraction <= 0 { return ends.from }
    if fraction >= 1 { return ends.to }
    let (a, b) = (
      map.points[draft.vertices[ends.from].point], map.points[draft.vertices[ends.to].point]
    )
    let stop = RoutePoint(a).toward(RoutePoint(b), fraction)
    guard let place = MapPoint(latitude: stop.latitude, longitude: stop.longitude) else {
      return ends.from
    }
    return draft.vertex(map.point(place), level: nil)
  }

  private static func links(
    _ map: GuideMap, _ draft: PathDraft, budget: WorkBudget, faults: inout [MapFault]
  ) -> [Link] {
    let entrances = map.features.compactMap { feature -> (feature: MapFeature, point: Int)? in
      guard case .point(let point) = feature.geometry, Entrances.isWayIn(feature),
        draft.existing(point, level: nil) == nil
      else { return nil }
      return (feature, point)
    }
    guard !entrances.isEmpty else { return [] }
    let walls = LinkWalls(map)
    let below = WayRules.platformsBelowGround(on: map)
    var known: [MapFault] = []
    // The edges have the same indices in the graph as in the draft.
    let graph = PathGraph(draft, map, faults: &known)
    let index = EdgeIndex(graph)
    var budget = budget
    var links: [Link] = []
    for (feature, point) in entrances {
      let near = nearest(
        to: RoutePoint(map.points[point]), walls.around(point, within: reach), graph, index: index,
        without: below, budget: &budget)
      // If the budget is exhausted, the search was incomplete, and the result may not be the nearest path.
      guard budget.allows(feature) else { break }
      guard let near else { continue }
      links.append(
        Link(
          entrance: point, edge: near.edge, fraction: near.fraction,
          access: Entrances.access(of: feature)))
    }
    if let fault = budget.fault { faults.append(fault) }
    return links
  }

  private static func nearest(
    to place: RoutePoint, _ walls: LinkWalls.Around, _ graph: PathGraph, index: EdgeIndex,
    without ways: Set<String>, budget: inout WorkBudget
  ) -> EdgeIndex.Near? {
    // Also count the walls that contain the entrance; these may be all the walls on the map.
    budget.tests -= walls.checked
    var best = reach
    return index.nearest(to: place, within: reach) { edge in
      budget.tests -= 1
      guard !budget.isSpent, graph.edges[edge].access.contains(.walk),
        graph.vertices[graph.edges[edge].from].level == nil,
        !ways.contains(graph.ways[graph.edges[edge].way].id)
      else { return false }
      let near = index.near(edge, to: place)
      guard near.distance <= best else { return false }
      budget.tests -= walls.walls.count
      if walls.block(graph.place(edge, near.fraction)) { return false }
      best = near.distance
      return true
    }
  }
}

/// The walls, fences and similar barriers that a straight link must not cross.
struct LinkWalls {
  private let map: GuideMap
  private var walls: [(one: Int, other: Int)] = []
  private let index: BoxIndex
  private let gates: Set<Int>
  private let buildingWalls: Int

  /// The width in meters that stays open on each side of a gate.
  private static let gap = 1.0
  static let fences: Set<String> = [
    "wall", "fence", "hedge", "retaining_wall", "city_wall",
  ]

  init(_ map: GuideMap) {
    self.map = map
    for feature in map.features where PlaceRules.isInTheWay(feature) {
      walls += Self.walls(of: feature)
    }
    buildingWalls = walls.count
    for feature in map.features where Self.fences.contains(feature["barrier"] ?? "") {
      walls += Self.walls(of: feature)
    }
    index = BoxIndex(
      walls.map { MapPoint.box(around: [[map.points[$0.one], map.points[$0.other]]]) })
    gates = Self.openings(of: map)
  }

  /// Returns the gates, entrances and doors that people can pass.
  static func openings(of map: GuideMap) -> Set<Int> {
    map.features.reduce(into: []) { gates, feature in
      guard case .point(let point) = feature.geometry,
        feature["barrier"] ?? feature["entrance"] ?? feature["door"] != nil,
        BarrierRules.blocked(by: feature.tags).isDisjoint(with: .walk), Entrances.isOpen(feature)
      else { return }
      gates.insert(point)
    }
  }

  private static func walls(of feature: MapFeature) -> [(one: Int, other: Int)] {
    let lines: [[Int]] =
      switch feature.geometry {
      case .point: []
      case .line(let points): [points]
      case .area(let rings): rings.map { $0 + $0.prefix(1) }
      }
    return lines.flatMap { zip($0, $0.dropFirst()).map { (one: $0, other: $1) } }
  }

  func around(_ entrance: Int, within reach: Double) -> Around {
    let plane = MapPlane(around: map.points[entrance])
    let near = index.indices(meeting: plane.box(within: reach))
    let pieces = near.compactMap { piece($0, on: plane) }
    return Around(
      plane: plane, checked: near.count,
      walls: pieces.filter { one, other in
        SegmentDistance.nearest(to: .zero, from: one, to: other).length
          > BuildingLocator.wallThickness
      })
  }

  private func piece(_ number: Int, on plane: MapPlane) -> (SIMD2<Double>, SIMD2<Double>)? {
    let wall = walls[number]
    let (one, other) = (plane.point(map.points[wall.one]), plane.point(map.points[wall.other]))
    guard number >= buildingWalls else { return (one, other) }
    let length = (other - one).length
    let begin = gates.contains(wall.one) ? Self.gap : 0
    let end = gates.contains(wall.other) ? length - Self.gap : length
    guard begin < end else { return nil }
    return (one + (other - one) * (begin / length), one + (other - one) * (end / length))
  }

  struct Around {
    let plane: MapPlane
    let checked: Int
    let walls: [(SIMD2<Double>, SIMD2<Double>)]

    func block(_ place: RoutePoint) -> Bool {
      let end = plane.point(latitude: place.latitude, longitude: place.longitude)
      func side(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>) -> Bool {
        let (u, v) = (b - a, c - a)
        return u.x * v.y > u.y * v.x
      }
      return walls.contains { one, other in
        side([0, 0], end, one) != side([0, 0], end, other)
          && side(one, other, [0, 0]) != side(one, other, end)
      }
    }
  }
}
