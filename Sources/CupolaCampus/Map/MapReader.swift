internal import CupolaSupport

// 1. Parse the JSON, and get the features of a FeatureCollection or a single Feature.
// 2. Read each feature's geometry, and determine its role from its properties.
// 3. Collect boundaries, buildings and all faults.

/// Reads a campus map from GeoJSON and collects all faults.
struct MapReader {
  struct Item {
    let title: String
    /// Whether the item is a boundary rather than a building.
    let isBoundary: Bool
    /// Whether the role is explicit, not implied by OpenStreetMap tags.
    let isExplicit: Bool
    let isFaulty: Bool
    let polygons: [Polygon]
    let building: Building?
  }

  private(set) var items: [Item] = []
  private(set) var faults: [CampusError] = []
  let root: JSONValue

  private var positions = 0

  /// Reads a map. Throws ``CampusError`` only if the text is not JSON; all other faults are collected.
  init(geoJSON bytes: [UInt8]) throws(CampusError) {
    do throws(JSONFault) {
      self.init(root: try JSONReader.value(of: bytes))
    } catch {
      throw Self.looksLikePhoto(bytes)
        ? .notGeoJSON("this is a photo; choose the map file") : .notJSON(error)
    }
  }

  init(root: JSONValue) {
    self.root = root
    for (index, value) in features().enumerated() where positions <= GeoJSON.positionLimit {
      read(value, index)
    }
    let isFenced = items.contains { $0.isBoundary && !$0.polygons.isEmpty }
    if !isFenced, faults.isEmpty { faults.append(.noBoundary) }
  }

  var fence: [Polygon] { items.filter(\.isBoundary).flatMap(\.polygons) }

  var buildings: [Building] { items.compactMap(\.building) }

  /// Whether a file starts like a JPEG, PNG or HEIC photo, which users sometimes pass instead of a map.
  private static func looksLikePhoto(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFF, 0xD8, 0xFF]) || bytes.starts(with: [0x89, 0x50, 0x4E, 0x47])
      || bytes.dropFirst(4).starts(with: "ftyp".utf8)
  }

  private mutating func features() -> [JSONValue] {
    func fault(_ what: String) -> [JSONValue] {
      faults.append(.notGeoJSON(what))
      return []
    }
    guard case .object(let members) = root else { return fault("not an object") }
    guard case .string(let type) = members["type"] else {
      guard case .array = members["elements"] else { return fault("no \"type\"") }
      return fault("this is Overpass JSON; export it as GeoJSON (Overpass turbo: Export, GeoJSON)")
    }
    switch type {
    case "FeatureCollection":
      guard case .array(let features) = members["features"] else {
        return fault("no list \"features\"")
      }
      return features
    case "Feature" where members["geometry"] != nil: return [root]
    case "Feature": return fault("Feature without \"geometry\"")
    default: return fault("type is \(type)")
    }
  }

  private mutating func read(_ value: JSONValue, _ index: Int) {
    guard case .object(let members) = value, members["type"] == .string("Feature") else {
      faults.append(.notGeoJSON("feature \(index + 1) has no type \"Feature\""))
      return
    }
    var properties: [String: JSONValue] = [:]
    switch members["properties"] {
    case .object(let own): properties = GeoJSON.Feature.flattened(own)
    case nil, .null: break
    default: faults.append(.notGeoJSON("feature \(index + 1): \"properties\" is not an object"))
    }
    let unread = GeoJSON.Feature(id: members["id"], geometry: nil, properties: properties)
    var reader = GeometryReader(title: unread.title(index), positions: positions)
    let geometry = reader.geometry(members["geometry"])
    positions = reader.positions
    let feature = GeoJSON.Feature(id: unread.id, geometry: geometry, properties: properties)
    guard let role = feature.role else {
      // For other features, report only invalid GeoJSON.
      faults += reader.faults.filter {
        switch $0 {
        case .notGeoJSON, .tooManyPositions: true
        default: false
        }
      }
      return
    }
    faults += reader.faults
    let label = role == .building ? feature.label : nil
    items.append(
      Item(
        title: reader.title, isBoundary: role == .boundary, isExplicit: properties["role"] != nil,
        isFaulty: !reader.faults.isEmpty, polygons: geometry?.polygons ?? [],
        building: label.flatMap { Building(feature, label: $0) }))
  }
}
