internal import CupolaGuide

extension GroundArea {
  /// What is drawn of a map, larger kinds of ground first.
  static func all(of map: GuideMap, _ spaces: [IndoorSpace]) -> [GroundArea] {
    let parts = BuildingParts(map)
    var areas = map.features.compactMap { feature -> GroundArea? in
      guard case .area(let rings) = feature.geometry, let kind = kind(of: feature) else {
        return nil
      }
      return GroundArea(
        kind, id: parts.building(of: feature.id), name: feature["name"] ?? feature["cupola:label"],
        rings: rings.map { $0.map { map.points[$0] } })
    }
    areas += spaces.filter { $0.rings.first.map { $0.count > 2 } ?? false }.map { space in
      GroundArea(
        ["corridor", "area"].contains(space.tags["indoor"]) ? .corridor : .room, id: space.id,
        name: space.tags["name"] ?? space.tags["ref"], level: space.level,
        rings: space.rings.map { $0.map { map.points[$0] } })
    }
    return areas
  }

  private static func kind(of feature: MapFeature) -> Kind? {
    if PlaceRules.isBuilding(feature) { return .building }
    if feature["indoor"] != nil || feature["room"] != nil { return nil }
    if feature["natural"] == "water" || feature["waterway"] == "riverbank" { return .water }
    if feature["amenity"] == "parking" { return .parking }
    if feature["highway"] != nil { return .square }
    let greens = [
      ("leisure", ["park", "garden", "pitch", "golf_course", "playground", "common"]),
      ("landuse", ["grass", "forest", "meadow", "recreation_ground", "village_green"]),
      ("natural", ["wood", "scrub", "grassland", "heath"]),
    ]
    return greens.contains { $0.1.contains(feature[$0.0] ?? "") } ? .green : nil
  }
}
