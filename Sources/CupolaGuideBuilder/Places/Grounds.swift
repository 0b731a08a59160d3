internal import CupolaGuide

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
