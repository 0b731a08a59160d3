internal import CupolaCampus
internal import CupolaGuide

extension GuideMap {
  /// The named buildings and the grounds as a campus map. Without named buildings, it contains all of them.
  package var campusMap: [UInt8] {
    let buildings = features.filter { !Grounds.isGrounds($0.tags) && PlaceRules.isBuilding($0) }
    let named = buildings.filter { $0["name"] != nil }
    let grounds =
      Grounds.rings(of: self).isEmpty ? [] : features.filter { Grounds.isGrounds($0.tags) }
    let all =
      grounds.map { json($0, role: "boundary") }
      + (named.isEmpty ? buildings : named).map { json($0, role: "building") }
    return JSONWriter.bytes(
      of: .object([
        "type": .string("FeatureCollection"), "features": .array(all.compactMap(\.self)),
      ]))
  }

  /// Returns a feature as GeoJSON; `nil` for grounds without an area.
  private func json(_ feature: MapFeature, role: String) -> JSONValue? {
    func place(_ number: Int) -> JSONValue {
      .array([.number(points[number].longitude), .number(points[number].latitude)])
    }
    let geometry: JSONValue
    switch feature.geometry {
    case .area(let rings):
      let closed = rings.map { JSONValue.array(($0 + $0.prefix(1)).map(place)) }
      geometry = .object(["type": .string("Polygon"), "coordinates": .array(closed)])
    case .point(let point) where role == "building":
      geometry = .object(["type": .string("Point"), "coordinates": place(point)])
    default: return nil
    }
    var properties = feature.tags.mapValues { JSONValue.string($0) }
    properties["cupola:role"] = nil
    properties["role"] = .string(role)
    return .object([
      "type": .string("Feature"), "id": .string(feature.id),
      "properties": .object(properties), "geometry": geometry,
    ])
  }
}
