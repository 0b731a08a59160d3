internal import CupolaSupport

/// Reads GeoJSON whose properties are OpenStreetMap's tags, and Cupola's own campus map.
struct GeoJSONMapReader {
  private var count = 0
  private var ids = FeatureIDs()

  /// Reads one of `features`.
  mutating func read(_ value: JSONValue, into map: inout GuideMap) {
    count += 1
    guard let members = value.members, members["type"] == .string("Feature") else {
      let fault = "no object with the type \"Feature\"; save the map again"
      return map.add(MapFault("feature \(count)", fault))
    }
    let tags = GeoJSONTags.tags(of: members)
    let shapes = GeoJSONShapes(members["geometry"])
    let id = GeoJSONTags.id(of: members, shapes.shapes.first) ?? nextID(map)
    for problem in shapes.problems { map.add(MapFault(id, tags: tags, problem)) }
    if shapes.isUnlocated, !tags.isEmpty {
      map.add(MapFault(id, tags: tags, GeoJSONShapes.unlocated))
    }
    ids.add(id, tags, shapes.shapes, to: &map)
  }

  /// By its number, or in a second map by the next one that no feature of the first has.
  private mutating func nextID(_ map: GuideMap) -> String {
    while map.feature("feature/\(count)") != nil { count += 1 }
    return "feature/\(count)"
  }
}
