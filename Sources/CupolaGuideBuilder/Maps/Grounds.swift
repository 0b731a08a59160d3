internal import CupolaCampus
internal import CupolaGuide

// 1. Find the outlines and the name of the campus, and determine which stops are within reach.
// 2. Collect the areas to draw.

/// The outlines of a campus on a map: its boundary, or areas tagged as university or college.
enum Grounds {
  /// Whether the tags describe a campus; a university building is not a campus.
  static func isGrounds(_ tags: [String: String]) -> Bool {
    tags["cupola:role"] == "boundary"
      || ["university", "college"].contains(tags["amenity"])
        && ["", "no"].contains(tags["building"] ?? "")
  }

  /// Returns the outlines, or none if the campus is only partly on the map, so that other areas are not mistaken for
  /// it.
  static func rings(of map: GuideMap) -> [[MapPoint]] {
    map.cutGrounds == nil ? areas(of: map).map { $0.ring.map { map.points[$0] } } : []
  }

  /// Returns the name of the boundary, of a campus that is partly on the map, or of the largest campus.
  static func name(of map: GuideMap) -> String? {
    let named = areas(of: map).filter { $0.feature["name"] != nil }
    if let boundary = named.first(where: { $0.feature["cupola:role"] == "boundary" }) {
      return boundary.feature["name"]
    }
    if let cut = map.cutGrounds, !cut.isEmpty { return cut }
    let sizes = named.map { PlaneRing($0.ring, of: map.points).size }
    let largest = named.indices.max { (sizes[$0], -$0) < (sizes[$1], -$1) }
    return largest.flatMap { named[$0].feature["name"] }
      ?? map.features.first { isGrounds($0.tags) && $0["name"] != nil }?["name"]
  }

  private static func areas(of map: GuideMap) -> [(feature: MapFeature, ring: [Int])] {
    map.features.compactMap { feature in
      guard isGrounds(feature.tags), case .area(let rings) = feature.geometry,
        let ring = rings.first
      else { return nil }
      return (feature, ring)
    }
  }
}

struct CampusReach {
  private let plane: MapPlane
  private let areas: [(ring: [MapPoint], points: [SIMD2<Double>])]
  private let index: BoxIndex

  /// Uses the campus outlines if there are any, otherwise all buildings, otherwise all points on the map.
  init(_ map: GuideMap) {
    let plane = MapPlane(around: map.points.first)
    let grounds = Grounds.rings(of: map)
    let buildings = map.features.compactMap { feature -> [MapPoint]? in
      guard PlaceRules.isBuilding(feature), case .area(let rings) = feature.geometry else {
        return nil
      }
      return rings.first?.map { map.points[$0] }
    }
    let rings = [grounds, buildings].first { !$0.isEmpty } ?? [map.points]
    let areas = rings.map { ring in (ring: ring, points: ring.map { plane.point($0) }) }
    (self.plane, self.areas) = (plane, areas)
    index = BoxIndex(areas.map { BoxTree.Box(around: $0.points) })
  }

  func contains(_ point: MapPoint, within meters: Double) -> Bool {
    let place = plane.point(point)
    // Search an additional meter to allow for rounding.
    let reach = SIMD2(repeating: meters + 1)
    return index.indices(meeting: BoxTree.Box(place - reach, place + reach)).contains { number in
      let (ring, points) = areas[number]
      return SegmentDistance.nearest(to: place, of: points).distance <= meters
        || BuildingLocator.isInside(point, ring)
    }
  }
}

extension GroundArea {
  static func all(
    of map: GuideMap, _ spaces: [IndoorSpace]
  ) -> [GroundArea] {
    let parts = BuildingParts(map)
    var areas = map.features.compactMap { feature -> GroundArea? in
      guard case .area(let rings) = feature.geometry, let kind = kind(of: feature) else {
        return nil
      }
      return GroundArea(
        kind, id: parts.building(of: feature.id), name: name(of: feature),
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

  /// Returns the name of an area. A station often has the name of a street or district, so it is called a station.
  private static func name(of feature: MapFeature) -> String? {
    guard let name = feature["name"] ?? feature["cupola:label"] else { return nil }
    let isStation =
      feature["building"] == "train_station"
      || [feature["railway"], feature["public_transport"]].contains("station")
    let saysStation = stations.contains { name.lowercased().contains($0) }
    return isStation && !saysStation ? name + " station" : name
  }

  /// Words for a station in several languages.
  private static let stations = [
    "bahnhof", "estaci", "estaç", "gare", "hbf", "stasjon", "stati", "stazione", "termin",
  ]

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
