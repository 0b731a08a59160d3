internal import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

// 1. Collect the rooms, lines, elevators and doors of each floor.
// 2. Report features whose floor cannot be read.
// 3. Open a wall of each room that has no door.

struct IndoorFeatures {
  /// Rooms, corridors and halls, one for each floor that they are on.
  private(set) var spaces: [IndoorSpace] = []
  private(set) var lines: [(feature: MapFeature, levels: [Double])] = []
  private(set) var elevators: [(feature: MapFeature, point: Int, levels: [Double])] = []
  /// Doors and entrances by point, with the floors that they say; none is all.
  private(set) var doors: [Int: Set<Double>] = [:]
  /// The same of those by which no visitor comes in, such as emergency exits.
  private(set) var closedDoors: [Int: Set<Double>] = [:]
  /// Rooms that are entered through a wall, because no map says their door.
  private(set) var withoutDoor: [String] = []

  /// - Parameters:
  ///   - map: gets points inside of rooms, and where rooms without a door are entered.
  ///   - faults: gets a line for each floor that cannot be read, as many as a map has of others.
  init(_ map: inout GuideMap, faults: inout [MapFault]) {
    let most = faults.count + GuideMap.mostFaults
    func tell(_ problem: String?, of feature: MapFeature) {
      guard let problem, faults.count < most else { return }
      faults.append(MapFault(feature.title, problem))
    }
    for feature in map.features {
      let isIndoor = Self.isIndoor(feature)
      if isIndoor || Self.isDoor(feature) { tell(Self.problem(ofRepeating: feature), of: feature) }
      guard isIndoor else {
        addDoor(feature)
        continue
      }
      guard let text = feature["level"], let levels = Levels(text) else {
        tell(Self.problem(ofFloorOf: feature), of: feature)
        continue
      }
      add(feature, levels.numbers, &map)
      addDoor(feature)
    }
    openWalls(&map)
  }

  private static func isIndoor(_ feature: MapFeature) -> Bool {
    if let indoor = feature["indoor"] {
      return ["room", "corridor", "area", "yes"].contains(indoor)
    }
    if feature["room"] != nil || feature["highway"] == "corridor" { return true }
    return feature["highway"] == "elevator"
      || feature["highway"] == "steps" && feature["level"] != nil
  }

  /// What is wrong with a feature whose floor nobody can tell; `nil` for what needs none, such as the point of a shop,
  /// and where nobody may walk.
  private static func problem(ofFloorOf feature: MapFeature) -> String? {
    if let level = feature["level"]?.start(scalars: MapFault.mostScalars) {
      return "level=\(level) is no floor, such as 0, -1;0 or 0-3"
    }
    switch feature.geometry {
    case .point where feature["highway"] != "elevator": return nil
    case .line where WayRules.way(of: feature) == nil: return nil
    case .area where feature["indoor"] == "yes": return nil
    case .area where !(WayRules.isOpen(feature, ["foot", "access"]) ?? true): return nil
    case .point, .line, .area: return "no level; add its floor, such as level=0, -1;0 or 0-3"
    }
  }

  /// What is wrong with a feature that is there again on floors which its level lacks; `nil` where it has them all, and
  /// for a door without a level, which is on each floor.
  private static func problem(ofRepeating feature: MapFeature) -> String? {
    guard let more = feature["repeat_on"], let levels = feature["level"].flatMap({ Levels($0) }),
      !levels.cover(more)
    else { return nil }
    let shown = more.start(scalars: MapFault.mostScalars)
    return "repeat_on=\(shown) is not read; write all of its floors as its level, such as "
      + "level=0-3, or draw it for each floor"
  }

  private static func isDoor(_ feature: MapFeature) -> Bool {
    guard case .point = feature.geometry else { return false }
    return feature["door"].map { $0 != "no" } ?? false || feature["entrance"] != nil
  }

  private mutating func addDoor(_ feature: MapFeature) {
    guard Self.isDoor(feature), case .point(let point) = feature.geometry else { return }
    let levels = feature["level"].flatMap { Levels($0)?.numbers }
    if Entrances.isOpen(feature) {
      Self.add(point, levels, to: &doors)
    } else {
      Self.add(point, levels, to: &closedDoors)
    }
  }

  /// - Parameter levels: `nil` is all.
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

  func isDoor(_ point: Int, on level: Double) -> Bool { Self.holds(point, level, of: doors) }

  /// Whether nobody passes a point of a floor between spaces, or from outside in.
  func isClosed(_ point: Int, on level: Double) -> Bool {
    Self.holds(point, level, of: closedDoors) && !isDoor(point, on: level)
  }

  private static func holds(_ point: Int, _ level: Double, of doors: [Int: Set<Double>]) -> Bool {
    doors[point].map { $0.isEmpty || $0.contains(level) } ?? false
  }

  private struct Wall: Hashable {
    let level: Double
    let points: Set<Int>
  }

  /// Lets rooms without a door be entered in the middle of the longest wall that they share with a corridor; not those
  /// that have one for others than visitors.
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
  /// Makes a point a corner between two that stand side by side.
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
  /// Whether one may walk everywhere in it, and from it into its neighbors of the same kind.
  var isOpen: Bool
  /// The vertex of a point inside; `nil` when nothing leads there.
  var vertex: Int?
  var rings: [[Int]]
  var inside: Int

  var title: String { MapFault.title(of: id, named: tags["name"]) }
}
