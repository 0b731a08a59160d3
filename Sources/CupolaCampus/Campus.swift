// JSON values and file errors are part of the map's interface.
@_exported public import CupolaSupport

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
