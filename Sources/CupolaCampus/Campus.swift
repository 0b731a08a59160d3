// `JSONValue` and `FileError` are part of this module's API.
@_exported public import CupolaSupport

// 1. `MapReader` reads the GeoJSON. If it finds faults, the first one is thrown.
// 2. Boundary polygons form the geofence; labeled buildings form the catalog.
// 3. `geoJSONWithRoles` writes the map with an explicit role and label for each feature that is used.

/// A campus map: a geofence and a catalog of buildings.
public struct Campus: Equatable, Sendable {
  package static let fileLimit = 64 << 20

  /// The area of the campus.
  public let geofence: Geofence
  /// The buildings, in map order.
  public let buildings: [Building]

  let root: JSONValue

  /// Reads a GeoJSON FeatureCollection or Feature (RFC 7946).
  ///
  /// The geofence consists of the features with `"role": "boundary"`, or OpenStreetMap's `amenity=university` or
  /// `college`. The catalog consists of the features with `"role": "building"`, or `building=*`. A building's label is
  /// its property `label` or `id`, or the feature's `id`; otherwise its OpenStreetMap identifier, otherwise its name.
  /// Closed lines count as polygons. The text can also be a sequence (NDJSON, RFC 8142) or an array of features. A map
  /// can have 4 million values and 1 million positions. A table of buildings (CSV) is also accepted; its geofence is a
  /// rectangle 250 m around each group of buildings.
  ///
  /// - Throws: ``CampusError``, whose message includes the feature's name.
  public init(geoJSON bytes: [UInt8]) throws(CampusError) {
    try self.init(MapReader(geoJSON: bytes))
  }

  init(_ map: MapReader) throws(CampusError) {
    if let fault = map.faults.first { throw fault }
    root = map.normalizedRoot
    geofence = Geofence(polygons: map.fence)
    buildings = map.buildings
  }

  /// Returns the building with a training label.
  public func building(labeled label: String) -> Building? {
    buildings.first { $0.label == label }
  }

  /// Throws ``CampusError/probablySwapped`` if more photos are inside the fence with latitude and longitude swapped.
  package func checkAxes(against positions: [Position]) throws(CampusError) {
    if geofence.isSwapped(by: positions) { throw .probablySwapped }
  }

  package func geoJSON() -> [UInt8] { JSONWriter.bytes(of: root) }
}

extension Campus {
  /// Returns the map as GeoJSON in which every feature has a `role`, and every building has a `label` and a `name`.
  ///
  /// Features that are not used are removed. A single Feature becomes a FeatureCollection. Other members are kept.
  package func geoJSONWithRoles() -> [UInt8] {
    guard case .object(var map) = root else { return geoJSON() }
    var features = [root]
    if case .array(let all) = map["features"] {
      features = all
    } else {
      map = ["type": .string("FeatureCollection")]
    }
    // If labels are duplicated, the first building is used, as in `building(labeled:)`.
    let names = Dictionary(buildings.map { ($0.label, $0.name) }) { first, _ in first }
    map["features"] = .array(features.compactMap { Self.withRole($0, names: names) })
    return JSONWriter.bytes(of: .object(map))
  }

  /// Adds role, label and name to a feature; returns `nil` for features that are not used.
  private static func withRole(_ value: JSONValue, names: [String: String]) -> JSONValue? {
    guard case .object(var feature) = value else { return nil }
    let read = GeoJSON.Feature(feature)
    var properties = read.properties
    switch read.role {
    case .boundary:
      // A point tagged as a university has no area, so it is not a boundary.
      guard let polygons = polygons(feature["geometry"]) else { return nil }
      properties["role"] = .string("boundary")
      feature["geometry"] = polygons
    case .building:
      guard let label = read.label, let name = names[label] else { return nil }
      properties["role"] = .string("building")
      properties["label"] = .string(label)
      properties["name"] = .string(name)
    case nil: return nil
    }
    feature["properties"] = .object(properties)
    return .object(feature)
  }

  /// Returns a Polygon or MultiPolygon unchanged, and a collection's polygons; `nil` if there are none.
  private static func polygons(_ geometry: JSONValue?) -> JSONValue? {
    func parts(_ geometry: JSONValue?) -> [JSONValue] {
      guard case .object(let members) = geometry else { return [] }
      switch (members["type"], members["coordinates"], members["geometries"]) {
      case (.string("Polygon"), let coordinates?, _): return [coordinates]
      case (.string("MultiPolygon"), .array(let coordinates), _): return coordinates
      case (_, _, .array(let inner)): return inner.flatMap(parts)
      default: return []
      }
    }
    guard case .object(let members) = geometry else { return nil }
    let found = parts(geometry)
    if found.isEmpty { return nil }
    return members["geometries"] == nil
      ? geometry
      : .object(["type": .string("MultiPolygon"), "coordinates": .array(found)])
  }
}
