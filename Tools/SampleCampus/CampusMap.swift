/// Writes the map and the split table.
enum CampusMap {
  static func geoJSON() -> String {
    let boundary = GeoJSONFeature(
      properties: [
        ("name", GeoJSONFeature.quoted(Campus.name)), ("role", GeoJSONFeature.quoted("boundary")),
      ],
      geometry: .area([
        Vector(-Campus.halfWidth, -Campus.halfHeight, 0),
        Vector(Campus.halfWidth, -Campus.halfHeight, 0),
        Vector(Campus.halfWidth, Campus.halfHeight, 0),
        Vector(-Campus.halfWidth, Campus.halfHeight, 0),
      ]))
    return GeoJSONFeature.collection([boundary] + Campus.buildings.map { feature(for: $0) })
  }

  static func splitTable(_ photos: [Photo]) -> String {
    "path,label,split,group\n"
      + photos.map { "\($0.path),\($0.label),\($0.session.split),\($0.session.group)\n" }.joined()
  }

  private static func feature(for building: Building) -> GeoJSONFeature {
    let texts = [
      ("abbreviation", building.abbreviation), ("address", building.address),
      ("category", building.category), ("description", building.description),
      ("id", building.label), ("name", building.name), ("role", "building"),
    ]
    return GeoJSONFeature(
      properties: texts.map { ($0.0, GeoJSONFeature.quoted($0.1)) }
        + [("year_built", "\(building.yearBuilt)")],
      geometry: .area(building.footprint))
  }
}
