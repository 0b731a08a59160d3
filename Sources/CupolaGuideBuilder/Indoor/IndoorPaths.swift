internal import CupolaGuide

// 1. Add edges along indoor paths, steps and elevators, and across rooms and corridors.
// 2. Connect the floors with each other, and doors with the outdoor paths.

struct IndoorPaths {
  private let features: IndoorFeatures
  private let map: GuideMap
  private var draft: PathDraft
  private var spacesAt: [PathDraft.Vertex: [Int]] = [:]
  private var stops: Set<PathDraft.Vertex> = []
  /// The points of ways on one floor.
  private var onFloors: Set<PathDraft.Vertex> = []
  /// The stops where steps, ramps and elevators start or end.
  private var landings: Set<PathDraft.Vertex> = []
  private var stopIndex: StopIndex
  /// The floors of outdoor paths by point.
  private let outdoors: (known: [Int: Set<Double>], onAreas: Set<Int>)

  static func add(
    _ features: IndoorFeatures, of map: GuideMap, to draft: inout PathDraft
  ) -> [IndoorSpace] {
    var paths = IndoorPaths(features, map, draft)
    paths.addLines()
    paths.addElevators()
    paths.stopIndex = StopIndex(paths.stops, of: map)
    var spaces = features.spaces
    for number in spaces.indices { spaces[number].vertex = paths.add(spaces[number], number) }
    paths.joinFloors(of: &spaces)
    paths.joinOutdoors()
    draft = paths.draft
    return spaces
  }

  private init(_ features: IndoorFeatures, _ map: GuideMap, _ draft: PathDraft) {
    (self.features, self.map, self.draft) = (features, map, draft)
    stopIndex = StopIndex([], of: map)
    outdoors = StreetPaths.floors(on: map)
    for (number, space) in features.spaces.enumerated() {
      for point in Set(space.rings.joined()) {
        spacesAt[PathDraft.Vertex(point: point, level: space.level), default: []].append(number)
      }
    }
    for (feature, levels) in features.lines where levels.count == 1 {
      onFloors.formUnion(
        feature.pointNumbers.map { PathDraft.Vertex(point: $0, level: levels[0]) })
    }
  }

  private mutating func way(
    _ id: String, _ name: String?, _ kind: WayKind, isHall: Bool = false, isIndoor: Bool = true
  ) -> Int {
    var way = PathDraft.Way(id: id, name: name, kind: kind)
    (way.isIndoor, way.isHall) = (isIndoor, isHall)
    return draft.add(way)
  }

  private mutating func stop(_ point: Int, _ level: Double) -> Int {
    stops.insert(PathDraft.Vertex(point: point, level: level))
    return draft.vertex(point, level: level)
  }

  private mutating func addLines() {
    for (feature, levels) in features.lines {
      guard case .line(let points) = feature.geometry,
        let (rules, access) = WayRules.way(of: feature)
      else { continue }
      var new = rules
      new.isIndoor = true
      let way = draft.add(new)
      // Inclined ways connect their floors; level ways are repeated on each of their floors.
      if levels.count > 1, rules.kind == .steps || rules.kind == .escalator || rules.incline != 0 {
        addSteps(points, feature, levels, way: way, access: access)
      } else {
        for level in levels {
          for (one, other) in zip(points, points.dropFirst()) {
            draft.addEdge(stop(one, level), stop(other, level), way: way, access: access)
          }
        }
      }
    }
  }

  /// Adds steps or a ramp; the floor changes at the last point.
  private mutating func addSteps(
    _ points: [Int], _ feature: MapFeature, _ levels: [Double], way: Int, access: WayAccess
  ) {
    guard let low = levels.first, let high = levels.last, let first = points.first,
      let last = points.last
    else { return }
    let up = isUp(feature, from: first, to: last, between: low, high)
    let (start, end) = up ? (low, high) : (high, low)
    for (one, other) in zip(points, points.dropFirst()) {
      draft.addEdge(
        stop(one, start), stop(other, other == last ? end : start), way: way, access: access)
    }
    landings.insert(PathDraft.Vertex(point: first, level: start))
    landings.insert(PathDraft.Vertex(point: last, level: end))
  }

  /// Uses the tag if there is one, otherwise the floors of the spaces and ways at both ends, otherwise the usual drawing
  /// direction.
  private func isUp(
    _ feature: MapFeature, from first: Int, to last: Int, between low: Double, _ high: Double
  ) -> Bool {
    switch feature["incline"] {
    case "up": return true
    case "down": return false
    case let text?:
      let incline = WayRules.incline(text)
      if incline != 0 { return incline > 0 }
    case nil: break
    }
    func isThere(_ point: Int, _ level: Double) -> Bool {
      let vertex = PathDraft.Vertex(point: point, level: level)
      return spacesAt[vertex] != nil || onFloors.contains(vertex)
        || outdoors.known[point]?.contains(level) ?? false
    }
    let down =
      isThere(first, high) && !isThere(first, low) || isThere(last, low) && !isThere(last, high)
    return !down
  }

  private mutating func addElevators() {
    for (feature, point, levels) in features.elevators {
      let isOutdoors =
        StreetPaths.isOutdoors(tagged: feature["indoor"])
        && levels.allSatisfy { level in
          draft.existing(point, level: level) != nil
            && !stops.contains(PathDraft.Vertex(point: point, level: level))
        }
      join(
        levels.map { stop(point, $0) }, of: feature.id, feature.tags, as: .elevator,
        isIndoor: !isOutdoors)
      landings.formUnion(levels.map { PathDraft.Vertex(point: point, level: $0) })
    }
  }

  private mutating func join(
    _ vertices: [Int], of id: String, _ tags: [String: String], as kind: WayKind,
    isIndoor: Bool = true
  ) {
    let way = way(id, tags["name"], kind, isIndoor: isIndoor)
    let isForAll = kind == .elevator && tags["wheelchair"] != "no"
    for (one, other) in zip(vertices, vertices.dropFirst()) {
      draft.addEdge(one, other, way: way, access: isForAll ? .onFoot : .walk)
    }
  }

  /// Adds the edges of a space, and returns the vertex of a point inside it if the space is connected.
  private mutating func add(_ space: IndoorSpace, _ number: Int) -> Int? {
    let doors = Set(space.rings.joined()).filter { isPortal($0, of: space) }
    let stops = stopIndex.points(in: space, within: &draft.areaBudget) ?? []
    let portals = doors.union(stops)
    guard !portals.isEmpty else { return nil }
    let isRoom = !isPassage(space, portals)
    let ref = isRoom ? space.tags["ref"].map { "room \($0)" } : nil
    let way = way(
      space.id, space.tags["name"] ?? ref, isRoom ? .room : .area,
      isHall: space.tags["indoor"] == "area")
    let access: WayAccess = space.tags["wheelchair"] == "no" ? .walk : .onFoot
    let all = portals.union([space.inside])
    let crossing = AreaCrossing(space.rings, portals: all, points: map.points)
    var found = crossing.lines(within: &draft.areaBudget, of: space.id)
    if found == nil { found = spokes(to: portals, in: space) }
    guard let lines = found else { return nil }
    // Corners without a door may also belong to other spaces, which must not be entered through the wall.
    func vertex(_ point: Int) -> Int {
      draft.vertex(point, level: space.level, space: all.contains(point) ? nil : number)
    }
    for (one, other) in lines {
      draft.addEdge(vertex(one), vertex(other), way: way, access: access)
    }
    return draft.vertex(space.inside, level: space.level)
  }

  /// Whether routes may pass through a space, such as a corridor, a stairwell or a lobby.
  private func isPassage(_ space: IndoorSpace, _ portals: Set<Int>) -> Bool {
    if space.isOpen || Self.shaft(space.tags) != nil { return true }
    if let room = space.tags["room"], Self.passages.contains(room) { return true }
    return portals.contains {
      landings.contains(PathDraft.Vertex(point: $0, level: space.level))
    }
  }

  private static let passages: Set<String> = [
    "corridor", "entrance", "foyer", "hall", "lobby", "vestibule",
  ]

  /// Returns lines from an inner point to all portals, for spaces that are too large for lines of sight; `nil` if the
  /// work budget is exhausted.
  private mutating func spokes(to portals: Set<Int>, in space: IndoorSpace) -> [(Int, Int)]? {
    guard draft.areaBudget.take(results: portals.count, of: space.id) else { return nil }
    return portals.sorted().map { (space.inside, $0) }
  }

  private func isPortal(_ point: Int, of space: IndoorSpace) -> Bool {
    if features.isDoor(point, on: space.level) { return true }
    let vertex = PathDraft.Vertex(point: point, level: space.level)
    if stops.contains(vertex) { return true }
    guard space.isOpen, !features.isClosed(point, on: space.level) else { return false }
    if draft.existing(point, level: nil) != nil { return true }
    return (spacesAt[vertex] ?? []).contains {
      features.spaces[$0].isOpen && features.spaces[$0].id != space.id
    }
  }

  private mutating func joinFloors(of spaces: inout [IndoorSpace]) {
    for (id, floors) in Dictionary(grouping: spaces.indices, by: { spaces[$0].id })
      .sorted(by: { $0.key < $1.key })
    {
      guard floors.count > 1, let kind = Self.shaft(spaces[floors[0]].tags) else { continue }
      let sorted = floors.sorted { spaces[$0].level < spaces[$1].level }
      for floor in sorted {
        spaces[floor].vertex = draft.vertex(spaces[floor].inside, level: spaces[floor].level)
      }
      join(sorted.compactMap { spaces[$0].vertex }, of: id, spaces[floors[0]].tags, as: kind)
    }
  }

  private static func shaft(_ tags: [String: String]) -> WayKind? {
    if tags["highway"] == "elevator" || tags["room"] == "elevator" || tags["elevator"] == "yes" {
      return .elevator
    }
    let isStairs =
      ["stairs", "stairwell", "steps"].contains(tags["room"]) || tags["stairs"] == "yes"
    return isStairs ? .steps : nil
  }

  /// Connects each point shared by outdoor paths and indoor floors to one floor, unless its door is closed.
  ///
  /// Outlines may share points with whatever is above or below them, so an outdoor area on another floor is not
  /// connected.
  private mutating func joinOutdoors() {
    var levels: [Int: Set<Double>] = [:]
    for vertex in draft.vertices where vertex.space == nil {
      if let level = vertex.level, !features.isClosed(vertex.point, on: level) {
        levels[vertex.point, default: []].insert(level)
      }
    }
    let way = way("cupola/doors", nil, .corridor)
    var below: Set<Int> = []
    for (point, floors) in levels.sorted(by: { $0.key < $1.key }) {
      guard let outside = draft.existing(point, level: nil) else { continue }
      let said =
        features.doors[point]?.intersection(floors).min()
        ?? outdoors.known[point]?.intersection(floors).min()
      if said == nil, outdoors.onAreas.contains(point), !isLanding(point, floors) { continue }
      guard let level = said ?? (floors.contains(0) ? 0 : floors.min()),
        let inside = draft.existing(point, level: level)
      else { continue }
      draft.addEdge(outside, inside, way: way, access: .onFoot)
      if level < 0 { below.insert(outside) }
    }
    setIndoor(platformsAt: below)
  }

  private func isLanding(_ point: Int, _ floors: Set<Double>) -> Bool {
    floors.contains { landings.contains(PathDraft.Vertex(point: point, level: $0)) }
  }

  /// Platforms below ground where corridors end are inside the station, although they are not indoor features.
  private mutating func setIndoor(platformsAt vertices: Set<Int>) {
    let ids = WayRules.platformsBelowGround(on: map)
    for edge in draft.edges
    where ids.contains(draft.ways[edge.way].id)
      && (vertices.contains(edge.from) || vertices.contains(edge.to))
    {
      draft.setIndoor(edge.way)
    }
  }
}
