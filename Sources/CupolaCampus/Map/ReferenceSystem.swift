package import CupolaSupport

/// Detects coordinates that are not longitude and latitude.
package enum ReferenceSystem {
  /// Returns the name of the reference system in a `crs` member, or `nil` if it is WGS 84 or missing.
  package static func name(of crs: JSONValue?) -> String? {
    guard case .object(let crs) = crs, case .object(let properties) = crs["properties"] else {
      return nil
    }
    let code = properties["code"]?.text.map { "EPSG:\($0)" }
    guard var name = properties["name"]?.text ?? code else { return nil }
    if let number = name.split(separator: ":").last, name.contains(":EPSG:"), !name.contains(",") {
      name = "EPSG:\(number)"
    }
    return ["CRS84", "CRS84h", "4326", "4979", "WGS84"].contains { name.hasSuffix($0) } ? nil : name
  }

  /// Whether the coordinates are too large for degrees. Typing errors usually stay below 1000.
  package static func isForeign(_ x: Double, _ y: Double) -> Bool {
    max(x.magnitude, y.magnitude) > 1000
  }

  /// Describes a map whose coordinates are in meters or feet, and how to convert it.
  package static func problem(_ name: String?, example: [Double]) -> String {
    if let name {
      return "coordinates are in \(name), not in degrees; "
        + "convert them: ogr2ogr -t_srs EPSG:4326 OUT.geojson IN.geojson"
    }
    return
      "coordinates are not in degrees, for example \(example); convert them from their reference system: "
      + "ogr2ogr -s_srs EPSG:CODE -t_srs EPSG:4326 OUT.geojson IN.geojson"
  }
}
