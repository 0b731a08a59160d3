internal import CupolaCampus
internal import CupolaGuide
internal import CupolaTours

/// What a straight line over the ground must not cross: walls of buildings, fences and the like.
struct LinkWalls {
  private let map: GuideMap
  private var walls: [(one: Int, other: Int)] = []
  private let index: BoxIndex
  /// Points where people pass a fence.
  private let gates: Set<Int>
  /// How many of the walls, the first, are of buildings.
  private let buildingWalls: Int

  /// Meters on each side of a gate that are open.
  private static let gap = 1.0
  private static let fences: Set<String> = [
    "wall", "fence", "hedge", "retaining_wall", "city_wall",
  ]

  init(_ map: GuideMap) {
    self.map = map
    for feature in map.features where PlaceRules.isInTheWay(feature) {
      walls += Self.walls(of: feature)
    }
    buildingWalls = walls.count
    for feature in map.features where Self.fences.contains(feature["barrier"] ?? "") {
      walls += Self.walls(of: feature)
    }
    index = BoxIndex(
      walls.map { MapPoint.box(around: [[map.points[$0.one], map.points[$0.other]]]) })
    gates = map.features.reduce(into: []) { gates, feature in
      guard case .point(let point) = feature.geometry,
        feature["barrier"] ?? feature["entrance"] ?? feature["door"] != nil,
        BarrierRules.barred(by: feature.tags).isDisjoint(with: .walk), Entrances.isOpen(feature)
      else { return }
      gates.insert(point)
    }
  }

  private static func walls(of feature: MapFeature) -> [(one: Int, other: Int)] {
    let lines: [[Int]] =
      switch feature.geometry {
      case .point: []
      case .line(let points): [points]
      case .area(let rings): rings.map { $0 + $0.prefix(1) }
      }
    return lines.flatMap { zip($0, $0.dropFirst()).map { (one: $0, other: $1) } }
  }

  /// The walls near an entrance but for those that it is in.
  func around(_ entrance: Int, within reach: Double) -> Around {
    let plane = MapPlane(around: map.points[entrance])
    let corners = [[-reach, -reach], [reach, reach]].compactMap { (corner: SIMD2<Double>) in
      let (latitude, longitude) = plane.place(corner)
      return MapPoint(latitude: latitude, longitude: longitude)
    }
    let near = index.indices(meeting: MapPoint.box(around: [corners]))
    let pieces = near.compactMap { piece($0, on: plane) }
    return Around(
      plane: plane, looked: near.count,
      walls: pieces.filter { one, other in
        let fraction = SegmentDistance.fraction(of: .zero, from: one, to: other)
        return (one + (other - one) * fraction).length > BuildingLocator.wallThickness
      })
  }

  /// A wall without the gates at its ends.
  private func piece(_ number: Int, on plane: MapPlane) -> (SIMD2<Double>, SIMD2<Double>)? {
    let wall = walls[number]
    let (one, other) = (plane.point(map.points[wall.one]), plane.point(map.points[wall.other]))
    guard number >= buildingWalls else { return (one, other) }
    let length = (other - one).length
    let begin = gates.contains(wall.one) ? Self.gap : 0
    let end = gates.contains(wall.other) ? length - Self.gap : length
    guard begin < end else { return nil }
    return (one + (other - one) * (begin / length), one + (other - one) * (end / length))
  }

  /// The walls around one entrance.
  struct Around {
    let plane: MapPlane
    /// How many walls were looked at for these.
    let looked: Int
    let walls: [(SIMD2<Double>, SIMD2<Double>)]

    /// Whether one is between the entrance, where the plane begins, and a place.
    func stand(before place: RoutePoint) -> Bool {
      let end = plane.point(latitude: place.latitude, longitude: place.longitude)
      func side(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>) -> Bool {
        let (u, v) = (b - a, c - a)
        return u.x * v.y > u.y * v.x
      }
      return walls.contains { one, other in
        side([0, 0], end, one) != side([0, 0], end, other)
          && side(one, other, [0, 0]) != side(one, other, end)
      }
    }
  }
}
