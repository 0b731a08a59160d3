internal import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

// 1. Read a geometry as points, lines and areas.
// 2. Check positions and rings, and name what is wrong.
// 3. Number the points of the map that a shape uses.

/// What a GeoJSON geometry (RFC 7946) is made of: points, lines and areas, as far as they make sense.
struct GeoJSONShapes {
  enum Shape: Equatable {
    case point(MapPoint)
    /// At least two places, of which no two in a row are the same.
    case line([MapPoint])
    /// Rings of at least three places, the first one not repeated; the first ring is the outer one.
    case area([[MapPoint]])
  }

  private(set) var shapes: [Shape] = []
  private(set) var problems: [String] = []

  init(_ value: JSONValue?) {
    guard let value, value != .null else { return }
    read(value)
  }

  /// Whether it is `null` or empty: RFC 7946 calls such features unlocated.
  var isUnlocated: Bool { shapes.isEmpty && problems.isEmpty }

  static let unlocated = "it has no geometry; draw it as a point, line or polygon, or delete it"

  private mutating func tell(_ problem: String) {
    if problems.count < 3, !problems.contains(problem) { problems.append(problem) }
  }

  private mutating func read(_ value: JSONValue) {
    guard let members = value.members, let type = members["type"]?.text else {
      return tell("its geometry is no object with a \"type\"; save the map again")
    }
    if type == "GeometryCollection" {
      for geometry in members["geometries"]?.elements ?? [] { read(geometry) }
      return
    }
    guard let list = members["coordinates"]?.elements else {
      return tell("its geometry has no list \"coordinates\"; save the map again")
    }
    switch type {
    case "Point": addPoint(.array(list))
    case "MultiPoint": for element in list { addPoint(element) }
    case "LineString": addLine(list)
    case "MultiLineString": for element in list { addLine(element.elements ?? []) }
    case "Polygon": addArea(list)
    case "MultiPolygon": for element in list { addArea(element.elements ?? []) }
    default: tell("its geometry is of no known type; draw it as a point, line or polygon")
    }
  }

  private mutating func addPoint(_ value: JSONValue) {
    if let place = place(value) { shapes.append(.point(place)) }
  }

  /// A bad position cuts the line in two.
  private mutating func addLine(_ values: [JSONValue]) {
    let places = values.map { place($0) }
    let lines = places.split(separator: nil).map(Self.withoutRepeats).filter { $0.count > 1 }
    shapes += lines.map { .line($0) }
    if lines.isEmpty, !places.contains(nil) {
      tell("a line without length; draw it on, or delete it")
    }
  }

  private mutating func addArea(_ values: [JSONValue]) {
    let rings = values.map { ring($0.elements ?? []) }
    // Without its outer ring an area is none.
    guard let outer = rings.first, let outer else {
      if rings.isEmpty { tell("a polygon without rings; draw its outline, or delete it") }
      return
    }
    shapes.append(.area([outer] + rings.dropFirst().compactMap(\.self)))
  }

  private mutating func ring(_ values: [JSONValue]) -> [MapPoint]? {
    let places = values.compactMap { place($0) }
    guard places.count == values.count else { return nil }
    if Self.isAroundEarth(values, places) {
      tell(
        "a ring around the Earth, from longitude -180 to 180; draw the outline of the place alone")
      return nil
    }
    var ring = Self.withoutRepeats(places)
    if ring.count > 1, ring.first == ring.last {
      ring.removeLast()
    } else if ring.count > 2 {
      tell("a ring that does not close; end it where it begins")
    }
    guard Self.hasThree(ring) else {
      tell("a ring of fewer than three points; draw it on, or delete it")
      return nil
    }
    return ring
  }

  /// Whether a ring goes all the way from one border of the map to the other, as no ground of a campus does.
  ///
  /// - Parameter places: its points, of which those at -180 are the same as those at 180.
  private static func isAroundEarth(_ values: [JSONValue], _ places: [MapPoint]) -> Bool {
    // Hardly any ring has both: no list is made of the others.
    guard values.contains(where: { longitude(of: $0) == -180 }),
      values.contains(where: { longitude(of: $0) == 180 })
    else { return false }
    let longitudes = values.compactMap { longitude(of: $0) }
    let steps = zip(longitudes, longitudes.dropFirst()).map { $1 - $0 }
    // A step of more than half a turn is a short one over the date line, if it leaves any ground.
    if !hasThree(places) || steps.allSatisfy({ abs($0) <= 180 }) { return true }
    // A whole turn is none, if it leaves ground that is not wider than half the Earth.
    return steps.contains { abs($0) == 360 } && width(of: steps) > 180
  }

  /// Degrees from the most western to the most eastern place, where each step goes the short way.
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
      tell("a position that is no list of two numbers; save the map again")
      return nil
    }
    // Some programs go on counting behind the date line.
    let longitude = numbers[0] - (numbers[0] > 180 ? 360 : numbers[0] < -180 ? -360 : 0)
    let place = MapPoint(latitude: numbers[1], longitude: longitude)
    if place == nil {
      tell("\(numbers) is no place; write degrees (WGS 84), the longitude first")
    }
    // RFC 7946 cuts what crosses the date line there: both sides have the same points.
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
