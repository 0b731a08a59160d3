internal import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

// 1. Collect the rooms, lines, elevators and doors of each floor.
// 2. Open a wall of each room without a door.

struct IndoorFeatures {
  private(set) var spaces: [IndoorSpace] = []
  private(set) var lines: [(feature: MapFeature, levels: [Double])] = []
  private(set) var elevators: [(feature: MapFeature, point: Int, levels: [Double])] = []
  /// The floors of elevators by point, including those that are closed to visitors.
  let elevatorFloors: [Int: Set<Double>]
  /// The floors of doors and entrances by point; an empty set means all floors.
  private(set) var doors: [Int: Set<Double>] = [:]
  /// The floors, by point, of doors that visitors cannot use, such as emergency exits.
  private(set) var closedDoors: [Int: Set<Double>] = [:]
  private(set) var withoutDoor: [String] = []

  /// Collects the indoor features, adds points inside rooms to `map`, and reports invalid floors in `faults`.
  init(_ map: inout GuideMap, faults: inout [MapFault]) {
    let most = faults.count + GuideMap.mostFaults
    func report(_ problem: String?, of feature: MapFeature) {
      guard let problem, faults.count < most else { return }
      faults.append(MapFault(feature.title, problem))
    }
    elevatorFloors = Self.elevatorFloors(on: map)
    for feature in map.features {
      let isIndoor = Self.isIndoor(feature)
      if isIndoor || Self.isDoor(feature) {
        report(Self.problem(ofRepeating: feature), of: feature)
      }
      guard isIndoor else {
        addDoor(feature)
        continue
      }
      guard let levels = levels(of: feature) else {
        report(Self.problem(ofFloorOf: feature), of: feature)
        continue
      }
      add(feature, levels, &map)
      addDoor(feature)
    }
    openWalls(&map)
  }

  /// Returns the floors of elevators by point: from their tags, or else from the ways that meet there, if these are on
  /// several floors. A way without a level tag is on floor 0.
  private static func elevatorFloors(on map: GuideMap) -> [Int: Set<Double>] {
    var elevators: [Int: Set<Double>] = [:]
    var untagged: [Int: Set<Double>] = [:]
    for feature in map.features where feature["highway"] == "elevator" {
      guard case .point(let point) = feature.geometry else { continue }
      if let levels = Levels(of: feature) ?? feature["levels"].flatMap({ Levels($0) }) {
        elevators[point, default: []].formUnion(levels.numbers)
      } else if feature["level"] == nil {
        untagged[point] = []
      }
    }
    guard !untagged.isEmpty else { return elevators }
    for feature in map.features where WayRules.way(of: feature) != nil {
      guard case .line(let points) = feature.geometry else { continue }
      for point in points where untagged[point] != nil {
        untagged[point]?.formUnion(Levels(of: feature)?.numbers ?? [0])
      }
    }
    return elevators.merging(untagged.filter { $0.value.count > 1 }) { tagged, _ in tagged }
  }

  private func levels(of feature: MapFeature) -> [Double]? {
    if case .point(let point) = feature.geometry, feature["highway"] == "elevator",
      let floors = elevatorFloors[point]
    {
      return floors.sorted()
    }
    return Levels(of: feature)?.numbers
  }

  private static func isIndoor(_ feature: MapFeature) -> Bool {
    if let indoor = feature["indoor"] {
      return ["room", "corridor", "area", "yes"].contains(indoor)
    }
    if feature["room"] != nil || feature["highway"] == "corridor" { return true }
    return feature["highway"] == "elevator"
      || feature["highway"] == "steps" && feature["level"] != nil
  }

  /// Returns the problem if a feature has no valid floor; `nil` if it has one or does not need one, such as a shop or
  /// an area without access.
  private static func problem(ofFloorOf feature: MapFeature) -> String? {
    if let level = feature["level"]?.start(scalars: MapFault.mostScalars) {
      return "level=\(level) is not a valid floor; use a value such as 0, -1;0 or 0-3"
    }
    switch feature.geometry {
    case .point where feature["highway"] != "elevator": return nil
    case .line where WayRules.way(of: feature) == nil: return nil
    case .area where feature["indoor"] == "yes": return nil
    case .area where !(WayRules.isOpen(feature, ["foot", "access"]) ?? true): return nil
    case .point, .line, .area: return "missing level; add the floor, such as level=0, -1;0 or 0-3"
    }
  }

  /// Returns the problem if a `repeat_on` tag lists floors that are missing from `level`; `nil` if none are missing, or
  /// if a door has no level.
  private static func problem(ofRepeating feature: MapFeature) -> String? {
    guard let more = feature["repeat_on"], let levels = Levels(of: feature),
      !levels.cover(more)
    else { return nil }
    let shown = more.start(scalars: MapFault.mostScalars)
    return "repeat_on=\(shown) is not supported; list all floors in level, such as "
      + "level=0-3, or draw the feature on each floor"
  }

  private static func isDoor(_ feature: MapFeature) -> Bool {
    guard case .point = feature.geometry else { return false }
    return feature["door"].map { $0 != "no" } ?? false || feature["entrance"] != nil
  }

  private mutating func addDoor(_ feature: MapFeature) {
    guard Self.isDoor(feature), case .point(let point) = feature.geometry else { return }
    let levels = Levels(of: feature)?.numbers
    if Entrances.isOpen(feature) {
      Self.add(point, levels, to: &doors)
    } else {
      Self.add(point, levels, to: &closedDoors)
    }
  }

  private static func add(_ point: Int, _ levels: [Double]?, to doors: inout [Int: Set<Double>]) {
    guard let levels else {
      doors[point] = []
      return
    }
    if doors[point]?.isEmpty != true { doors[point, default: []].formUnion(levels) }
  }

  private mutating func add(_ feature: MapFeature, _ levels: [Double], _ map: inout GuideMap) {
    guard WayRules.isOpen(feature, ["foot", "access"]) ?? true else { return }
    switch feature.geometry {
    case .point(let point):
      if feature["highway"] == "elevator" { elevators.append((feature, point, levels)) }
    case .line: lines.append((feature, levels))
    case .area(let rings):
      guard let place = AreaMiddle.place(of: rings, in: map) else { return }
      let inside = map.point(place)
      for level in levels {
        spaces.append(
          IndoorSpace(
            id: feature.id, tags: feature.tags, level: level,
            isOpen: ["corridor", "area"].contains(feature["indoor"]), rings: rings, inside: inside))
      }
    }
  }

  func isDoor(_ point: Int, on level: Double) -> Bool { Self.contains(point, level, of: doors) }

  func isClosed(_ point: Int, on level: Double) -> Bool {
    Self.contains(point, level, of: closedDoors) && !isDoor(point, on: level)
  }

  private static func contains(_ point: Int, _ level: Double, of doors: [Int: Set<Double>]) -> Bool
  {
    doors[point].map { $0.isEmpty || $0.contains(level) } ?? false
  }

  private struct Wall: Hashable {
    let level: Double
    let points: Set<Int>
  }

  /// For each room without any door, adds an opening in the middle of the longest wall shared with a corridor. Rooms
  /// with closed doors are not opened.
  private mutating func openWalls(_ map: inout GuideMap) {
    var open: [Wall: Int] = [:]
    for (number, space) in spaces.enumerated() where space.isOpen {
      for wall in walls(of: space) { open[wall] = open[wall] ?? number }
    }
    for number in spaces.indices where !spaces[number].isOpen {
      let space = spaces[number]
      let hasDoor = space.rings.joined().contains {
        isDoor($0, on: space.level) || isClosed($0, on: space.level)
      }
      if hasDoor { continue }
      let shared = walls(of: space).filter { open[$0] != nil }
      let ends = shared.map { ($0, $0.points.sorted().map { map.points[$0].place }) }
      guard
        let wall = ends.max(by: { $0.1[0].distance(to: $0.1[1]) < $1.1[0].distance(to: $1.1[1]) })?
          .0,
        let neighbor = open[wall]
      else { continue }
      guard let place = MapPoint.middle(of: wall.points.sorted().map { map.points[$0] }) else {
        continue
      }
      let middle = map.point(place)
      spaces[number].insert(middle, into: wall.points)
      spaces[neighbor].insert(middle, into: wall.points)
      doors[middle] = [space.level]
      withoutDoor.append(space.title)
    }
  }

  private func walls(of space: IndoorSpace) -> [Wall] {
    space.rings.flatMap { ring in
      zip(ring, ring.dropFirst() + ring.prefix(1)).filter { $0 != $1 }.map {
        Wall(level: space.level, points: [$0, $1])
      }
    }
  }
}

extension IndoorSpace {
  fileprivate mutating func insert(_ point: Int, into wall: Set<Int>) {
    for (number, ring) in rings.enumerated() {
      for index in ring.indices where Set([ring[index], ring[(index + 1) % ring.count]]) == wall {
        rings[number].insert(point, at: index + 1)
        return
      }
    }
  }
}

struct IndoorSpace: Sendable {
  var id: String
  var tags: [String: String]
  var level: Double
  /// Whether people can walk everywhere in the space and into adjacent open spaces.
  var isOpen: Bool
  /// The vertex of a point inside the space; `nil` if the space is not connected.
  var vertex: Int?
  var rings: [[Int]]
  var inside: Int

  var title: String { MapFault.title(of: id, named: tags["name"]) }
}
