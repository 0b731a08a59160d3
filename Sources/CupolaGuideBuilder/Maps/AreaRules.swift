/// Which closed ways of OpenStreetMap are areas.
///
/// <https://wiki.openstreetmap.org/wiki/Area>, <https://wiki.openstreetmap.org/wiki/Simple_Indoor_Tagging>.
enum AreaRules {
  /// Whether a closed way with these tags is an area rather than a line that ends where it begins.
  static func isArea(_ tags: [String: String]) -> Bool {
    switch tags["area"] {
    case "yes": return true
    case "no": return false
    default: break
    }
    func has(_ key: String) -> Bool { tags[key].map { $0 != "no" && !$0.isEmpty } ?? false }
    if let indoor = tags["indoor"] {
      if ["room", "area", "corridor", "level"].contains(indoor) { return true }
      if indoor == "wall" || indoor == "door" { return false }
    }
    if has("building") || has("building:part") || has("area:highway") { return true }
    if let highway = tags["highway"] { return areaHighways.contains(highway) }
    if has("barrier") { return false }
    return keys.contains { has($0) }
      || only.contains { tags[$0].map($1.contains) ?? false }
      || except.contains { has($0) && !(tags[$0].map($1.contains) ?? false) }
  }

  private static let areaHighways: Set<String> = [
    "elevator", "platform", "rest_area", "services",
  ]

  /// Keys that make an area whatever their value is.
  private static let keys = [
    "amenity", "boundary", "club", "craft", "emergency", "golf", "healthcare", "historic",
    "landuse", "military", "office", "place", "public_transport", "room", "ruins", "shop",
    "tourism",
  ]

  /// Keys that make an area with these values.
  private static let only: [(String, Set<String>)] = [
    ("power", ["generator", "plant", "substation", "transformer"]),
    ("railway", ["platform", "roundhouse", "station", "turntable"]),
    ("waterway", ["boatyard", "dam", "dock", "riverbank"]),
  ]

  /// Keys that make an area but with these values.
  private static let except: [(String, Set<String>)] = [
    ("aeroway", ["runway", "taxiway", "parking_position"]),
    ("leisure", ["slipway", "track"]),
    ("man_made", ["breakwater", "cutline", "embankment", "groyne", "pier", "pipeline"]),
    ("natural", ["arete", "cliff", "coastline", "ridge", "tree_row", "valley"]),
  ]
}
