internal import CupolaCampus
internal import CupolaGuide

// 1. Find the outlines and the name of the campus grounds.
// 2. Tell which stops are within reach of the grounds.
// 3. Collect the areas that a drawing of the map shows.

/// The grounds of a campus on a map: what has the role of its boundary, or is tagged as a university or college.
enum Grounds {
  /// Whether tags say so; a building of a university is none.
  static func isGrounds(_ tags: [String: String]) -> Bool {
    tags["cupola:role"] == "boundary"
      || ["university", "college"].contains(tags["amenity"])
        && ["", "no"].contains(tags["building"] ?? "")
  }

  /// Their outlines: none where the map has only a part of them, so that other areas would stand for the whole.
  static func rings(of map: GuideMap) -> [[MapPoint]] {
    map.cutGrounds == nil ? areas(of: map).map { $0.ring.map { map.points[$0] } } : []
  }

  /// What the campus is called: by its boundary, by the grounds of which the map has only a part, or by the largest.
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
  /// The boxes around them on the plane: most stops of a country are outside of all.
  private let index: BoxIndex

  /// Around the grounds, where the map has their outline; else around all buildings, or all points of a map that has
  /// none.
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

  func holds(_ point: MapPoint, within meters: Double) -> Bool {
    let place = plane.point(point)
    // A meter more than what is compared, for what is rounded.
    let reach = SIMD2(repeating: meters + 1)
    return index.indices(meeting: BoxTree.Box(place - reach, place + reach)).contains { number in
      let (ring, points) = areas[number]
      return SegmentDistance.nearest(to: place, of: points).distance <= meters
        || BuildingLocator.isInside(point, ring)
    }
  }
}

extension GroundArea {
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
