// 1. Read a map for editing, and add a fence if it has none.
// 2. Replace the fence, the label of a building, or names. Other features are kept.

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
    let features = Self.features(of: root).map { Self.relabeled($0, [label: (new, nil)]) }
    let root = JSONValue.object([
      "type": .string("FeatureCollection"), "features": .array(features),
    ])
    return try Campus(MapReader(root: root))
  }

  /// Returns the map with the names of a table without coordinates, their number, and problems by line.
  ///
  /// A row names the building with its label or abbreviation, or the building of a photo folder. If a folder has no
  /// building on the map, a building without a position is added.
  ///
  /// - Parameters:
  ///   - campus: The map to change; `nil` if there is none, which is an error for a table without coordinates.
  ///   - table: The bytes of the table.
  ///   - folders: The labels of the photos.
  /// - Returns: `nil` if the table has coordinates, or if the bytes are not a table.
  package static func naming(
    _ campus: Campus?, by table: [UInt8], folders: [String]
  ) throws(CampusError) -> (campus: Campus, count: Int, problems: [String])? {
    guard let rows = try CatalogTable.namings(of: table) else { return nil }
    guard let campus else {
      throw .badTable(
        line: 1,
        problem:
          "names without lat and lon require a map; add a map or draw a fence, then try again")
    }
    return try campus.named(by: rows, folders)
  }

  private func named(
    by rows: [CatalogTable.Naming], _ folders: [String]
  ) throws(CampusError) -> (campus: Campus, count: Int, problems: [String]) {
    let onMap = LabelMatching.Names(of: buildings)
    let photos = LabelMatching.Names(of: folders.map(Building.init(onlyLabel:)))
    var names: [String: (label: String, name: String?)] = [:]
    var (added, problems) = ([JSONValue](), [String]())
    for row in rows {
      let folder = folders.contains(row.key) ? row.key : photos.building(called: row.key)?.label
      let own = folder.flatMap(building(labeled:)) ?? building(labeled: row.key)
      let other = own ?? onMap.building(called: row.key) ?? onMap.building(called: row.name)
      if let building = other, building == own || !folders.contains(building.label) {
        names[building.label] = (folder ?? building.label, row.name)
      } else if let folder {
        added.append(Self.feature(label: folder, name: row.name))
      } else {
        problems.append(
          "line \(row.line): \(row.key) is neither a folder nor a building on the map")
      }
    }
    guard !names.isEmpty || !added.isEmpty else {
      throw .badTable(
        line: 1,
        problem: problems.isEmpty
          ? "no row has a folder and a name" : "no row matches a folder or a building on the map")
    }
    let features = Self.features(of: root).map { Self.relabeled($0, names) }
    let map = JSONValue.object([
      "type": .string("FeatureCollection"), "features": .array(features + added),
    ])
    return (try Campus(MapReader(root: map)), names.count + added.count, problems)
  }

  private static func feature(label: String, name: String) -> JSONValue {
    let properties = ["role": "building", "label": label, "name": name]
    return .object([
      "type": .string("Feature"), "geometry": .null,
      "properties": .object(properties.mapValues { .string($0) }),
    ])
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
