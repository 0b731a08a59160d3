// 1. Read a map for editing, and add a fence if it has none.
// 2. Replace the fence, or the label of a building. Other features are kept.

extension Campus {
  /// Reads a map. A map without a fence gets a rectangle 250 m around its buildings.
  package init(completing bytes: [UInt8]) throws(CampusError) {
    try self.init(completing: MapReader(geoJSON: bytes))
  }

  private init(completing map: MapReader) throws(CampusError) {
    let positions = map.buildings.compactMap(\.position)
    if map.faults == [.noBoundary], !positions.isEmpty {
      let fence = CatalogTable.fence(around: [positions])
      try self.init(MapReader(root: Self.adding(fence, to: map.root)))
    } else {
      try self.init(map)
    }
  }

  /// Returns a map with a new fence.
  ///
  /// - Parameters:
  ///   - campus: The map to change; `nil` for a new map without buildings.
  ///   - rings: The outer rings of the fence, as longitudes and latitudes. If there are none, the fence is
  ///     a rectangle around the buildings.
  package static func fencing(
    _ campus: Campus?, with rings: [[[Double]]]
  ) throws(CampusError) -> Campus {
    let polygons = rings.map { ring -> JSONValue in
      let closed = ring.first == ring.last ? ring : ring + ring.prefix(1)
      return .array([.array(closed.map { .array($0.map { .number($0) }) })])
    }
    let fence = JSONValue.object([
      "type": .string("Feature"), "properties": .object(["role": .string("boundary")]),
      "geometry": .object(["type": .string("MultiPolygon"), "coordinates": .array(polygons)]),
    ])
    let others = features(of: campus?.root).filter { value in
      guard case .object(let feature) = value else { return true }
      return GeoJSON.Feature(feature).role != .boundary
    }
    let root = JSONValue.object([
      "type": .string("FeatureCollection"), "features": .array(others),
    ])
    return try Campus(
      completing: MapReader(root: rings.isEmpty ? root : adding(fence, to: root)))
  }

  /// Returns the map in which a building has another label. The name is kept.
  package func relabeling(_ label: String, as new: String) throws(CampusError) -> Campus {
    let features = Self.features(of: root).map { Self.relabeled($0, [label: new]) }
    let root = JSONValue.object([
      "type": .string("FeatureCollection"), "features": .array(features),
    ])
    return try Campus(MapReader(root: root))
  }

  private static func features(of root: JSONValue?) -> [JSONValue] {
    guard case .object(let map) = root else { return [] }
    if case .array(let features) = map["features"] { return features }
    return map["geometry"] == nil ? [] : [.object(map)]
  }

  private static func adding(_ feature: JSONValue, to root: JSONValue) -> JSONValue {
    .object([
      "type": .string("FeatureCollection"), "features": .array(features(of: root) + [feature]),
    ])
  }
}
