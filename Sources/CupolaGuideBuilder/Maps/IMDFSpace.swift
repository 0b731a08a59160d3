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

  /// The maximum distance in meters from a door to the outline.
  private static let reach = 0.1
  /// A margin in units of 1e-7 degrees: 3 m of latitude, and more than 10 cm of longitude up to 88 degrees north or
  /// south.
  private static let margin = 300

  func isNear(_ place: MapPoint) -> Bool {
    guard south <= north else { return false }
    let (y, x) = (Int(place.latitudeE7), Int(place.longitudeE7))
    return y >= south - Self.margin && y <= north + Self.margin && x >= west - Self.margin
      && x <= east + Self.margin
  }

  mutating func take(_ place: MapPoint, asDoor: Bool = true) -> Bool {
    guard isNear(place) else { return false }
    var isTaken = false
    for (index, shape) in shapes.enumerated() {
      guard case .area(var rings) = shape else { continue }
      for ring in rings.indices {
        guard let edge = Self.edge(of: rings[ring], near: place) else { continue }
        isTaken = true
        if !rings[ring].contains(place) { rings[ring].insert(place, at: edge + 1) }
      }
      shapes[index] = .area(rings)
    }
    if isTaken, asDoor { doors.append(place) }
    return isTaken
  }

  private static func edge(of ring: [MapPoint], near place: MapPoint) -> Int? {
    var best: (edge: Int, distance: Double)?
    for index in ring.indices {
      let next = index + 1 < ring.count ? index + 1 : 0
      let distance = distance(place, ring[index], ring[next])
      if distance <= reach, distance < best?.distance ?? .infinity { best = (index, distance) }
    }
    return best?.edge
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
