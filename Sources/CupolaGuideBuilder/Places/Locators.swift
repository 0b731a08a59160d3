internal import CupolaCampus
internal import CupolaGuide

// 1. Index the bounding boxes of buildings, rooms and stops.
// 2. Find the building, wall or room at a point, and the stops in a room.

struct BuildingLocator {
  private struct Item {
    let id: String
    let rings: [[MapPoint]]

    var corners: Int { rings.reduce(0) { $0 + $1.count } }

    var size: Double {
      let latitudes = rings[0].map { Int($0.latitudeE7) }
      let longitudes = MapPoint.longitudes(along: rings[0])
      guard let south = latitudes.min(), let north = latitudes.max(), let west = longitudes.min(),
        let east = longitudes.max()
      else { return 0 }
      return Double(north - south) * Double(east - west)
    }
  }

  private let items: [Item]
  private let index: BoxIndex
  /// A point counts as inside a wall if it is within this distance of it, in meters.
  static let wallThickness = 0.5

  init(_ map: GuideMap) {
    items = map.features.compactMap { feature in
      guard PlaceRules.isBuilding(feature), case .area(let rings) = feature.geometry else {
        return nil
      }
      return Item(id: feature.id, rings: rings.map { $0.map { map.points[$0] } })
    }
    index = BoxIndex(items.map { MapPoint.box(around: [$0.rings[0]]) })
  }

  /// Finds the smallest building around a point, and returns its part that contains the point; `nil` outdoors.
  func building(at point: MapPoint, within budget: inout WorkBudget) -> String? {
    var best: (id: String, size: Double)?
    for item in index.indices(meeting: MapPoint.box(around: [[point]])).map({ items[$0] }) {
      budget.tests -= item.corners
      guard item.rings.reduce(false, { $0 != Self.isInside(point, $1) }) else { continue }
      let size = item.size
      if size < best?.size ?? .infinity { best = (item.id, size) }
    }
    return best?.id
  }

  /// Returns the building with the wall nearest to a point; at equal distances, the first building.
  func wall(at point: MapPoint, within budget: inout WorkBudget) -> String? {
    let plane = MapPlane(around: point)
    var best: (distance: Double, id: String)?
    for number in index.indices(meeting: plane.box(within: 2 * Self.wallThickness)) {
      budget.tests -= items[number].corners
      for ring in items[number].rings {
        let distance = SegmentDistance.nearest(to: .zero, of: ring.map { plane.point($0) }).distance
        if distance <= Self.wallThickness, distance < best?.distance ?? .infinity {
          best = (distance, items[number].id)
        }
      }
    }
    return best?.id
  }

  /// Whether a point is inside a ring (ray crossings, Shimrat 1962); the ring may cross the antimeridian.
  static func isInside(_ point: MapPoint, _ ring: [MapPoint]) -> Bool {
    let (x, y) = (Int(point.longitudeE7), Int(point.latitudeE7))
    return MapPoint.turns(of: ring).contains { isInside(x + $0, y, ring) }
  }

  private static func isInside(_ x: Int, _ y: Int, _ ring: [MapPoint]) -> Bool {
    var inside = false
    var bx = ring.first.map { Int($0.longitudeE7) } ?? 0
    for (one, other) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
      let (ax, ay, by) = (bx, Int(one.latitudeE7), Int(other.latitudeE7))
      bx += one.east(to: other)
      guard (ay > y) != (by > y), x < max(ax, bx) else { continue }
      if x < min(ax, bx) {
        inside.toggle()
        continue
      }
      // x < ax + (y - ay)(bx - ax)/(by - ay) in integers; the products stay below 2^63.
      let (left, right) = ((x - ax) * (by - ay), (y - ay) * (bx - ax))
      if by > ay ? left < right : left > right { inside.toggle() }
    }
    return inside
  }
}

struct FloorIndex {
  private struct Floor {
    let items: [Int]
    let boxes: BoxIndex
  }

  private let floors: [Double: Floor]

  init(_ items: [(level: Double, box: BoxTree.Box)]) {
    floors = Dictionary(grouping: items.indices) { items[$0].level }.mapValues { numbers in
      Floor(items: numbers, boxes: BoxIndex(numbers.map { items[$0].box }))
    }
  }

  func items(on level: Double, meeting box: BoxTree.Box) -> [Int] {
    guard let floor = floors[level] else { return [] }
    return floor.boxes.indices(meeting: box).map { floor.items[$0] }
  }
}

struct SpaceLocator {
  private let spaces: [IndoorSpace]
  private let map: GuideMap
  private let index: FloorIndex

  init(_ spaces: [IndoorSpace], _ map: GuideMap) {
    (self.spaces, self.map) = (spaces, map)
    index = FloorIndex(
      spaces.map { space in
        (level: space.level, box: MapPoint.box(around: [space.rings[0].map { map.points[$0] }]))
      })
  }

  /// Returns the first space in map order that is on one of the given floors and contains a point.
  func space(
    at point: MapPoint, on levels: [Double], within budget: inout WorkBudget
  ) -> IndoorSpace? {
    let box = MapPoint.box(around: [[point]])
    let near = levels.flatMap { index.items(on: $0, meeting: box) }
    budget.tests -= near.reduce(0) { $0 + spaces[$1].rings[0].count }
    let around = near.filter { number in
      BuildingLocator.isInside(point, spaces[number].rings[0].map { map.points[$0] })
    }
    return around.min().map { spaces[$0] }
  }
}

struct StopIndex {
  private let map: GuideMap
  private let points: [Int]
  private let floors: FloorIndex

  init(_ stops: some Sequence<PathDraft.Vertex>, of map: GuideMap) {
    let all = stops.compactMap { stop in stop.level.map { (point: stop.point, level: $0) } }
    self.map = map
    points = all.map(\.point)
    floors = FloorIndex(
      all.map { (level: $0.level, box: MapPoint.box(around: [[map.points[$0.point]]])) })
  }

  func points(in space: IndoorSpace, within budget: inout WorkBudget) -> [Int]? {
    let candidates = candidates(in: space)
    let rings = space.rings.map { $0.map { map.points[$0] } }
    let tests = candidates.count * rings.reduce(0) { $0 + $1.count }
    guard budget.take(tests: tests, of: space.id) else { return nil }
    return candidates.filter { point in
      rings.reduce(false) { $0 != BuildingLocator.isInside(map.points[point], $1) }
    }
  }

  func candidates(in space: IndoorSpace) -> [Int] {
    let box = MapPoint.box(around: space.rings.map { $0.map { map.points[$0] } })
    return floors.items(on: space.level, meeting: box).map { points[$0] }
  }
}

extension MapPlane {
  func box(within meters: Double) -> BoxTree.Box {
    let corners = [[-meters, -meters], [meters, meters]].compactMap { (corner: SIMD2<Double>) in
      let (latitude, longitude) = place(corner)
      return MapPoint(latitude: latitude, longitude: longitude)
    }
    return MapPoint.box(around: [corners])
  }
}
