internal import CupolaCampus
internal import CupolaGuide

// 1. Add edges along outdoor streets, paths and steps, and along the rings of open areas.
// 2. Add straight lines across these areas that go around the buildings on them.

struct StreetPaths {
  static func isOutdoors(_ feature: MapFeature) -> Bool {
    guard isOutdoors(tagged: feature["indoor"]) else { return false }
    if feature["highway"] == "corridor" { return false }
    let isVertical = ["steps", "elevator"].contains(feature["highway"])
    return !(isVertical && feature["level"] != nil)
  }

  static func isOutdoors(tagged indoor: String?) -> Bool { indoor == nil || indoor == "no" }

  static func add(_ map: GuideMap, elevators: ElevatorFloors? = nil, to draft: inout PathDraft) {
    let shared = sharedPoints(of: map)
    let approaches = CrossingApproaches(map, shared: shared)
    let buildings = BuildingsInside(map)
    let obstacles = AreaObstacles(map, shared: shared)
    let layers = layers(of: map)
    for feature in map.features where isOutdoors(feature) {
      guard case (var way, let access)? = WayRules.way(of: feature) else { continue }
      // Ways on different floors meet at an elevator, but users cannot walk from one to the other.
      func level(_ point: Int) -> Double? { elevators?.floor(of: feature, at: point) }
      switch feature.geometry {
      case .point: break
      case .line(let points):
        if way.kind == .steps, way.incline == 0 { way.incline = incline(of: points, layers) }
        let (line, paths) = way.kind == .crossing ? approaches.parts(of: points) : (points, [])
        addLine(line, way: draft.add(way), access, to: &draft, level: level)
        for points in paths {
          var path = way
          path.kind = .path
          addLine(points, way: draft.add(path), access, to: &draft, level: level)
        }
      case .area(let rings):
        guard !access.isDisjoint(with: .onFoot) else { continue }
        var areaWay = way
        areaWay.kind = .area
        let area = OpenArea(
          feature, rings, draft.add(areaWay), access.intersection(.onFoot))
        if area.addObstructed(obstacles, buildings, map, to: &draft) { continue }
        area.addFree(buildings, shared, map, to: &draft)
      }
    }
  }

  /// Returns the layers of the ways at each point, except steps: those of bridges and tunnels, and 0 for other ways.
  private static func layers(of map: GuideMap) -> [Int: Set<Int>] {
    var layers: [Int: Set<Int>] = [:]
    for feature in map.features
    where feature["highway"] != "steps" && WayRules.way(of: feature) != nil {
      let isRaised = ["bridge", "tunnel"].contains { feature[$0].map { $0 != "no" } ?? false }
      let layer = isRaised ? feature["layer"].flatMap { Int($0) } ?? 0 : 0
      for point in feature.pointNumbers { layers[point, default: []].insert(layer) }
    }
    return layers
  }

  /// Returns the incline of steps that lead from a bridge or a tunnel to another layer; 0 for others.
  private static func incline(of points: [Int], _ layers: [Int: Set<Int>]) -> Float {
    let ends = [points.first, points.last].map { $0.flatMap { layers[$0] } ?? [] }
    guard ends[0].count == 1, ends[1].count == 1, let first = ends[0].first,
      let last = ends[1].first, first != last
    else { return 0 }
    return WayRules.incline(last > first ? "up" : "down")
  }

  static func addLine(
    _ points: [Int], way: Int, _ access: WayAccess, to draft: inout PathDraft,
    level: (Int) -> Double? = { _ in nil }
  ) {
    for (one, other) in zip(points, points.dropFirst()) {
      draft.addEdge(
        draft.vertex(one, level: level(one)), draft.vertex(other, level: level(other)), way: way,
        access: access)
    }
  }

  /// Returns the floors of the outdoor ways at each point, if all of them are mapped, and which of these points are only
  /// on areas.
  static func floors(on map: GuideMap) -> (known: [Int: Set<Double>], onAreas: Set<Int>) {
    var floors: [Int: Set<Double>] = [:]
    var (others, lines): (Set<Int>, Set<Int>) = ([], [])
    for feature in map.features where isOutdoors(feature) && WayRules.way(of: feature) != nil {
      let points = feature.pointNumbers
      if case .line = feature.geometry { lines.formUnion(points) }
      if let levels = Levels(of: feature) {
        for point in points { floors[point, default: []].formUnion(levels.numbers) }
      } else {
        others.formUnion(points)
      }
    }
    let known = floors.filter { !others.contains($0.key) }
    return (known, Set(known.keys).subtracting(lines))
  }

  /// Adds the first edges of closed roads where they meet the ways of a draft, because users see them there.
  static func addClosedRoads(_ map: GuideMap, to draft: inout PathDraft) {
    let open = draft
    for feature in map.features where isOutdoors(feature) {
      guard case .line(let points) = feature.geometry,
        let way = WayRules.closedRoad(of: feature)
      else { continue }
      let near = zip(points, points.dropFirst()).filter { one, other in
        [one, other].contains { open.existing($0, level: nil) != nil }
      }
      guard !near.isEmpty else { continue }
      let number = draft.add(way)
      for (one, other) in near {
        draft.addClosedEdge(
          draft.vertex(one, level: nil), draft.vertex(other, level: nil), way: number)
      }
    }
  }

  /// Returns the points where ways with some access meet, and doors.
  static func sharedPoints(
    of map: GuideMap, where isOpen: (WayAccess) -> Bool = { _ in true }
  ) -> Set<Int> {
    var seen: Set<Int> = []
    var shared: Set<Int> = []
    for feature in map.features {
      if case .point(let point) = feature.geometry {
        if feature["entrance"] != nil || feature["door"] != nil { shared.insert(point) }
      } else if WayRules.way(of: feature).map({ isOpen($0.access) }) ?? false
        || feature["indoor"] != nil
      {
        for point in Set(feature.pointNumbers) where !seen.insert(point).inserted {
          shared.insert(point)
        }
      }
    }
    return shared
  }
}

/// An open area and the way of its paths.
struct OpenArea {
  private let feature: MapFeature
  private let rings: [[Int]]
  private let way: Int
  private let access: WayAccess

  init(_ feature: MapFeature, _ rings: [[Int]], _ way: Int, _ access: WayAccess) {
    (self.feature, self.rings, self.way, self.access) = (feature, rings, way, access)
  }

  /// Adds paths along the rings and straight across the area, around buildings on it.
  func addFree(
    _ buildings: BuildingsInside, _ shared: Set<Int>, _ map: GuideMap, to draft: inout PathDraft
  ) {
    for ring in rings {
      StreetPaths.addLine(ring + ring.prefix(1), way: way, access, to: &draft)
    }
    guard let inside = buildings.rings(on: rings, within: &draft.areaBudget, of: feature.id)
    else { return }
    let walls = rings + inside
    let crossing = AreaCrossing(
      walls, portals: shared.intersection(walls.joined()), points: map.points)
    for (one, other) in crossing.lines(within: &draft.areaBudget, of: feature.id) ?? [] {
      draft.addEdge(
        draft.vertex(one, level: nil), draft.vertex(other, level: nil), way: way, access: access)
    }
  }

  /// Adds paths around the obstacles on the area. Returns `false` if there are none.
  func addObstructed(
    _ obstacles: AreaObstacles, _ buildings: BuildingsInside, _ map: GuideMap,
    to draft: inout PathDraft
  ) -> Bool {
    let box = MapPoint.box(around: rings.map { $0.map { map.points[$0] } })
    let near = obstacles.near(box, feature)
    guard !near.isEmpty else { return false }
    var budget = draft.areaBudget
    guard let inside = buildings.rings(on: rings, within: &budget, of: feature.id) else {
      return false
    }
    let walls = rings + inside
    let plain = AreaCrossing(walls, portals: [], points: map.points)
    guard let frame = AreaFrame(plain.rings) else { return false }
    var barriers = AreaBarriers(on: plain, frame: frame)
    let cost = near.reduce(0) { $0 + barriers.cost(of: $1) }
    guard budget.take(tests: cost, of: feature.id) else { return false }
    barriers.add(near.filter { $0.kind != .steps })
    var withSteps = barriers
    withSteps.addSteps(
      near.filter { $0.kind == .steps }, onPaths: obstacles.onPaths, doors: obstacles.openings)
    guard !withSteps.isEmpty else { return false }
    draft.areaBudget = budget
    func cross(_ barriers: AreaBarriers, _ access: WayAccess, isStepFree: Bool) {
      guard !access.isEmpty else { return }
      let ends = obstacles.ends(in: box, feature, stepFree: isStepFree)
      let entered = isStepFree ? obstacles.sharedStepFree : obstacles.shared
      let portals = entered.union(obstacles.openings).intersection(walls.joined())
        .union(ends.filter { frame.isWithin(plain.place($0)) })
        .union(barriers.corners.intersection(obstacles.openings.union(entered)))
      let crossing = AreaCrossing(
        walls, portals: portals.union(barriers.corners), points: map.points)
      let area = ObstructedArea(crossing, barriers, outlines: rings.count, portals: portals)
      let lines = area.lines(within: &draft.areaBudget, of: feature.id) ?? []
      add(lines, access, to: &draft)
    }
    if let steps = withSteps.steps {
      draft.stepAreas.append(
        PathDraft.StepArea(title: feature.title, point: steps, steps: withSteps.stepIDs))
      cross(barriers, access.intersection(.walk), isStepFree: false)
      cross(withSteps, access.intersection(.stepFree), isStepFree: true)
    } else {
      cross(barriers, access, isStepFree: false)
    }
    return true
  }

  private func add(
    _ lines: [(ObstructedArea.Stop, ObstructedArea.Stop)], _ access: WayAccess,
    to draft: inout PathDraft
  ) {
    var sides: [ObstructedArea.Stop: Int] = [:]
    func vertex(_ stop: ObstructedArea.Stop) -> Int {
      guard stop.side != nil else { return draft.vertex(stop.point, level: nil) }
      if let known = sides[stop] { return known }
      // Negative, to differ from the indices of rooms.
      let number = draft.vertex(stop.point, level: nil, space: -1 - draft.vertices.count)
      sides[stop] = number
      return number
    }
    for (one, other) in lines {
      draft.addEdge(vertex(one), vertex(other), way: way, access: access)
    }
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
