/// Joins entrances that no way reaches to the nearest path: by a straight line that crosses none of ``LinkWalls``.
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
    let entrances = map.features.filter { feature in
      guard case .point(let point) = feature.geometry else { return false }
      return Entrances.isWayIn(feature) && draft.existing(point, level: nil) == nil
    }
    guard !entrances.isEmpty else { return [] }
    let walls = LinkWalls(map)
    var faults: [MapFault] = []
    // Its edges have the numbers of the draft's.
    let graph = PathGraph(draft, map, faults: &faults)
    let index = EdgeIndex(graph)
    return entrances.compactMap { feature in
      guard case .point(let point) = feature.geometry else { return nil }
      let place = RoutePoint(map.points[point])
      let around = walls.around(point, within: reach)
      let near = index.nearest(to: place, within: reach) { edge in
        guard graph.edges[edge].access.contains(.walk),
          graph.vertices[graph.edges[edge].from].level == nil
        else { return false }
        let near = index.near(edge, to: place)
        return near.distance <= reach && !around.stand(before: graph.place(edge, near.fraction))
      }
      return near.map {
        Link(
          entrance: point, edge: $0.edge, fraction: $0.fraction,
          access: Entrances.access(of: feature))
      }
    }
  }
}
