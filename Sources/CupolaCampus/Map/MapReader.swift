internal import CupolaSupport

// 1. Parse the JSON, and get the features of a FeatureCollection, a sequence or array of features or a single Feature.
// 2. Read each feature's geometry, and determine its role from its properties.
// 3. Collect boundaries, buildings, skipped features and all faults.
// 4. Join a fence that is drawn as several lines, and remove closed lines that repeat an area.
// 5. Report coordinates that are not degrees once.

/// Reads a campus map from GeoJSON and collects all faults.
struct MapReader {
  struct Item {
    /// The number of the feature in the map.
    let index: Int
    let title: String
    /// Whether the item is a boundary rather than a building.
    let isBoundary: Bool
    /// Whether the role is explicit, not implied by OpenStreetMap tags.
    let isExplicit: Bool
    let isFaulty: Bool
    /// Whether the polygons are closed lines.
    var isOutline: Bool
    /// Whether the label is only the name.
    let isLabeledByName: Bool
    var polygons: [Polygon]
    let building: Building?
  }

  private(set) var items: [Item] = []
  private(set) var faults: [CampusError] = []
  private(set) var skipped = CampusCheck.Skipped()
  let root: JSONValue

  private var counts = GeometryReader.Counts()
  /// The features that repeat an area as a closed line, or that continue the fence of another feature.
  private var repeated: Set<Int> = []
  /// The geometry of a fence in several features, and the first of them.
  private var joined: (index: Int, geometry: JSONValue)?

  /// Reads a map. Throws ``CampusError`` only if the text is not JSON; all other faults are collected.
  init(geoJSON bytes: [UInt8]) throws(CampusError) {
    do throws(JSONFault) {
      var root = try JSONReader.value(of: bytes)
      if case .array = root, MapFormat(firstBytes: bytes) == .featureSequence {
        root = .object(["type": .string("FeatureCollection"), "features": root])
      }
      self.init(root: root)
    } catch {
      let root = try Self.root(of: bytes, after: error)
      self.init(root: root)
    }
  }

  init(root: JSONValue) {
    self.root = root
    let features = features()
    for (index, value) in features.enumerated() where counts.positions <= GeoJSON.positionLimit {
      read(value, index)
    }
    joinFence(features)
    removeRepeatedAreas()
    reportProjection()
    let isFenced = items.contains { $0.isBoundary && !$0.polygons.isEmpty }
    if !isFenced, faults.isEmpty { faults.append(.noBoundary) }
  }

  var fence: [Polygon] { items.filter(\.isBoundary).flatMap(\.polygons) }

  var buildings: [Building] { items.compactMap(\.building) }

  /// Reads a sequence of features or a table; throws an error that names any other format.
  private static func root(of bytes: [UInt8], after fault: JSONFault) throws(CampusError)
    -> JSONValue
  {
    if looksLikePhoto(bytes) { throw .notGeoJSON("this is a photo; choose the map file") }
    switch MapFormat(firstBytes: bytes) {
    case .featureSequence:
      do throws(JSONFault) {
        return try JSONReader.value(of: MapFormat.featureCollection(of: bytes))
      } catch { throw .notJSON(error) }
    case let format?: throw .notGeoJSON(format.problem)
    case nil where CatalogTable.isTable(bytes): return try CatalogTable.map(of: bytes)
    case nil: throw .notJSON(fault)
    }
  }

  /// Whether a file starts like a JPEG, PNG or HEIC photo, given in place of a map by mistake.
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
    if let format = MapFormat(members: members) { return fault(format.problem) }
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
    switch members["properties"] {
    case .object, nil, .null: break
    default: faults.append(.notGeoJSON("feature \(index + 1): \"properties\" is not an object"))
    }
    let feature = GeoJSON.Feature(members)
    let role = feature.role
    var reader = GeometryReader(title: feature.title(index), counts: counts)
    let geometry = reader.geometry(members["geometry"], isOutlineRead: role != nil)
    counts = reader.counts
    guard let role else {
      skipped.add(feature, members["geometry"], isArea: !(geometry?.polygons ?? []).isEmpty)
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
        index: index, title: reader.title, isBoundary: role == .boundary,
        isExplicit: feature.hasExplicitRole, isFaulty: !reader.faults.isEmpty,
        isOutline: geometry?.isOutline ?? false,
        isLabeledByName: feature.ownLabel == nil, polygons: geometry?.polygons ?? [],
        building: label.map { Building(feature, label: $0, geometry: geometry) }))
  }

  // MARK: - Lines that form or repeat areas

  /// Joins a fence whose parts are separate features.
  private mutating func joinFence(_ features: [JSONValue]) {
    func lines(of part: Int) -> [[JSONValue]] {
      guard case .object(let feature) = features[items[part].index] else { return [] }
      return GeoJSON.lines(of: feature["geometry"])
    }
    let parts = items.indices.filter {
      items[$0].isBoundary && items[$0].polygons.isEmpty && !lines(of: $0).isEmpty
    }
    guard parts.count > 1 else { return }
    let lines = parts.flatMap { lines(of: $0) }
    func segments(_ lines: [[JSONValue]]) -> Int { lines.reduce(0) { $0 + $1.count - 1 } }
    guard segments(GeoJSON.rings(joining: lines)) == segments(lines) else { return }
    let whole = JSONValue.object([
      "type": .string("MultiLineString"), "coordinates": .array(lines.map { .array($0) }),
    ])
    var reader = GeometryReader(title: items[parts[0]].title, counts: counts)
    let polygons = reader.geometry(whole, isOutlineRead: true)?.polygons ?? []
    (counts, joined) = (reader.counts, (items[parts[0]].index, whole))
    faults += reader.faults
    (items[parts[0]].polygons, items[parts[0]].isOutline) = (polygons, true)
    repeated.formUnion(parts.dropFirst().map { items[$0].index })
    for part in parts.dropFirst().reversed() { items.remove(at: part) }
  }

  /// The same ring as a line and as an area may start at different corners and run in different directions.
  private struct Outline: Hashable {
    let isBoundary: Bool
    let corners: Set<SIMD2<Double>>

    init(_ item: Item, _ polygon: Polygon) {
      isBoundary = item.isBoundary
      corners = Set((polygon.rings.first ?? []).map { SIMD2($0.longitude, $0.latitude) })
    }
  }

  /// Removes closed lines that the map also contains as areas, as exports by osmium do.
  private mutating func removeRepeatedAreas() {
    guard items.contains(where: \.isOutline) else { return }
    var areas: Set<Outline> = []
    for item in items where !item.isOutline {
      for polygon in item.polygons { areas.insert(Outline(item, polygon)) }
    }
    items.removeAll { item in
      guard item.isOutline, !item.isFaulty,
        item.polygons.allSatisfy({ areas.contains(Outline(item, $0)) })
      else { return false }
      repeated.insert(item.index)
      return true
    }
  }

  /// The map without lines that repeat areas, and with other closed lines as polygons.
  var normalizedRoot: JSONValue {
    let outlines = Dictionary(items.filter(\.isOutline).map { ($0.index, $0) }) { first, _ in first
    }
    guard !repeated.isEmpty || !outlines.isEmpty else { return root }
    func withArea(_ value: JSONValue, _ index: Int) -> JSONValue {
      guard let item = outlines[index], case .object(var feature) = value,
        let area = GeoJSON.outline(
          of: index == joined?.index ? joined?.geometry : feature["geometry"])
      else { return value }
      feature["geometry"] = area
      // An `osm_id` means a way for a line, and a relation for an area.
      if let label = item.building?.label, label != GeoJSON.Feature(feature).label,
        case .object(var properties) = feature["properties"]
      {
        properties["label"] = .string(label)
        feature["properties"] = .object(properties)
      }
      return .object(feature)
    }
    guard case .object(var map) = root, case .array(let features) = map["features"] else {
      return withArea(root, 0)
    }
    map["features"] = .array(
      features.enumerated().compactMap { index, value in
        repeated.contains(index) ? nil : withArea(value, index)
      })
    return .object(map)
  }

  // MARK: - Reference systems

  var isProjected: Bool {
    guard case .projected = faults.first else { return false }
    return true
  }

  /// Replaces the faults of all positions with one fault if the map is in meters or feet.
  private mutating func reportProjection() {
    guard counts.foreign > 0, case .object(let members) = root else { return }
    let name = ReferenceSystem.name(of: members["crs"])
    guard name != nil || counts.foreign > counts.valid else { return }
    faults.removeAll {
      switch $0 {
      case .badPosition, .swappedCoordinates, .wideRing, .poleMissing, .noBoundary: true
      default: false
      }
    }
    faults.insert(.projected(name, example: counts.example), at: 0)
  }
}
