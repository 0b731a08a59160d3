/// A map feature written as text (RFC 7946): longitude first, exterior rings counterclockwise, keys sorted.
struct GeoJSONFeature {
  enum Geometry {
    case point(Vector)
    case line([Vector])
    case area([Vector])
  }

  /// Names and values; the values are JSON.
  let properties: [(String, String)]
  let geometry: Geometry

  static func collection(_ features: [GeoJSONFeature]) -> String {
    "{\n  \"features\": [\n" + features.map(\.text).joined(separator: ",\n")
      + "\n  ],\n  \"type\": \"FeatureCollection\"\n}\n"
  }

  private var text: String {
    let lines = properties.map { "        \"\($0.0)\": \($0.1)" }.joined(separator: ",\n")
    return """
          {
            "geometry": {
              "coordinates": \(coordinates),
              "type": "\(type)"
            },
            "properties": {
      \(lines)
            },
            "type": "Feature"
          }
      """
  }

  private var type: String {
    switch geometry {
    case .point: "Point"
    case .line: "LineString"
    case .area: "Polygon"
    }
  }

  private var coordinates: String {
    switch geometry {
    case .point(let place): Self.position(place)
    case .line(let places): Self.list(places, indent: "        ")
    case .area(let corners):
      "[\n          " + Self.list(corners + corners.prefix(1), indent: "          ")
        + "\n        ]"
    }
  }

  private static func list(_ places: [Vector], indent: String) -> String {
    let lines = places.map { indent + "  " + position($0) }.joined(separator: ",\n")
    return "[\n\(lines)\n\(indent)]"
  }

  private static func position(_ place: Vector) -> String {
    let longitude = Campus.longitude + place.x / Campus.eastScale
    let latitude = Campus.latitude + place.y / Campus.northScale
    return "[\(decimal(longitude)), \(decimal(latitude))]"
  }

  /// Formats a number with up to seven decimals, without trailing zeros.
  static func decimal(_ value: Double) -> String {
    let units = Int((value.magnitude * 1e7).rounded())
    var digits = String(units % 10_000_000)
    digits = String(repeating: "0", count: 7 - digits.count) + digits
    while digits.count > 1 && digits.hasSuffix("0") { digits.removeLast() }
    return (value < 0 && units > 0 ? "-" : "") + "\(units / 10_000_000)." + digits
  }

  /// Quotes a text that contains no quotation marks or control characters.
  static func quoted(_ text: String) -> String { "\"\(text)\"" }
}
