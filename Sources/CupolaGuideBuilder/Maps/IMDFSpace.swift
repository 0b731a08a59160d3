internal import CupolaCampus
internal import CupolaGuide

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Insert the doors that are close enough into the rings of a unit or building.
// 2. Compute the access point and overlaps.

/// The outline of an IMDF unit or building. Doors on its rings become points of these rings.
struct IMDFSpace {
  let id: String
  var tags: [String: String]
  /// The level; `nil` for the outline of a building, which may have doors on all levels.
  let level: Int?
  let category: String
  private(set) var shapes: [GeoJSONShapes.Shape]
  private(set) var doors: [MapPoint] = []

  private(set) var size = 0

  private var south = Int.max, north = Int.min, west = Int.max, east = Int.min

  init(
    _ feature: IMDFFeature, id: String, _ tags: [String: String], level: Int?, category: String
  ) {
    (self.id, self.tags, self.level, self.category) = (id, tags, level, category)
    shapes = feature.shapes
    for place in rings.joined() {
      size += 1
      south = min(south, Int(place.latitudeE7))
      north = max(north, Int(place.latitudeE7))
      west = min(west, Int(place.longitudeE7))
      east = max(east, Int(place.longitudeE7))
    }
  }

  private var rings: [[MapPoint]] {
    shapes.flatMap { shape in if case .area(let rings) = shape { rings } else { [[MapPoint]]() } }
  }

  var outline: [MapPoint] { rings.first ?? [] }

  /// The maximum distance in meters of a point that touches the outline.
  static let touch = 0.1
  /// The maximum distance in meters from a door to the outline of a unit, which allows for thick walls.
  static let reach = 0.5
  /// The same distance for outlines of buildings and levels, which may follow the outer side of the walls.
  static let outerReach = 1.0
  /// A margin in units of 1e-7 degrees: 3 m of latitude, and more than 1 m of longitude up to 72 degrees north or
  /// south.
  private static let margin = 300

  func isNear(_ place: MapPoint) -> Bool {
    guard south <= north else { return false }
    let (y, x) = (Int(place.latitudeE7), Int(place.longitudeE7))
    return y >= south - Self.margin && y <= north + Self.margin && x >= west - Self.margin
      && x <= east + Self.margin
  }

  /// Returns the distance from a point to the outline in meters; `nil` if it is more than `reach`.
  func distance(to place: MapPoint, within reach: Double = reach) -> Double? {
    guard isNear(place) else { return nil }
    return rings.compactMap { Self.edge(of: $0, near: place, within: reach)?.distance }.min()
  }

  mutating func take(
    _ place: MapPoint, within reach: Double = reach, asDoor: Bool = true
  ) -> Bool {
    guard isNear(place) else { return false }
    var isTaken = false
    for (index, shape) in shapes.enumerated() {
      guard case .area(var rings) = shape else { continue }
      for ring in rings.indices {
        guard let (edge, _) = Self.edge(of: rings[ring], near: place, within: reach) else {
          continue
        }
        isTaken = true
        if !rings[ring].contains(place) { rings[ring].insert(place, at: edge + 1) }
      }
      shapes[index] = .area(rings)
    }
    if isTaken, asDoor { doors.append(place) }
    return isTaken
  }

  private static func edge(
    of ring: [MapPoint], near place: MapPoint, within reach: Double
  ) -> (edge: Int, distance: Double)? {
    var best: (edge: Int, distance: Double)?
    for index in ring.indices {
      let next = index + 1 < ring.count ? index + 1 : 0
      let distance = distance(place, ring[index], ring[next])
      if distance <= reach, distance < best?.distance ?? .infinity { best = (index, distance) }
    }
    return best
  }

  private static func distance(_ place: MapPoint, _ a: MapPoint, _ b: MapPoint) -> Double {
    let (p, q) = (offset(of: a, from: place), offset(of: b, from: place))
    let (dx, dy) = (q.x - p.x, q.y - p.y)
    let length = dx * dx + dy * dy
    let t = length > 0 ? max(0, min(1, -(p.x * dx + p.y * dy) / length)) : 0
    let (x, y) = (p.x + t * dx, p.y + t * dy)
    return (x * x + y * y).squareRoot()
  }

  private static func offset(of a: MapPoint, from b: MapPoint) -> (x: Double, y: Double) {
    let unit = 6_371_008.8 * Double.pi / 180e7
    return (
      Double(b.east(to: a)) * unit * cos(b.latitude * .pi / 180),
      (Double(a.latitudeE7) - Double(b.latitudeE7)) * unit
    )
  }

  /// Returns the middle of the longest part of the outline that another outline touches; `nil` if there is none, or if
  /// they already share a point.
  func contact(with other: IMDFSpace) -> MapPoint? {
    guard isNear(other), Set(rings.joined()).isDisjoint(with: other.rings.joined())
    else { return nil }
    var best: (length: Double, place: MapPoint)?
    for (a, b) in Self.edges(rings) {
      for (c, d) in Self.edges(other.rings) {
        guard let (from, to, length) = Self.overlap(a, b, c, d), length > best?.length ?? 0 else {
          continue
        }
        let middle = RoutePoint(a).toward(RoutePoint(b), (from + to) / 2)
        if let place = MapPoint(latitude: middle.latitude, longitude: middle.longitude) {
          best = (length, place)
        }
      }
    }
    return best?.place
  }

  /// Whether the bounding boxes are close enough to touch.
  func isNear(_ other: IMDFSpace) -> Bool {
    south <= other.north + Self.margin && other.south <= north + Self.margin
      && west <= other.east + Self.margin && other.west <= east + Self.margin
  }

  private static func edges(_ rings: [[MapPoint]]) -> [(MapPoint, MapPoint)] {
    rings.flatMap { zip($0, $0.dropFirst() + $0.prefix(1)) }
  }

  /// The shortest contact in meters that people can walk through.
  private static let doorway = 0.6

  /// Returns the fractions of `a` to `b` between which another edge runs along it, and the length in between.
  private static func overlap(
    _ a: MapPoint, _ b: MapPoint, _ c: MapPoint, _ d: MapPoint
  ) -> (from: Double, to: Double, length: Double)? {
    let (way, one, two) = (offset(of: b, from: a), offset(of: c, from: a), offset(of: d, from: a))
    let length = (way.x * way.x + way.y * way.y).squareRoot()
    guard length > doorway else { return nil }
    func along(_ p: (x: Double, y: Double)) -> Double { (p.x * way.x + p.y * way.y) / length }
    func aside(_ p: (x: Double, y: Double)) -> Double { (p.x * way.y - p.y * way.x) / length }
    let (begin, end) = (along(one), along(two))
    let (from, to) = (max(0, min(begin, end)), min(length, max(begin, end)))
    guard to - from >= doorway else { return nil }
    func gap(_ meters: Double) -> Double {
      aside(one) + (aside(two) - aside(one)) * (meters - begin) / (end - begin)
    }
    guard gap(from).magnitude <= touch, gap(to).magnitude <= touch else { return nil }
    return (from / length, to / length, to - from)
  }

  func farthest(from place: MapPoint) -> MapPoint? {
    func square(_ other: MapPoint) -> Double {
      let (x, y) = Self.offset(of: other, from: place)
      return x * x + y * y
    }
    return outline.max { square($0) < square($1) }
  }

  var access: MapPoint? { doors.first ?? outline.first }

  func overlaps(_ other: IMDFSpace) -> Bool {
    Self.encloses(outline, other.outline) || Self.encloses(other.outline, outline)
  }

  private static func encloses(_ ring: [MapPoint], _ other: [MapPoint]) -> Bool {
    MapPoint.middle(of: other).map { BuildingLocator.isInside($0, ring) } ?? false
  }
}

extension MapPoint {
  static func middle(of places: [MapPoint]) -> MapPoint? {
    guard let first = places.first else { return nil }
    let count = Double(places.count)
    // For outlines across the antimeridian, extend longitudes beyond 180 degrees.
    let isAcross = places.contains { ($0.longitude - first.longitude).magnitude > 180 }
    let longitude = places.reduce(0) {
      $0 + $1.longitude + (isAcross && $1.longitude < 0 ? 360 : 0)
    }
    return MapPoint(
      latitude: places.reduce(0) { $0 + $1.latitude } / count,
      longitude: (longitude / count).remainder(dividingBy: 360))?.onDateLine
  }

  static func middle(along line: [MapPoint]) -> MapPoint? {
    func length(_ a: MapPoint, _ b: MapPoint) -> Double {
      let x = Degrees.turn(from: b.longitude, to: a.longitude) * cos(a.latitude * .pi / 180)
      let y = a.latitude - b.latitude
      return (x * x + y * y).squareRoot()
    }
    let edges = Array(zip(line, line.dropFirst()))
    var rest = edges.reduce(0) { $0 + length($1.0, $1.1) } / 2
    for (a, b) in edges {
      let own = length(a, b)
      guard rest > own else {
        let middle = RoutePoint(a).toward(RoutePoint(b), own > 0 ? rest / own : 0)
        return MapPoint(latitude: middle.latitude, longitude: middle.longitude)
      }
      rest -= own
    }
    return line.last
  }
}
