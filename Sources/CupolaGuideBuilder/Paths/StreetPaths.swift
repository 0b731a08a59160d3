internal import CupolaCampus
internal import CupolaGuide

// 1. Add edges along outdoor streets, paths and steps, and along the rings of open areas.
// 2. Add straight lines across these areas that go around the buildings on them.

struct StreetPaths {
  static func isOutdoors(_ feature: MapFeature) -> Bool {
    if feature["indoor"].map({ $0 != "no" }) ?? false { return false }
    if feature["highway"] == "corridor" { return false }
    let isVertical = ["steps", "elevator"].contains(feature["highway"])
    return !(isVertical && feature["level"] != nil)
  }

  static func add(_ map: GuideMap, to draft: inout PathDraft) {
    let shared = sharedPoints(of: map)
    let buildings = BuildingsInside(map)
    for feature in map.features where isOutdoors(feature) {
      guard let (way, access) = WayRules.way(of: feature) else { continue }
      switch feature.geometry {
      case .point: break
      case .line(let points):
        let number = draft.add(way)
        addLine(points, way: number, access, to: &draft)
      case .area(let rings):
        guard !access.isDisjoint(with: .onFoot) else { continue }
        let number = addRings(rings, way, access.intersection(.onFoot), to: &draft)
        guard let inside = buildings.rings(on: rings, within: &draft.areaBudget, of: feature.id)
        else { continue }
        let walls = rings + inside
        let crossing = AreaCrossing(
          walls, portals: shared.intersection(walls.joined()), points: map.points)
        for (one, other) in crossing.lines(within: &draft.areaBudget, of: feature.id) ?? [] {
          draft.addEdge(
            draft.vertex(one, level: nil), draft.vertex(other, level: nil), way: number,
            access: access.intersection(.onFoot))
        }
      }
    }
  }

  private static func addLine(
    _ points: [Int], way: Int, _ access: WayAccess, to draft: inout PathDraft
  ) {
    for (one, other) in zip(points, points.dropFirst()) {
      draft.addEdge(
        draft.vertex(one, level: nil), draft.vertex(other, level: nil), way: way, access: access)
    }
  }

  private static func sharedPoints(of map: GuideMap) -> Set<Int> {
    var seen: Set<Int> = []
    var shared: Set<Int> = []
    for feature in map.features {
      if case .point(let point) = feature.geometry {
        if feature["entrance"] != nil || feature["door"] != nil { shared.insert(point) }
      } else if WayRules.way(of: feature) != nil || feature["indoor"] != nil {
        for point in Set(feature.pointNumbers) where !seen.insert(point).inserted {
          shared.insert(point)
        }
      }
    }
    return shared
  }

  private static func addRings(
    _ rings: [[Int]], _ way: PathDraft.Way, _ access: WayAccess, to draft: inout PathDraft
  ) -> Int {
    var way = way
    way.kind = .area
    let number = draft.add(way)
    for ring in rings { addLine(ring + ring.prefix(1), way: number, access, to: &draft) }
    return number
  }
}

struct BuildingsInside {
  private let map: GuideMap
  private let rings: [[Int]]
  private let index: BoxIndex

  init(_ map: GuideMap) {
    self.map = map
    rings = map.features.compactMap { feature in
      guard PlaceRules.isInTheWay(feature), case .area(let rings) = feature.geometry else {
        return nil
      }
      return rings.first
    }
    index = BoxIndex(rings.map { ring in MapPoint.box(around: [ring.map { map.points[$0] }]) })
  }

  /// Returns the outer rings of buildings that are completely on an area and not in its holes; `nil` if the work budget
  /// is exhausted.
  func rings(on area: [[Int]], within budget: inout WorkBudget, of id: String) -> [[Int]]? {
    let outlines = area.map { $0.map { map.points[$0] } }
    let near = index.indices(meeting: MapPoint.box(around: outlines))
    let tests = near.reduce(0) { $0 + rings[$1].count } * outlines.reduce(0) { $0 + $1.count }
    guard budget.take(tests: tests, of: id) else { return nil }
    let corners = Set(area.joined())
    return near.map { rings[$0] }.filter { ring in
      let others = ring.filter { !corners.contains($0) }
      return !others.isEmpty
        && others.allSatisfy { point in
          outlines.reduce(false) { $0 != BuildingLocator.isInside(map.points[point], $1) }
        }
    }
  }
}
