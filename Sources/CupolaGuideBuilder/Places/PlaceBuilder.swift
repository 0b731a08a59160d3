internal import CupolaCampus
internal import CupolaGuide

// 1. Collect the entrances, and the edges that can be used on foot.
// 2. Create places for buildings (with their doors), for rooms, and for points of interest.

struct PlaceBuilder {
  private let map: GuideMap
  private let index: EdgeIndex
  private let locator: BuildingLocator
  private let parts: BuildingParts
  private let entrances: [Int: MapFeature]
  private var onWalls: [String: [Int]] = [:]
  private let isPath: [Bool]
  private let onPaths: Set<MapPoint>
  private(set) var budget: WorkBudget

  init(_ map: GuideMap, _ graph: PathGraph, _ index: EdgeIndex, budget: WorkBudget = .places) {
    (self.map, self.index, self.budget) = (map, index, budget)
    locator = BuildingLocator(map)
    parts = BuildingParts(map)
    entrances = map.features.reduce(into: [:]) { found, feature in
      guard case .point(let point) = feature.geometry, Entrances.isWayIn(feature) else { return }
      found[point] = feature
    }
    let isPath = graph.edges.map { edge in
      edge.access.contains(.walk) && !graph.ways[edge.way].isIndoor
    }
    self.isPath = isPath
    onPaths = zip(graph.edges, isPath).reduce(into: []) { points, item in
      let (edge, isPath) = item
      guard isPath else { return }
      for vertex in [edge.from, edge.to] where graph.vertices[vertex].level == nil {
        points.insert(graph.vertices[vertex].point)
      }
    }
    let corners = Set(map.features.filter(PlaceRules.isBuilding).flatMap(\.pointNumbers))
    for point in entrances.keys.sorted() where !corners.contains(point) {
      guard let entrance = entrances[point], self.budget.allows(entrance) else { continue }
      if let building = locator.wall(at: map.points[point], within: &self.budget) {
        onWalls[building, default: []].append(point)
      }
    }
  }

  /// The identifiers of buildings that have no entrance in any of their parts.
  var withoutEntrance: Set<String> {
    var (ids, entered): (Set<String>, Set<String>) = ([], [])
    for feature in map.features where PlaceRules.isBuilding(feature) {
      guard case .area(let rings) = feature.geometry else { continue }
      ids.insert(feature.id)
      if onWalls[feature.id] != nil || rings.joined().contains(where: { entrances[$0] != nil }) {
        entered.insert(parts.building(of: feature.id))
      }
    }
    return ids.filter { !entered.contains(parts.building(of: $0)) }
  }

  mutating func places(_ spaces: [IndoorSpace]) -> [Place] {
    let (buildings, doors) = buildings()
    var places = buildings
    for space in spaces {
      if let room = room(space) { places.append(room) }
    }
    let inRooms = Set(spaces.map(\.id))
    let around = SpaceLocator(spaces, map)
    for feature in map.features
    where !PlaceRules.isBuilding(feature) && !inRooms.contains(feature.id) {
      if let poi = poi(feature, around, doors) { places.append(poi) }
    }
    return places
  }

  private mutating func buildings() -> (places: [Place], doors: [String: [Place.Door]]) {
    var places: [Place] = []
    var doorsOfParts: [String: [Place.Door]] = [:]
    var numbers: [String: Int] = [:]
    var more: [Int: [Place.Door]] = [:]
    for feature in map.features where PlaceRules.isBuilding(feature) {
      guard let name = PlaceRules.name(ofBuilding: feature) else { continue }
      let known = knownDoors(of: feature)
      doorsOfParts[feature.id] = known
      let doors = known.isEmpty ? nearestDoor(of: feature) : known
      let whole = parts.building(of: feature.id)
      if let number = numbers[whole] {
        more[number, default: []] += doors
        continue
      }
      guard let position = position(of: feature) else { continue }
      numbers[whole] = places.count
      places.append(
        Place(
          id: whole, kind: .building, name: name,
          category: PlaceRules.category(of: feature)
            ?? feature["building"].flatMap { $0 == "yes" ? nil : $0 },
          ref: feature["ref"] ?? feature["short_name"], position: position, doors: doors,
          tags: PlaceRules.tags(of: feature)))
    }
    for (number, doors) in more { places[number] = places[number].adding(doors: doors) }
    return (places, doorsOfParts)
  }

  private func position(of feature: MapFeature) -> RoutePoint? {
    switch feature.geometry {
    case .point(let point): return RoutePoint(map.points[point])
    case .line(let points): return points.first.map { RoutePoint(map.points[$0]) }
    case .area(let rings): return AreaMiddle.place(of: rings, in: map).map { RoutePoint($0) }
    }
  }

  /// Returns the entrances; if there are none, the points where paths touch the outline.
  private func knownDoors(of feature: MapFeature) -> [Place.Door] {
    guard case .area(let rings) = feature.geometry else { return [] }
    let ring = rings.flatMap(\.self)
    let ways = (ring + (onWalls[feature.id] ?? [])).compactMap { entrances[$0] }
    let front = ways.filter { !Entrances.isBackDoor($0) }
    let named = (front.isEmpty ? ways : front).compactMap { entrance -> Place.Door? in
      guard case .point(let point) = entrance.geometry else { return nil }
      return door(point, name: entrance["name"] ?? entrance["ref"])
    }
    if !named.isEmpty { return unique(named) }
    let touched = ring.filter { onPaths.contains(map.points[$0]) }
    return unique(touched.map { door($0, name: nil) })
  }

  /// Returns the outline's point nearest to a path. It may be far from the shops in a building.
  private mutating func nearestDoor(of feature: MapFeature) -> [Place.Door] {
    guard case .area(let rings) = feature.geometry else { return [] }
    return nearest(rings[0], of: feature).map { [Place.Door($0)] } ?? []
  }

  private func door(_ point: Int, name: String?) -> Place.Door {
    Place.Door(RoutePoint(map.points[point]), name: name)
  }

  private func unique(_ doors: [Place.Door]) -> [Place.Door] {
    var seen: Set<RoutePoint> = []
    return doors.filter { seen.insert($0.point).inserted }
  }

  private mutating func nearest(_ ring: [Int], of building: MapFeature) -> RoutePoint? {
    let (map, isPath) = (self.map, self.isPath)
    var budget = self.budget
    var best: (distance: Double, point: RoutePoint)?
    search: for (one, other) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
      for point in Self.between(map.points[one], map.points[other]) {
        guard !budget.isSpent else { break search }
        budget.tests -= Self.testsOfSearch
        let near = index.nearest(to: point, within: min(300, best?.distance ?? 300)) { edge in
          budget.tests -= 1
          return isPath[edge]
        }
        if let near, near.distance < best?.distance ?? .infinity { best = (near.distance, point) }
      }
    }
    self.budget = budget
    guard self.budget.allows(building) else { return nil }
    return best.flatMap { MapPoint(latitude: $0.point.latitude, longitude: $0.point.longitude) }
      .map { RoutePoint($0) }
  }

  /// The cost of a search without a nearby path, as an equivalent number of comparisons.
  private static let testsOfSearch = 100

  private static func between(_ one: MapPoint, _ other: MapPoint) -> [RoutePoint] {
    let meters = one.place.distance(to: other.place)
    let parts = max(1, min(20, (meters / 5).rounded(.up)))
    let east = (other.longitude - one.longitude).remainder(dividingBy: 360)
    return stride(from: 0, to: parts, by: 1).map { part in
      RoutePoint(
        latitude: one.latitude + (other.latitude - one.latitude) * part / parts,
        longitude: (one.longitude + east * part / parts).remainder(dividingBy: 360))
    }
  }

  private mutating func room(_ space: IndoorSpace) -> Place? {
    let feature = MapFeature(id: space.id, tags: space.tags, geometry: .point(space.inside))
    let category =
      PlaceRules.category(of: feature) ?? feature["room"].flatMap { $0 == "yes" ? nil : $0 }
    guard feature["name"] != nil || feature["ref"] != nil || category != nil else { return nil }
    let point = map.points[space.inside]
    let part = budget.allows(feature) ? locator.building(at: point, within: &budget) : nil
    return Place(
      id: space.id + "@" + FloorText.text(space.level), kind: .room, name: feature["name"],
      category: category, ref: feature["ref"], position: RoutePoint(point, level: space.level),
      building: part.map(parts.building),
      doors: space.vertex == nil ? [] : [Place.Door(RoutePoint(point, level: space.level))],
      tags: PlaceRules.tags(of: feature))
  }

  private mutating func poi(
    _ feature: MapFeature, _ spaces: SpaceLocator, _ doors: [String: [Place.Door]]
  ) -> Place? {
    guard let category = PlaceRules.category(of: feature), let position = position(of: feature),
      let point = MapPoint(latitude: position.latitude, longitude: position.longitude)
    else { return nil }
    let isLookedFor = budget.allows(feature)
    let part = isLookedFor ? locator.building(at: point, within: &budget) : nil
    let levels = isLookedFor ? Levels(of: feature) : nil
    let space = spaces.space(at: point, on: levels?.numbers ?? [], within: &budget)
    var place = position
    place.level = space?.level
    let inRoom = space.flatMap { space in
      space.vertex.map { _ in
        [Place.Door(RoutePoint(map.points[space.inside], level: space.level))]
      }
    }
    return Place(
      id: feature.id, kind: .poi, name: feature["name"], category: category,
      ref: feature["ref"] ?? feature["local_ref"], position: place,
      building: part.map(parts.building), doors: inRoom ?? part.flatMap { doors[$0] } ?? [],
      tags: PlaceRules.tags(of: feature))
  }
}

extension Place {
  func adding(doors more: [Door]) -> Place {
    Place(
      id: id, kind: kind, name: name, category: category, ref: ref, position: position,
      building: building, doors: doors + more, tags: tags)
  }
}
