internal import CupolaSupport

/// What the properties of a GeoJSON feature say, as different programs write them.
enum GeoJSONTags {
  /// OpenStreetMap's tags: flat (osmtogeojson, JOSM, QGIS), in `tags` (Overpass turbo), or with those that are rare
  /// in `other_tags` (GDAL). A role of Cupola's campus map becomes a tag.
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
    }
    addRole(of: feature, properties, to: &tags)
    return tags
  }

  private static let kinds = ["node", "way", "relation"]
  private static let notTags: Set<String> = [
    "full_id", "id", "osm_id", "osm_type", "osm_way_id", "other_tags", "tags",
  ]

  /// Makes a building of what the campus map calls one, with the label that the recognizer answers.
  private static func addRole(
    of feature: [String: JSONValue], _ properties: [String: JSONValue],
    to tags: inout [String: String]
  ) {
    let role = properties["role"]?.text
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

  // MARK: - Identifiers

  /// Such as `way/4711` where a program says so in one way or another; else what the feature is called.
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

  /// What QGIS calls `w4711`.
  private static func abbreviated(_ id: String) -> String? {
    guard let kind = kinds.first(where: { $0.first == id.first }), Int64(id.dropFirst()) != nil
    else { return nil }
    return "\(kind)/\(id.dropFirst())"
  }

  /// What GDAL's layers of points, lines and polygons are made of.
  private static func kind(of shape: GeoJSONShapes.Shape?) -> String? {
    switch shape {
    case .point: "node"
    case .line: "way"
    case .area: "relation"
    case nil: nil
    }
  }
}
