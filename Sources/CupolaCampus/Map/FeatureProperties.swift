internal import CupolaSupport

// 1. Find a property by its name in any case, with or without separators (`first(like:)`).
// 2. Determine the role of a feature, explicitly or from OpenStreetMap tags.
// 3. Determine the label: explicit, an identifier of OpenStreetMap, or the name.

extension GeoJSON {
  struct Feature: Sendable {
    let id: JSONValue?
    let properties: [String: JSONValue]
    private let geometryType: String?

    init(_ members: [String: JSONValue]) {
      id = members["id"]
      if case .object(let own) = members["properties"] {
        properties = Self.flattened(own)
      } else {
        properties = [:]
      }
      if case .object(let geometry) = members["geometry"] {
        geometryType = geometry["type"]?.text
      } else {
        geometryType = nil
      }
    }

    /// Merges OpenStreetMap's tags, which some exports nest in an object or a text, into the properties.
    private static func flattened(_ properties: [String: JSONValue]) -> [String: JSONValue] {
      var result = properties
      if case .object(let tags) = properties["tags"],
        tags["building"] != nil || tags["amenity"] != nil
      {
        result["tags"] = nil
        result.merge(tags) { own, _ in own }
      }
      // GDAL writes most tags as one text.
      if let text = properties["other_tags"]?.text {
        let tags = OGRTags.tags(text).mapValues { JSONValue.string($0) }
        if !tags.isEmpty { result["other_tags"] = nil }
        result.merge(tags) { own, other in own == .null ? other : own }
      }
      return result
    }
  }
}

extension GeoJSON.Feature {
  enum Role: Equatable { case boundary, building }

  /// The explicit role, or the one implied by OpenStreetMap tags. The tag `building` takes precedence.
  var role: Role? {
    if let role = text("role") { return Self.role(role.lowercased()) }
    if properties["building"] == .boolean(true) { return .building }
    if let building = text("building"), building != "no" { return .building }
    if Self.isGrounds(properties["amenity"]?.text) { return .boundary }
    // The shapefiles of Geofabrik have the most important tag of a feature in one column.
    let kind = properties.first(like: "fclass")?.text
    if kind == "building" { return .building }
    if Self.isGrounds(kind) { return .boundary }
    // Shapefiles and databases change the case of names.
    if let role = properties.first(like: "role").flatMap({ Self.role($0.text.lowercased()) }) {
      return role
    }
    if let building = properties.first(like: "building"), Self.isTag(building.text) {
      return .building
    }
    return Self.isGrounds(properties.first(like: "amenity")?.text.lowercased()) ? .boundary : nil
  }

  var hasExplicitRole: Bool {
    properties["role"] != nil || properties.first(like: "role") != nil
  }

  private static func role(_ text: String) -> Role? {
    text == "boundary" ? .boundary : text == "building" ? .building : nil
  }

  private static func isGrounds(_ amenity: String?) -> Bool {
    ["university", "college"].contains(amenity)
  }

  /// Whether a value of `BUILDING` is a tag such as `yes` or `residential`, rather than the name of a building.
  private static func isTag(_ text: String) -> Bool {
    if text.lowercased() == "yes" { return true }
    return text != "no" && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F }
  }

  /// The label or identifier; otherwise the name or an `ID`.
  var label: String? {
    // Some programs give every feature the number 0.
    ownLabel ?? name ?? properties.first(like: "id").flatMap { $0.text == "0" ? nil : $0.text }
  }

  /// The explicit label or identifier; otherwise an identifier of OpenStreetMap.
  var ownLabel: String? {
    text("label") ?? text("id") ?? Self.text(id) ?? text("@id") ?? openStreetMapID
      ?? properties.first(like: "label")?.text
  }

  var name: String? {
    text("name") ?? properties.first(like: PropertyNames.name)?.text
  }

  private func text(_ key: String) -> String? { Self.text(properties[key]) }

  private static func text(_ value: JSONValue?) -> String? {
    value?.text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// An identifier that GDAL, QuickOSM or osm2pgsql wrote, in the form `way/4711`.
  private var openStreetMapID: String? {
    if let id = text("full_id"), let number = Int64(id.dropFirst()),
      let type = ["n": "node", "w": "way", "r": "relation"][id.prefix(1)]
    {
      return "\(type)/\(number)"
    }
    if let id = text("osm_way_id") { return Int64(id) == nil ? id : "way/\(id)" }
    guard let id = text("osm_id") else { return nil }
    guard Int64(id) != nil else { return id }
    if let type = text("osm_type"), ["node", "way", "relation"].contains(type) {
      return "\(type)/\(id)"
    }
    // The layers of GDAL contain nodes as points, ways as lines and relations as areas.
    let types = ["Point": "node", "LineString": "way", "MultiLineString": "way"]
    return "\(geometryType.flatMap { types[$0] } ?? "relation")/\(id)"
  }

  /// The title for messages: the name, the label or the number in the file.
  func title(_ index: Int) -> String {
    name ?? label ?? "feature \(index + 1)"
  }

  /// Whether an OpenStreetMap tag shows that a feature without a role is not a building.
  var isOtherThing: Bool {
    properties.contains {
      PropertyNames.otherThings.contains($0.key) && $0.value.text?.isEmpty == false
    }
  }
}

/// Property names that other programs use.
enum PropertyNames {
  static let name = ["name", "building_name", "bldg_name"]
  static let abbreviation = [
    "abbreviation", "short_name", "ref", "abb", "abbr", "abbrev", "building_abbr", "bldg_abbr",
  ]
  /// Keys of OpenStreetMap and GDAL for areas and places other than buildings.
  static let otherThings: Set<String> = [
    "aeroway", "amenity", "area:highway", "barrier", "boundary", "building", "building:part",
    "craft", "emergency", "entrance", "fclass", "healthcare", "highway", "historic", "indoor",
    "landuse",
    "leisure", "man_made", "natural", "office", "other_tags", "parking", "place", "power",
    "public_transport", "railway", "role", "room", "shop", "sport", "surface", "tourism", "water",
    "waterway",
  ]
}

extension [String: JSONValue] {
  /// Returns the first non-empty text whose key equals a name, ignoring case, underscores and spaces.
  func first(like names: String...) -> (key: String, text: String)? { first(like: names) }

  func first(like names: [String]) -> (key: String, text: String)? {
    for name in names {
      let keys = keys.filter { Self.isAlike($0, name) }.sorted()
      for key in keys {
        if let text = self[key]?.text, !text.isEmpty { return (key, text) }
      }
    }
    return nil
  }

  static func isAlike(_ key: String, _ name: String) -> Bool {
    func letters(_ text: String) -> some Sequence<UInt8> {
      text.utf8.lazy.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: " ") }
        .map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
    return letters(key).elementsEqual(letters(name))
  }
}
