internal import CupolaCampus
internal import CupolaSupport

// 1. Join consecutive segments with the same kind, name and floor, and write them as lines.
// 2. Write each maneuver as a point, and all features as one collection.

extension Route {
  /// Returns the route as a GeoJSON FeatureCollection (RFC 7946) with reproducible bytes.
  ///
  /// Each stretch with the same kind, name and floor is a LineString, or a MultiLineString if it crosses the
  /// antimeridian (section 3.1.9). Its properties are:
  /// - `role`: `stretch`; `kind`: the `WayKind`; `name`: the name of the way or null
  /// - `level`: the floor, null outdoors; `to_level`: the floor at the end, if it differs
  /// - `meters`, `seconds`; `indoor`: whether it is inside a building
  ///
  /// Each maneuver is a Point with `role`: `maneuver`, `number` (from 1), `kind` (``Maneuver/Kind``), `text`, `name`,
  /// `level`, and `meters` and `seconds` to the next maneuver. The collection's member `route` contains the total
  /// `mode`, `origin`, `destination`, `meters` and `seconds`. Coordinates have seven decimal places; lengths and times
  /// have two.
  /// Invalid points are skipped.
  public func geoJSON() -> [UInt8] {
    let features =
      stretches.compactMap(feature)
      + maneuvers.enumerated().compactMap { feature($0.element, number: $0.offset + 1) }
    return JSONWriter.bytes(
      of: .object([
        "type": .string("FeatureCollection"), "features": .array(features),
        "route": .object([
          "mode": .string(mode.rawValue), "origin": Self.text(origin),
          "destination": Self.text(destination), "meters": Self.number(meters),
          "seconds": Self.number(seconds),
        ]),
      ]))
  }

  /// Ranges of segments with the same kind, name and floor. Floor changes are separate ranges.
  private var stretches: [Range<Int>] {
    var all: [Range<Int>] = []
    for index in segments.indices {
      guard let last = all.last, continues(last, at: index) else {
        all.append(index..<(index + 1))
        continue
      }
      all[all.count - 1] = last.lowerBound..<(index + 1)
    }
    return all
  }

  private func continues(_ stretch: Range<Int>, at index: Int) -> Bool {
    let (first, next) = (segments[stretch.lowerBound], segments[index])
    guard first.kind == next.kind, first.name == next.name, first.isIndoor == next.isIndoor else {
      return false
    }
    let floor = points[index].floor
    return (points[stretch.lowerBound].floor != floor) == (floor != points[index + 1].floor)
  }

  private func feature(_ stretch: Range<Int>) -> JSONValue? {
    let places = points[stretch.lowerBound...stretch.upperBound].filter(\.isPlace)
    guard places.count > 1 else { return nil }
    let parts = Self.cut(places).map { JSONValue.array($0.map(Self.position)) }
    let first = segments[stretch.lowerBound]
    let level = points[stretch.lowerBound].floor
    let endLevel = points[stretch.upperBound].floor
    var properties: [String: JSONValue] = [
      "role": .string("stretch"), "kind": .string("\(first.kind)"),
      "name": Self.text(first.name), "level": Self.number(level),
      "meters": Self.number(segments[stretch].reduce(0) { $0 + $1.meters }),
      "seconds": Self.number(segments[stretch].reduce(0) { $0 + $1.seconds }),
      "indoor": .boolean(first.isIndoor),
    ]
    if level != endLevel { properties["to_level"] = Self.number(endLevel) }
    return parts.count == 1
      ? Self.feature("LineString", parts[0], properties)
      : Self.feature("MultiLineString", .array(parts), properties)
  }

  private func feature(_ maneuver: Maneuver, number: Int) -> JSONValue? {
    guard points.indices.contains(maneuver.point), points[maneuver.point].isPlace else {
      return nil
    }
    let point = points[maneuver.point]
    return Self.feature(
      "Point", Self.position(point),
      [
        "role": .string("maneuver"), "number": .integer(number),
        "kind": .string(maneuver.kind.rawValue), "text": .string(maneuver.text),
        "name": Self.text(maneuver.name), "level": Self.number(point.floor),
        "meters": Self.number(maneuver.meters), "seconds": Self.number(maneuver.seconds),
      ])
  }

  private static func feature(
    _ type: String, _ coordinates: JSONValue, _ properties: [String: JSONValue]
  ) -> JSONValue {
    .object([
      "type": .string("Feature"), "properties": .object(properties),
      "geometry": .object(["type": .string(type), "coordinates": coordinates]),
    ])
  }

  private static func cut(_ points: [RoutePoint]) -> [[RoutePoint]] {
    var parts: [[RoutePoint]] = [[]]
    for (index, point) in points.enumerated() {
      if index > 0, abs(point.longitude - points[index - 1].longitude) > 180 {
        let last = points[index - 1]
        let edge = last.longitude < 0 ? -180.0 : 180.0
        let turn = Degrees.turn(from: last.longitude, to: point.longitude)
        let fraction = turn == 0 ? 0 : (edge - last.longitude) / turn
        let latitude = last.latitude + (point.latitude - last.latitude) * fraction
        parts[parts.count - 1].append(RoutePoint(latitude: latitude, longitude: edge))
        parts.append([RoutePoint(latitude: latitude, longitude: -edge)])
      }
      parts[parts.count - 1].append(point)
    }
    return parts
  }

  private static func position(_ point: RoutePoint) -> JSONValue {
    .array([rounded(point.longitude, 1e7), rounded(point.latitude, 1e7)])
  }

  private static func number(_ value: Double?) -> JSONValue {
    guard let value, value.isFinite else { return .null }
    return rounded(value, 100)
  }

  private static func rounded(_ value: Double, _ unit: Double) -> JSONValue {
    let scaled = (value * unit).rounded()
    // Add 0 to avoid writing minus zero.
    return .number(scaled.isFinite ? scaled / unit + 0 : value)
  }

  private static func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
}

extension RoutePoint {
  var floor: Double? { level.flatMap { $0.isFinite ? $0 : nil } }

  var isPlace: Bool { (-90...90).contains(latitude) && (-180...180).contains(longitude) }
}
