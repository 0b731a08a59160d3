internal import CupolaSupport

extension CampusCheck {
  /// The numbers of features that are neither a boundary nor a building.
  package struct Skipped: Equatable, Sendable {
    package private(set) var polygons = 0
    package private(set) var lines = 0
    package private(set) var points = 0
    /// The names of areas without a tag that identifies their type; empty for areas without a name.
    private(set) var unknownPolygons: [String] = []
    /// The names of named points without a tag that identifies their type.
    private(set) var unknownPoints: [String] = []
  }
}

extension CampusCheck.Skipped {
  mutating func add(_ feature: GeoJSON.Feature, _ geometry: JSONValue?, isArea: Bool) {
    guard case .object(let members) = geometry else { return }
    let type = members["type"]?.text
    if isArea {
      polygons += 1
      if !feature.isOtherThing { unknownPolygons.append(feature.name ?? "") }
    } else if type == "Point" || type == "MultiPoint" {
      points += 1
      if !feature.isOtherThing, let name = feature.name { unknownPoints.append(name) }
    } else {
      lines += 1
    }
  }

  /// Advice for areas and named points that could be buildings, or `nil` if there are none.
  var finding: CampusFinding? {
    if unknownPolygons.isEmpty, unknownPoints.isEmpty { return nil }
    let names = (unknownPolygons + unknownPoints).filter { !$0.isEmpty }
    return .notBuildings(
      polygons: unknownPolygons.count, points: unknownPoints.count, names: Array(names.prefix(3)))
  }

  /// The counts in words, for example "2 polygons and 1 line"; `nil` if no feature was skipped.
  package var text: String? {
    CampusFinding.list([(polygons, "polygon"), (lines, "line"), (points, "point")])
  }
}
