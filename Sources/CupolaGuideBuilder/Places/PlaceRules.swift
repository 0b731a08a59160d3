/// Which features of a map visitors look for, and what of their tags they want to know.
struct PlaceRules {
  /// What a feature is called by kind; `nil` when nobody looks for it.
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

  /// Tags that are kept for visitors.
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

  /// Whether nobody walks straight on where a building is: not one without walls, or below the ground.
  static func isInTheWay(_ feature: MapFeature) -> Bool {
    isBuilding(feature) && !withoutWalls.contains(feature["building"] ?? "")
      && feature["location"] != "underground" && feature["layer"]?.hasPrefix("-") != true
  }

  private static let withoutWalls: Set<String> = ["roof", "carport", "canopy", "bridge"]

  /// What a building is called: its name, or the label that the recognizer answers.
  static func name(ofBuilding feature: MapFeature) -> String? {
    feature["name"] ?? feature["cupola:label"]
  }

  static func tags(of feature: MapFeature) -> [String: String] {
    feature.tags.filter { kept.contains($0.key) && !$0.value.isEmpty }
  }
}
