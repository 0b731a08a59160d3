internal import CupolaGuide

// 1. Determine which features are buildings or places, and which of their tags are kept.
// 2. Join the parts of a building that has several outlines, and compute a point inside an area.

struct PlaceRules {
  static func category(of feature: MapFeature) -> String? {
    if feature["highway"] == "bus_stop" { return "bus_stop" }
    for key in categories {
      guard let value = feature[key], value != "no" else { continue }
      if value == "yes" { return key }
      if ignored.contains(value) { continue }
      return value
    }
    return nil
  }

  private static let categories = [
    "amenity", "shop", "tourism", "healthcare", "office", "craft", "historic", "leisure",
    "emergency", "public_transport", "railway",
  ]
  private static let ignored: Set<String> = [
    "platform", "stop_position", "rail", "subway", "tram", "switch", "level_crossing", "crossing",
    "signal", "platform_edge", "bench", "waste_basket", "parking_space", "parking_entrance",
    "fire_hydrant", "buffer_stop", "subway_entrance", "track", "pitch",
  ]

  static let kept: Set<String> = [
    "opening_hours", "phone", "contact:phone", "website", "contact:website", "email", "wheelchair",
    "description", "start_date", "architect", "operator", "cuisine", "fee", "wikidata", "wikipedia",
    "addr:street", "addr:housenumber", "addr:postcode", "addr:city", "alt_name", "old_name",
    "official_name", "short_name", "loc_name", "name:en", "toilets:wheelchair", "level",
    "cupola:label",
  ]

  static func isBuilding(_ feature: MapFeature) -> Bool {
    guard let building = feature["building"], building != "no" else { return false }
    if case .line = feature.geometry { return false }
    return true
  }

  /// Whether a building blocks straight lines, because it has walls and is not underground.
  static func isInTheWay(_ feature: MapFeature) -> Bool {
    isBuilding(feature) && !withoutWalls.contains(feature["building"] ?? "")
      && feature["location"] != "underground" && feature["layer"]?.hasPrefix("-") != true
  }

  private static let withoutWalls: Set<String> = ["roof", "carport", "canopy", "bridge"]

  static func name(ofBuilding feature: MapFeature) -> String? {
    feature["name"] ?? feature["cupola:label"]
  }

  static func tags(of feature: MapFeature) -> [String: String] {
    feature.tags.filter { kept.contains($0.key) && !$0.value.isEmpty }
  }
}

/// The buildings that consist of several parts, such as the parts `way/7` and `way/7#2` of a MultiPolygon.
struct BuildingParts {
  private var buildings: [String: String] = [:]

  init(_ map: GuideMap) {
    var latest: [String: MapFeature] = [:]
    for feature in map.features where PlaceRules.isBuilding(feature) {
      let stem = Self.stem(of: feature.id, in: map)
      // Features with the same identifier but different names are separate buildings.
      if let first = latest[stem],
        PlaceRules.name(ofBuilding: first) == PlaceRules.name(ofBuilding: feature)
      {
        buildings[feature.id] = first.id
      } else {
        latest[stem] = feature
      }
    }
  }

  func building(of id: String) -> String { buildings[id] ?? id }

  private static func stem(of id: String, in map: GuideMap) -> String {
    guard let mark = id.lastIndex(of: "#"), Int(id[id.index(after: mark)...]) != nil else {
      return id
    }
    let stem = String(id[..<mark])
    return map.feature(stem) == nil ? id : stem
  }
}

struct AreaMiddle {
  static func place(of rings: [[Int]], in map: GuideMap) -> MapPoint? {
    let plane = MapPlane(around: map.points[rings[0][0]])
    let middle = plane.place(point(of: rings.map { $0.map { plane.point(map.points[$0]) } }))
    return MapPoint(latitude: middle.latitude, longitude: middle.longitude)
  }

  /// Returns the midpoint of the longest horizontal chord near the centroid, which is inside the area for any shape.
  static func point(of rings: [[SIMD2<Double>]]) -> SIMD2<Double> {
    let ring = rings[0]
    let centroid = centroid(of: ring)
    let low = ring.map(\.y).min() ?? 0
    let high = ring.map(\.y).max() ?? 0
    var best: (length: Double, point: SIMD2<Double>)?
    for share in [0, -0.1, 0.1, -0.25, 0.25] {
      let y = centroid.y + share * (high - low)
      let walls = rings.flatMap { crossings(of: $0, at: y) }.sorted()
      for pair in stride(from: 0, to: walls.count - 1, by: 2) {
        let length = walls[pair + 1] - walls[pair]
        if length > 1.2 * (best?.length ?? 0) {
          best = (length, [(walls[pair] + walls[pair + 1]) / 2, y])
        }
      }
    }
    return best?.point ?? centroid
  }

  private static func crossings(of ring: [SIMD2<Double>], at y: Double) -> [Double] {
    zip(ring, ring.dropFirst() + ring.prefix(1)).compactMap { one, other in
      guard (one.y > y) != (other.y > y) else { return nil }
      return one.x + (y - one.y) * (other.x - one.x) / (other.y - one.y)
    }
  }

  private static func centroid(of ring: [SIMD2<Double>]) -> SIMD2<Double> {
    var (area, sum) = (0.0, SIMD2<Double>.zero)
    for (one, other) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
      let cross = one.x * other.y - other.x * one.y
      area += cross
      sum += (one + other) * cross
    }
    if area.magnitude > 1e-9 { return sum / (3 * area) }
    return ring.reduce(.zero, +) / Double(ring.count)
  }
}
