/// Writes the two text files beside the photos.
enum CampusMap {
  /// RFC 7946: longitude first, exterior rings counterclockwise, keys sorted.
  static func geoJSON() -> String {
    let boundary = feature(
      [("name", quoted(Campus.name)), ("role", quoted("boundary"))],
      ring: [
        Vector(-Campus.halfWidth, -Campus.halfHeight, 0),
        Vector(Campus.halfWidth, -Campus.halfHeight, 0),
        Vector(Campus.halfWidth, Campus.halfHeight, 0),
        Vector(-Campus.halfWidth, Campus.halfHeight, 0),
      ])
    let features = [boundary] + Campus.buildings.map { feature(for: $0) }
    return "{\n  \"features\": [\n" + features.joined(separator: ",\n")
      + "\n  ],\n  \"type\": \"FeatureCollection\"\n}\n"
  }

  static func splitTable(_ photos: [Photo]) -> String {
    "path,label,split,group\n"
      + photos.map { "\($0.path),\($0.label),\($0.session.split),\($0.session.group)\n" }.joined()
  }

  private static func feature(for building: Building) -> String {
    feature(
      [
        ("abbreviation", quoted(building.abbreviation)), ("address", quoted(building.address)),
        ("category", quoted(building.category)), ("description", quoted(building.description)),
        ("id", quoted(building.label)), ("name", quoted(building.name)),
        ("role", quoted("building")), ("year_built", "\(building.yearBuilt)"),
      ], ring: building.footprint)
  }

  private static func feature(_ properties: [(String, String)], ring: [Vector]) -> String {
    let closed = ring + ring.prefix(1)
    let corners = closed.map { "            " + position($0) }.joined(separator: ",\n")
    let lines = properties.map { "        \"\($0.0)\": \($0.1)" }.joined(separator: ",\n")
    return """
          {
            "geometry": {
              "coordinates": [
                [
      \(corners)
                ]
              ],
              "type": "Polygon"
            },
            "properties": {
      \(lines)
            },
            "type": "Feature"
          }
      """
  }

  private static func position(_ place: Vector) -> String {
    let longitude = Campus.longitude + place.x / Campus.eastScale
    let latitude = Campus.latitude + place.y / Campus.northScale
    return "[\(decimal(longitude)), \(decimal(latitude))]"
  }

  /// Up to seven decimals without trailing zeros.
  static func decimal(_ value: Double) -> String {
    let units = Int((value.magnitude * 1e7).rounded())
    var digits = String(units % 10_000_000)
    digits = String(repeating: "0", count: 7 - digits.count) + digits
    while digits.count > 1 && digits.hasSuffix("0") { digits.removeLast() }
    return (value < 0 && units > 0 ? "-" : "") + "\(units / 10_000_000)." + digits
  }

  /// The texts of the catalog hold neither quotes nor control characters.
  private static func quoted(_ text: String) -> String { "\"\(text)\"" }
}
