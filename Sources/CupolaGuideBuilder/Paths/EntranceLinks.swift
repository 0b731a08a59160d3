internal import CupolaCampus
internal import CupolaGuide
internal import CupolaTours

/// Joins entrances that no way reaches to the nearest path: by a straight line that crosses none of ``LinkWalls``.
struct EntranceLinks {
  /// Meters that a link may have.
  static let reach = 40.0
  /// How many walls may be compared with lines to paths: some seconds' work. A campus takes a million.
  static let mostTests = 1_000_000_000
  private static let beyondBudget =
    "an entrance that is joined to no path, nor are those behind it, because too many walls and paths are around "
    + "them; draw them more simply, or make a guide of fewer"

  private struct Link {
    let entrance: Int
    let edge: Int
    let fraction: Double
    let access: WayAccess
  }

  /// - Parameters:
  ///   - map: gets points where links meet paths.
  ///   - budget: how many walls may be compared.
  ///   - faults: gets a line where that is too few.
  static func add(
    _ map: inout GuideMap, to draft: inout PathDraft, budget: Int = mostTests,
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

  private static func links(
    _ map: GuideMap, _ draft: PathDraft, budget: Int, faults: inout [MapFault]
  ) -> [Link] {
    let entrances = map.features.compactMap { feature -> (feature: MapFeature, point: Int)? in
      guard case .point(let point) = feature.geometry, Entrances.isWayIn(feature),
        draft.existing(point, level: nil) == nil
      else { return nil }
      return (feature, point)
    }
    guard !entrances.isEmpty else { return [] }
    let walls = LinkWalls(map)
    var known: [MapFault] = []
    // Its edges have the numbers of the draft's.
    let graph = PathGraph(draft, map, faults: &known)
    let index = EdgeIndex(graph)
    var budget = budget
    var links: [Link] = []
    for (feature, point) in entrances {
      let near = nearest(
        to: RoutePoint(map.points[point]), walls.around(point, within: reach), graph, index: index,
        budget: &budget)
      // Not all was looked at for this one: what was found need not be the nearest.
      guard budget > 0 else {
        faults.append(MapFault(feature.title, beyondBudget))
        break
      }
      guard let near else { continue }
      links.append(
        Link(
          entrance: point, edge: near.edge, fraction: near.fraction,
          access: Entrances.access(of: feature)))
    }
    return links
  }

  /// The nearest place on a path without a wall before it.
  private static func nearest(
    to place: RoutePoint, _ walls: LinkWalls.Around, _ graph: PathGraph, index: EdgeIndex,
    budget: inout Int
  ) -> EdgeIndex.Near? {
    // Also those that it is in: all of a map may be.
    budget -= walls.looked
    var best = reach
    return index.nearest(to: place, within: reach) { edge in
      budget -= 1
      guard budget > 0, graph.edges[edge].access.contains(.walk),
        graph.vertices[graph.edges[edge].from].level == nil
      else { return false }
      let near = index.near(edge, to: place)
      guard near.distance <= best else { return false }
      budget -= walls.walls.count
      if walls.stand(before: graph.place(edge, near.fraction)) { return false }
      best = near.distance
      return true
    }
  }
}
