// JSON values and file errors are part of the map's interface.
@_exported public import CupolaSupport

// 1. `MapReader` reads the GeoJSON, and the first fault that it found is thrown.
// 2. The polygons of the boundaries become the geofence; labeled buildings become the catalog.
// 3. `geoJSONWithRoles` writes the map again, with a role and a label on each feature that counts.

/// The map of the grounds: a geofence and a catalog of buildings.
public struct Campus: Equatable, Sendable {
  /// The largest map file that is read, in bytes.
  package static let fileLimit = 64 << 20

  /// Where the campus is.
  public let geofence: Geofence
  /// The catalog, in the order of the map.
  public let buildings: [Building]

  /// The whole map, what means nothing here included.
  let root: JSONValue

  /// Reads a GeoJSON FeatureCollection or Feature (RFC 7946).
  ///
  /// Features with `"role": "boundary"` (or OpenStreetMap's `amenity=university` or `college`) are the
  /// geofence; features with `"role": "building"` (or `building=*`) are the catalog, labeled by the
  /// property `label` or `id`, or the feature's `id`. Up to 4 million values and 1 million positions.
  /// - Throws: ``CampusError`` naming the feature and what is wrong with it.
  public init(geoJSON bytes: [UInt8]) throws(CampusError) {
    try self.init(MapReader(geoJSON: bytes))
  }

  init(_ map: MapReader) throws(CampusError) {
    if let fault = map.faults.first { throw fault }
    root = map.root
    geofence = Geofence(polygons: map.fence)
    buildings = map.buildings
  }

  /// The record of the building with a training label.
  public func building(labeled label: String) -> Building? {
    buildings.first { $0.label == label }
  }

  /// Checks that photos lie inside the fence, not only when latitude and longitude change places.
  ///
  /// - Throws: ``CampusError/probablySwapped``.
  package func checkAxes(against positions: [Position]) throws(CampusError) {
    if geofence.isSwapped(by: positions) { throw .probablySwapped }
  }

  /// The map as GeoJSON with all that it held, names in the order of their bytes.
  package func geoJSON() -> [UInt8] { JSONWriter.bytes(of: root) }
}

extension Campus {
  /// The grounds and the catalog as GeoJSON that an app can read without OpenStreetMap's rules.
  ///
  /// Every feature has a `role`, `boundary` or `building`, and every building its `label` and `name`;
  /// features that are neither are left out, and a single Feature becomes a FeatureCollection. All else,
  /// such as the map's attribution, stays as it is.
  package func geoJSONWithRoles() -> [UInt8] {
    guard case .object(var map) = root else { return geoJSON() }
    var features = [root]
    if case .array(let all) = map["features"] {
      features = all
    } else {
      map = ["type": .string("FeatureCollection")]
    }
    // As `building(labeled:)`, of one label the first.
    let names = Dictionary(buildings.map { ($0.label, $0.name) }) { first, _ in first }
    map["features"] = .array(features.compactMap { Self.withRole($0, names: names) })
    return JSONWriter.bytes(of: .object(map))
  }

  /// `nil` for what means nothing to a campus.
  ///
  /// - Parameter names: of the buildings, by label.
  private static func withRole(_ value: JSONValue, names: [String: String]) -> JSONValue? {
    guard case .object(var feature) = value, case .object(let own) = feature["properties"] else {
      return nil
    }
    var properties = GeoJSON.Feature.flattened(own)
    let read = GeoJSON.Feature(id: feature["id"], geometry: nil, properties: properties)
    switch read.role {
    case .boundary:
      // A point, which is no ground, may be tagged as a university too.
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

  /// A Polygon or MultiPolygon as it is, of a collection the polygons in it; `nil` without any.
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
