/// Segments of a route after each other that are alike: one kind, one name, one floor.
struct RouteStretch: Equatable {
  let kind: WayKind
  let name: String?
  let isIndoor: Bool
  /// The floors at its two ends, which differ on a way up or down.
  let level: Double?
  private(set) var endLevel: Double?
  /// Numbers of ``Route/points``.
  private(set) var points: ClosedRange<Int>
  private(set) var meters: Double
  private(set) var seconds: Double

  /// All of a route's, in order; a change of floors is apart from what stays on one.
  static func all(of route: Route) -> [RouteStretch] {
    var stretches: [RouteStretch] = []
    for index in route.segments.indices {
      let next = RouteStretch(route, index)
      if stretches.last?.continues(with: next) == true {
        stretches[stretches.count - 1].append(next)
      } else {
        stretches.append(next)
      }
    }
    return stretches
  }

  private init(_ route: Route, _ index: Int) {
    let segment = route.segments[index]
    (kind, name, isIndoor) = (segment.kind, segment.name, segment.isIndoor)
    (meters, seconds) = (segment.meters, segment.seconds)
    level = route.points[index].floor
    endLevel = route.points[index + 1].floor
    points = index...(index + 1)
  }

  private func continues(with next: RouteStretch) -> Bool {
    guard kind == next.kind, name == next.name, isIndoor == next.isIndoor else { return false }
    let changes = level != endLevel
    return changes == (next.level != next.endLevel) && (changes || level == next.level)
  }

  private mutating func append(_ next: RouteStretch) {
    endLevel = next.endLevel
    points = points.lowerBound...next.points.upperBound
    meters += next.meters
    seconds += next.seconds
  }
}

extension RoutePoint {
  /// The floor; `nil` also where it is no number.
  var floor: Double? { level.flatMap { $0.isFinite ? $0 : nil } }

  /// Whether it is a place on Earth.
  var isPlace: Bool { (-90...90).contains(latitude) && (-180...180).contains(longitude) }
}
