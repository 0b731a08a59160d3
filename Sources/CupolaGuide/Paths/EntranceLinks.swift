/// Joins entrances that no way reaches to the nearest path: by a straight line over the ground outside of the building.
struct EntranceLinks {
  /// Meters that a link may have.
  static let reach = 40.0

  private struct Link {
    let entrance: Int
    let edge: Int
    let fraction: Double
    let access: WayAccess
  }

  /// - Parameter map: gets points where links meet paths.
  static func add(_ map: inout GuideMap, to draft: inout PathDraft) {
    let links = links(map, draft)
    guard !links.isEmpty else { return }
    let way = draft.add(PathDraft.Way(id: "cupola/links", kind: .link))
    for (edge, group) in Dictionary(grouping: links, by: \.edge).sorted(by: { $0.key < $1.key }) {
      let (from, to) = (draft.edges[edge].from, draft.edges[edge].to)
      var stops: [Int] = []
      for link in group.sorted(by: { ($0.fraction, $0.entrance) < ($1.fraction, $1.entrance) }) {
        let stop = stop(on: (from, to), link.fraction, &map, &draft)
        draft.addEdge(
          draft.vertex(link.entrance, level: nil), stop, way: way, access: link.access)
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

  private static func links(_ map: GuideMap, _ draft: PathDraft) -> [Link] {
    let outlines = outlines(of: map)
    var faults: [MapFault] = []
    // Its edges have the numbers of the draft's.
    let graph = PathGraph(draft, map, faults: &faults)
    let index = EdgeIndex(graph)
    return map.features.compactMap { feature in
      guard case .point(let point) = feature.geometry, Entrances.isWayIn(feature),
        draft.existing(point, level: nil) == nil
      else { return nil }
      let place = RoutePoint(map.points[point])
      let walls = Walls(outlines[point] ?? [], map, from: point)
      let near = index.nearest(to: place, within: reach) { edge in
        guard graph.edges[edge].access.contains(.walk),
          graph.vertices[graph.edges[edge].from].level == nil
        else { return false }
        return !walls.stand(before: graph.place(edge, index.near(edge, to: place).fraction))
      }
      return near.map {
        Link(
          entrance: point, edge: $0.edge, fraction: $0.fraction,
          access: Entrances.access(of: feature))
      }
    }
  }

  /// The rings of buildings by the points that they pass.
  private static func outlines(of map: GuideMap) -> [Int: [[Int]]] {
    var rings: [Int: [[Int]]] = [:]
    for feature in map.features where feature["building"].map({ $0 != "no" }) ?? false {
      guard case .area(let outline) = feature.geometry else { continue }
      for ring in outline {
        for point in Set(ring) { rings[point, default: []].append(ring) }
      }
    }
    return rings
  }

  /// What a straight line from an entrance must not cross.
  private struct Walls {
    private let plane: MapPlane
    private var walls: [(SIMD2<Double>, SIMD2<Double>)] = []

    init(_ rings: [[Int]], _ map: GuideMap, from point: Int) {
      plane = MapPlane(around: map.points[point])
      for ring in rings {
        for (one, other) in zip(ring, ring.dropFirst() + ring.prefix(1))
        where one != point && other != point {
          walls.append((plane.point(map.points[one]), plane.point(map.points[other])))
        }
      }
    }

    /// Whether one is between the entrance, where the plane begins, and a place.
    func stand(before place: RoutePoint) -> Bool {
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
