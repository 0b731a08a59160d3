internal import CupolaCampus
internal import CupolaSupport

// 1. Read the tags and the identifier of a feature, in the forms written by different programs.
// 2. Add a feature for each of its shapes.
// 3. Report projected coordinates once, and count the features without a tag for their kind.

/// Reads GeoJSON that has OpenStreetMap tags as properties, and Cupola's own campus map.
struct GeoJSONMapReader {
  private var count = 0
  private var ids = FeatureIDs()
  private var located = 0
  private var foreign: [Double]?
  private var skipped = SkippedFeatures()

  mutating func read(_ value: JSONValue, into map: inout GuideMap) {
    count += 1
    guard let members = value.members, members["type"] == .string("Feature") else {
      let fault = "not an object of type \"Feature\"; save the map again"
      return map.add(MapFault("feature \(count)", fault))
    }
    let tags = GeoJSONTags.tags(of: members)
    let shapes = GeoJSONShapes(members["geometry"])
    foreign = foreign ?? shapes.foreign
    if !shapes.shapes.isEmpty { located += 1 }
    if let shape = shapes.shapes.first { skipped.count(shape, tags) }
    let id = GeoJSONTags.id(of: members, shapes.shapes.first) ?? nextID(map)
    for problem in shapes.problems { map.fault(id, tags, problem) }
    if shapes.isUnlocated, !tags.isEmpty {
      map.fault(id, tags, GeoJSONShapes.unlocated)
    }
    ids.add(id, tags, shapes.shapes, to: &map)
  }

  /// Throws if the coordinates are not in degrees; a few wrong positions are only reported.
  func finish(_ crs: JSONValue?, path: String, into map: inout GuideMap) throws(MapReadError) {
    let system = ReferenceSystem.name(of: crs)
    if let foreign, located == 0 || system != nil {
      throw .projected(path: path, system, example: foreign)
    }
    map.skipped += skipped.faults(of: path)
  }

  private mutating func nextID(_ map: GuideMap) -> String {
    while map.feature("feature/\(count)") != nil { count += 1 }
    return "feature/\(count)"
  }
}

struct FeatureIDs {
  private var numbers: [String: Int] = [:]

  mutating func add(
    _ id: String, _ tags: [String: String], _ shapes: [GeoJSONShapes.Shape],
    to map: inout GuideMap
  ) {
    guard !tags.isEmpty, !shapes.isEmpty else { return }
    let known = map.feature(id)
    // An OpenStreetMap object is the same in all maps, so skip it if it is known.
    if known != nil, numbers[id] == nil, Self.isOpenStreetMap(id) { return }
    for (number, shape) in shapes.enumerated() {
      guard map.hasRoom else { return }
      let outline = AreaRules.isOutline(tags) ? shape.closed : nil
      let geometry = map.geometry(outline ?? shape)
      if let known, known.tags == tags, known.geometry == geometry { continue }
      guard map.addOutline(geometry, tags, isLine: outline != nil) else { continue }
      map.add(MapFeature(id: unique(id, map), tags: tags, geometry: geometry), isPart: number > 0)
    }
  }

  mutating func unique(_ id: String, _ map: GuideMap) -> String {
    while true {
      let number = numbers[id, default: 0] + 1
      numbers[id] = number
      let result = number == 1 ? id : "\(id)#\(number)"
      if map.feature(result) == nil { return result }
    }
  }

  static func isOpenStreetMap(_ id: String) -> Bool {
    let parts = id.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && ["node", "way", "relation"].contains(parts[0])
      && Int64(parts[1]) != nil
  }
}

enum GeoJSONTags {
  /// Returns OpenStreetMap tags from flat properties (osmtogeojson, JOSM, QGIS), from `tags` (Overpass turbo), or from
  /// properties and `other_tags` (GDAL). A role in Cupola's campus map is converted to a tag.
  static func tags(of feature: [String: JSONValue]) -> [String: String] {
    let properties = feature["properties"]?.members ?? [:]
    let nested = properties["tags"]?.members
    var tags = nested.map { JSONValue.object($0).tags } ?? JSONValue.object(properties).tags
    if nested == nil {
      tags = tags.filter { !$0.key.hasPrefix("@") && !notTags.contains($0.key) }
      if let others = properties["other_tags"]?.text {
        tags.merge(OGRTags.tags(others)) { own, _ in own }
      }
      if kinds.contains(tags["type"] ?? "") { tags["type"] = nil }
      addOtherCases(to: &tags)
    }
    addRole(of: feature, properties, to: &tags)
    return tags
  }

  /// Adds tags with keys such as `NAME` or `BLDG_NAME` under the keys that a guide uses. Shapefiles and databases have
  /// other keys.
  private static func addOtherCases(to tags: inout [String: String]) {
    // The shapefiles of Geofabrik have the most important tag of a feature in one column.
    switch tags["fclass"] {
    case "building": tags["building"] = tags["building"] ?? tags["type"] ?? "yes"
    case "university", "college": tags["amenity"] = tags["amenity"] ?? tags["fclass"]
    default: break
    }
    for key in tags.keys.sorted() {
      let lower = key.lowercased()
      let own = otherNames[lower] ?? lower
      guard own != key, own != lower || keys.contains(own), tags[own] == nil,
        let text = tags[key], let value = value(text, of: own)
      else { continue }
      tags[own] = value
    }
  }

  private static let otherNames = [
    "building_name": "name", "bldg_name": "name", "bldgname": "name", "buildingname": "name",
    "abb": "short_name", "abbr": "short_name", "abbrev": "short_name",
    "abbreviation": "short_name",
  ]
  private static let keys: Set<String> = [
    "access", "amenity", "area", "barrier", "building", "entrance", "foot", "footway", "highway",
    "incline", "indoor", "layer", "level", "name", "opening_hours", "short_name", "surface",
    "wheelchair",
  ]

  /// Returns a name, or a value such as `yes` or `residential`; `nil` for the name of a building in place of a value.
  private static func value(_ text: String, of key: String) -> String? {
    if key == "name" || key == "short_name" { return text }
    let lower = text.lowercased()
    let words = key == "amenity" ? ["university", "college"] : ["yes", "no"]
    return lower == text && text.utf8.allSatisfy { $0 < 0x80 } || words.contains(lower)
      ? lower : nil
  }

  private static let kinds = ["node", "way", "relation"]
  private static let notTags: Set<String> = [
    "full_id", "id", "osm_id", "osm_type", "osm_way_id", "other_tags", "tags",
  ]

  private static func addRole(
    of feature: [String: JSONValue], _ properties: [String: JSONValue],
    to tags: inout [String: String]
  ) {
    let key = properties.keys.filter { $0.lowercased() == "role" }.max()
    let role = key.flatMap { properties[$0]?.text?.lowercased() }
    guard role == "building" || role == "boundary" else {
      if let label = properties["label"]?.tag, tags["building"] != nil {
        tags["cupola:label"] = label
        tags["label"] = nil
      }
      return
    }
    tags["role"] = nil
    guard role == "building" else {
      tags["cupola:role"] = "boundary"
      return
    }
    tags["building"] = tags["building"] ?? "yes"
    let labels = [properties["label"], properties["id"], feature["id"], properties["@id"]]
    tags["cupola:label"] = labels.lazy.compactMap { $0?.tag }.first
    tags["label"] = nil
  }

  /// Returns an identifier such as `way/4711` if a known program wrote the feature; otherwise, the feature's own
  /// identifier.
  static func id(of feature: [String: JSONValue], _ shape: GeoJSONShapes.Shape?) -> String? {
    let properties = feature["properties"]?.members ?? [:]
    if let id = properties["@id"]?.tag { return typed(id, properties["@type"]?.text) }
    if let id = properties["full_id"]?.tag, let whole = abbreviated(id) { return whole }
    if let id = properties["osm_way_id"]?.tag { return typed(id, "way") }
    if let id = properties["osm_id"]?.tag {
      return typed(id, properties["osm_type"]?.text ?? kind(of: shape))
    }
    let type = properties["type"]?.text
    return (feature["id"]?.tag ?? properties["id"]?.tag).map { typed($0, type) }
  }

  private static func typed(_ id: String, _ type: String?) -> String {
    guard Int64(id) != nil else { return id }
    return "\(type.flatMap { kinds.contains($0) ? $0 : nil } ?? "feature")/\(id)"
  }

  private static func abbreviated(_ id: String) -> String? {
    guard let kind = kinds.first(where: { $0.first == id.first }), Int64(id.dropFirst()) != nil
    else { return nil }
    return "\(kind)/\(id.dropFirst())"
  }

  /// Returns the OpenStreetMap type that corresponds to GDAL's layers of points, lines and polygons.
  private static func kind(of shape: GeoJSONShapes.Shape?) -> String? {
    switch shape {
    case .point: "node"
    case .line: "way"
    case .area: "relation"
    case nil: nil
    }
  }
}

extension JSONValue {
  var number: Double? { double.flatMap { $0.isFinite ? $0 : nil } }

  var identifier: Int64? {
    guard case .integer(let value) = self, value.magnitude < 1 << 62 else { return nil }
    return Int64(value)
  }

  var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  var members: [String: JSONValue]? {
    if case .object(let members) = self { members } else { nil }
  }

  var tag: String? {
    switch self {
    case .boolean(let value): value ? "yes" : "no"
    default: text.flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  var tags: [String: String] { members?.compactMapValues(\.tag) ?? [:] }
}
