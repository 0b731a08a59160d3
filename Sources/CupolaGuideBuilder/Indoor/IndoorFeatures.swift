internal import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

// 1. Mark the paths between indoor features as indoor.
// 2. Collect the rooms, lines, elevators and doors of each floor.
// 3. Open a wall of each room without a door.

struct IndoorFeatures {
  private(set) var spaces: [IndoorSpace] = []
  private(set) var lines: [(feature: MapFeature, levels: [Double])] = []
  private(set) var elevators: [(feature: MapFeature, point: Int, levels: [Double])] = []
  /// The floors of all elevators, including those that are closed to visitors.
  let elevatorFloors: ElevatorFloors
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
    Self.markPathsInside(&map)
    elevatorFloors = ElevatorFloors(on: map)
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

  /// Marks paths on one floor as indoor if they lead from one point of a hall or of its ways to another one, and not to a
  /// door: on many maps, only some of the ways in a hall have the tag.
  private static func markPathsInside(_ map: inout GuideMap) {
    var numbers: [PathDraft.Vertex: Int] = [:]
    var joined: [(Int, Int)] = []
    func number(_ point: Int, _ level: Double) -> Int {
      let vertex = PathDraft.Vertex(point: point, level: level)
      let number = numbers[vertex] ?? numbers.count
      numbers[vertex] = number
      return number
    }
    for feature in map.features where isIndoor(feature) && !isVertical(feature) {
      for level in Levels(of: feature)?.numbers ?? [] {
        let points = feature.pointNumbers.map { number($0, level) }
        joined += zip(points, points.dropFirst())
      }
    }
    var halls = DisjointSets(count: numbers.count)
    for (one, other) in joined { halls.join(one, other) }
    let doors = Set(map.features.filter(isDoor).flatMap(\.pointNumbers))
    for (index, feature) in map.features.enumerated() where feature["indoor"] == nil {
      guard case .line(let points) = feature.geometry, let first = points.first,
        let last = points.last, let levels = Levels(of: feature), levels.numbers.count == 1,
        WayRules.way(of: feature)?.way.kind == .path, doors.isDisjoint(with: [first, last])
      else { continue }
      let ends = [first, last].compactMap {
        numbers[PathDraft.Vertex(point: $0, level: levels.numbers[0])].map { halls.root(of: $0) }
      }
      if ends.count == 2, ends[0] == ends[1] { map.setTag("indoor", "yes", ofFeature: index) }
    }
  }

  private static func isVertical(_ feature: MapFeature) -> Bool {
    ["steps", "elevator"].contains(feature["highway"])
  }

  private func levels(of feature: MapFeature) -> [Double]? {
    if case .point(let point) = feature.geometry, feature["highway"] == "elevator",
      let floors = elevatorFloors.all[point]
    {
      return floors.sorted()
    }
    return Levels(of: feature)?.numbers
  }

  fileprivate static func isIndoor(_ feature: MapFeature) -> Bool {
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

/// The floors of elevators by point.
struct ElevatorFloors {
  let all: [Int: Set<Double>]
  /// The floors of outdoor ways without a level tag.
  private var outdoors: [Int: Double] = [:]

  /// Uses the tags of elevators, or else the floors of the ways that meet there, if these are on several floors. A way
  /// without a level tag is on floor 0.
  fileprivate init(on map: GuideMap) {
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
    if !untagged.isEmpty {
      for (feature, points) in Self.ways(on: map) {
        for point in points where untagged[point] != nil {
          untagged[point]?.formUnion(Levels(of: feature)?.numbers ?? [0])
        }
      }
    }
    all = elevators.merging(untagged.filter { $0.value.count > 1 }) { tagged, _ in tagged }
    addOutdoors(map)
  }

  /// If an indoor way meets an elevator on one of its two floors, the outdoor ways are on the other one, because nobody
  /// would need the elevator otherwise.
  private mutating func addOutdoors(_ map: GuideMap) {
    guard !all.isEmpty else { return }
    var indoors: [Int: Set<Double>] = [:]
    for (feature, points) in Self.ways(on: map) where IndoorFeatures.isIndoor(feature) {
      for point in points where all[point] != nil {
        indoors[point, default: []].formUnion(Levels(of: feature)?.numbers ?? [])
      }
    }
    for (point, floors) in all {
      let free = floors.subtracting(indoors[point] ?? [])
      outdoors[point] =
        floors.count == 2 && free.count == 1 ? free.first : floors.contains(0) ? 0 : nil
    }
  }

  private static func ways(on map: GuideMap) -> [(MapFeature, [Int])] {
    map.features.compactMap { feature in
      guard case .line(let points) = feature.geometry, WayRules.way(of: feature) != nil else {
        return nil
      }
      return (feature, points)
    }
  }

  /// Returns the floor on which an outdoor way meets the elevator at a point; `nil` if there is no elevator, or if it
  /// does not stop on the way's floor.
  func floor(of way: MapFeature, at point: Int) -> Double? {
    guard let floors = all[point] else { return nil }
    if way["level"] == nil { return outdoors[point] }
    guard let levels = Levels(of: way), levels.numbers.count == 1 else { return nil }
    return levels.numbers.first.flatMap { floors.contains($0) ? $0 : nil }
  }
}
