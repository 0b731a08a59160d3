/// Which buildings of a map are parts of another: those of a MultiPolygon, which are called `way/7`, `way/7#2`, ...
struct BuildingParts {
  /// Identifiers of buildings by those of their further parts.
  private var buildings: [String: String] = [:]

  init(_ map: GuideMap) {
    var latest: [String: MapFeature] = [:]
    for feature in map.features where PlaceRules.isBuilding(feature) {
      let stem = Self.stem(of: feature.id, in: map)
      // Features of one identifier that are called otherwise are buildings of their own.
      if let first = latest[stem],
        PlaceRules.name(ofBuilding: first) == PlaceRules.name(ofBuilding: feature)
      {
        buildings[feature.id] = first.id
      } else {
        latest[stem] = feature
      }
    }
  }

  /// The identifier of the building that a feature is a part of, or its own.
  func building(of id: String) -> String { buildings[id] ?? id }

  /// What stands before the number of a part, if the map has a feature of that identifier.
  private static func stem(of id: String, in map: GuideMap) -> String {
    guard let mark = id.lastIndex(of: "#"), Int(id[id.index(after: mark)...]) != nil else {
      return id
    }
    let stem = String(id[..<mark])
    return map.feature(stem) == nil ? id : stem
  }
}
