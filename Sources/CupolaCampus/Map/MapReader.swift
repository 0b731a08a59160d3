internal import CupolaSupport

// 1. The JSON is read; its features are those of a FeatureCollection, or a single Feature.
// 2. `GeometryReader` reads each feature's geometry, and the properties give its role.
// 3. Boundaries and buildings become items; all faults are gathered.

/// Reads a map of the grounds from GeoJSON, and gathers all that is wrong with it.
struct MapReader {
  /// A feature that means something to a campus.
  struct Item {
    /// How to name it to people.
    let title: String
    /// Whether it is a part of the fence; otherwise it is a building.
    let isBoundary: Bool
    /// Whether it says so itself, not only by OpenStreetMap's tags.
    let isExplicit: Bool
    /// Whether something is wrong with its geometry.
    let isFaulty: Bool
    /// Its polygons, as far as they make sense.
    let polygons: [Polygon]
    /// The record of a building that has a label.
    let building: Building?
  }

  /// Boundaries and buildings, in the order of the map.
  private(set) var items: [Item] = []
  /// What is wrong, in the order of the map.
  private(set) var faults: [CampusError] = []
  /// The whole text, what means nothing here included.
  let root: JSONValue

  private var positions = 0

  /// - Throws: ``CampusError`` when the text is no JSON; all other faults are gathered.
  init(geoJSON bytes: [UInt8]) throws(CampusError) {
    do throws(JSONFault) {
      self.init(root: try JSONReader.value(of: bytes))
    } catch {
      throw Self.looksLikePhoto(bytes) ? .notGeoJSON("a photo; name the map") : .notJSON(error)
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

  /// The polygons of all boundaries.
  var fence: [Polygon] { items.filter(\.isBoundary).flatMap(\.polygons) }

  /// The records of all buildings that have a label.
  var buildings: [Building] { items.compactMap(\.building) }

  /// Whether a file begins as JPEG, PNG or HEIC does, which people name in the place of a map.
  private static func looksLikePhoto(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFF, 0xD8, 0xFF]) || bytes.starts(with: [0x89, 0x50, 0x4E, 0x47])
      || bytes.dropFirst(4).starts(with: "ftyp".utf8)
  }

  /// A map may be a collection of features, or a single one.
  private mutating func features() -> [JSONValue] {
    func fault(_ what: String) -> [JSONValue] {
      faults.append(.notGeoJSON(what))
      return []
    }
    guard case .object(let members) = root else { return fault("the whole is no object") }
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
    case "Feature": return fault("a Feature without \"geometry\"")
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
    default: faults.append(.notGeoJSON("feature \(index + 1): \"properties\" is no object"))
    }
    let unread = GeoJSON.Feature(id: members["id"], geometry: nil, properties: properties)
    var reader = GeometryReader(title: unread.title(index), positions: positions)
    let geometry = reader.geometry(members["geometry"])
    positions = reader.positions
    let feature = GeoJSON.Feature(id: unread.id, geometry: geometry, properties: properties)
    guard let role = feature.role else {
      // What is none of ours need only be GeoJSON.
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
