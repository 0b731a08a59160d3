internal import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

// 1. Read a geometry as points, lines and areas, and record problems.
// 2. Convert shapes to the map's point indices.

/// The valid points, lines and areas of a GeoJSON geometry (RFC 7946).
struct GeoJSONShapes {
  enum Shape: Equatable {
    case point(MapPoint)
    /// At least two points; consecutive points differ.
    case line([MapPoint])
    /// Rings of at least three points, the outer ring first; the first point of a ring is not repeated at its end.
    case area([[MapPoint]])

    /// The area inside a closed line; `nil` for other shapes.
    var closed: Shape? {
      guard case .line(let places) = self, places.count > 3, places.first == places.last else {
        return nil
      }
      return .area([Array(places.dropLast())])
    }
  }

  private(set) var shapes: [Shape] = []
  private(set) var problems: [String] = []
  /// The first position that is not in degrees, such as meters.
  private(set) var foreign: [Double]?

  init(_ value: JSONValue?) {
    guard let value, value != .null else { return }
    read(value)
  }

  /// Whether the geometry is `null` or empty; RFC 7946 calls this unlocated.
  var isUnlocated: Bool { shapes.isEmpty && problems.isEmpty }

  static let unlocated = "no geometry; draw it as a point, line or polygon, or delete it"

  private mutating func report(_ problem: String) {
    if problems.count < 3, !problems.contains(problem) { problems.append(problem) }
  }

  private mutating func read(_ value: JSONValue) {
    guard let members = value.members, let type = members["type"]?.text else {
      return report("geometry is not an object with a \"type\"; save the map again")
    }
    if type == "GeometryCollection" {
      for geometry in members["geometries"]?.elements ?? [] { read(geometry) }
      return
    }
    guard let list = members["coordinates"]?.elements else {
      return report("geometry has no \"coordinates\" list; save the map again")
    }
    switch type {
    case "Point": addPoint(.array(list))
    case "MultiPoint": for element in list { addPoint(element) }
    case "LineString": addLine(list)
    case "MultiLineString": for element in list { addLine(element.elements ?? []) }
    case "Polygon": addArea(list)
    case "MultiPolygon": for element in list { addArea(element.elements ?? []) }
    default: report("unknown geometry type; draw it as a point, line or polygon")
    }
  }

  private mutating func addPoint(_ value: JSONValue) {
    if let place = place(value) { shapes.append(.point(place)) }
  }

  /// Adds a line; an invalid position splits it in two.
  private mutating func addLine(_ values: [JSONValue]) {
    let places = values.map { place($0) }
    let lines = places.split(separator: nil).map(Self.withoutRepeats).filter { $0.count > 1 }
    shapes += lines.map { .line($0) }
    if lines.isEmpty, !places.contains(nil) {
      report("line without length; extend or delete it")
    }
  }

  private mutating func addArea(_ values: [JSONValue]) {
    let rings = values.map { ring($0.elements ?? []) }
    guard let outer = rings.first, let outer else {
      if rings.isEmpty { report("polygon without rings; draw its outline, or delete it") }
      return
    }
    shapes.append(.area([outer] + rings.dropFirst().compactMap(\.self)))
  }

  private mutating func ring(_ values: [JSONValue]) -> [MapPoint]? {
    let places = values.compactMap { place($0) }
    guard places.count == values.count else { return nil }
    if Self.isAroundEarth(values, places) {
      report(
        "ring around the Earth, from longitude -180 to 180; draw only the outline of the place")
      return nil
    }
    var ring = Self.withoutRepeats(places)
    if ring.count > 1, ring.first == ring.last {
      ring.removeLast()
    } else if ring.count > 2 {
      report("ring is not closed; end it at its first point")
    }
    guard Self.hasThree(ring) else {
      report("ring with fewer than three points; extend or delete it")
      return nil
    }
    return ring
  }

  /// Whether a ring spans all longitudes; a campus never does.
  private static func isAroundEarth(_ values: [JSONValue], _ places: [MapPoint]) -> Bool {
    // Rings that contain both longitudes are rare, so check for these before building a list.
    guard values.contains(where: { longitude(of: $0) == -180 }),
      values.contains(where: { longitude(of: $0) == 180 })
    else { return false }
    let longitudes = values.compactMap { longitude(of: $0) }
    let steps = zip(longitudes, longitudes.dropFirst()).map { $1 - $0 }
    // A step of more than half a turn crosses the antimeridian, provided that the ring still has an area.
    if !hasThree(places) || steps.allSatisfy({ abs($0) <= 180 }) { return true }
    // A step of a full turn counts as no movement if the rest of the ring spans at most half of the Earth.
    return steps.contains { abs($0) == 360 } && width(of: steps) > 180
  }

  private static func width(of steps: [Double]) -> Double {
    var east = 0.0
    var range = (least: 0.0, most: 0.0)
    for step in steps {
      east += step.remainder(dividingBy: 360)
      range = (min(range.least, east), max(range.most, east))
    }
    return range.most - range.least
  }

  private static func longitude(of position: JSONValue) -> Double? {
    position.elements?.first?.number
  }

  private static func hasThree(_ places: [MapPoint]) -> Bool {
    guard let first = places.first, let second = places.first(where: { $0 != first }) else {
      return false
    }
    return places.contains { $0 != first && $0 != second }
  }

  private static func withoutRepeats(_ places: some Sequence<MapPoint?>) -> [MapPoint] {
    var result: [MapPoint] = []
    for case let place? in places where place != result.last { result.append(place) }
    return result
  }

  private mutating func place(_ value: JSONValue) -> MapPoint? {
    let numbers = value.elements?.prefix(2).compactMap(\.number) ?? []
    guard numbers.count == 2 else {
      report("position is not a list of two numbers; save the map again")
      return nil
    }
    let isKnown = foreign != nil
    let isForeign = ReferenceSystem.isForeign(numbers[0], numbers[1])
    if isForeign { foreign = foreign ?? numbers }
    // Some programs write longitudes beyond 180 degrees.
    let longitude = numbers[0] - (numbers[0] > 180 ? 360 : numbers[0] < -180 ? -360 : 0)
    let place = MapPoint(latitude: numbers[1], longitude: longitude)
    // If a map is projected, all its positions are wrong, so report only the first one.
    if place == nil, !(isForeign && isKnown) {
      report("\(numbers) is not a position; use WGS 84 degrees with longitude first")
    }
    // Shapes that RFC 7946 splits at the antimeridian then share points on both sides.
    return place?.onDateLine
  }
}

extension GuideMap {
  mutating func geometry(_ shape: GeoJSONShapes.Shape) -> MapFeature.Geometry {
    switch shape {
    case .point(let place): .point(point(place))
    case .line(let places): .line(places.map { point($0) })
    case .area(let rings): .area(rings.map { $0.map { point($0) } })
    }
  }
}
