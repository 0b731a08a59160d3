internal import CupolaGuide
internal import CupolaTours

/// Which points are ways into a building by OpenStreetMap's tag `entrance`.
struct Entrances {
  /// Whether visitors come in there.
  static func isWayIn(_ feature: MapFeature) -> Bool {
    feature["entrance"] != nil && isOpen(feature)
  }

  /// Whether visitors come in by an entrance or a door.
  static func isOpen(_ feature: MapFeature) -> Bool {
    if let kind = feature["entrance"], closed.contains(kind) { return false }
    return WayRules.isOpen(feature, ["foot", "access"]) ?? true
  }

  private static let closed: Set<String> = [
    "no", "emergency", "exit", "garage", "emergency_ward_entrance",
  ]

  /// Whether it is for deliveries or staff: used where a building has no other.
  static func isBackDoor(_ feature: MapFeature) -> Bool {
    ["service", "staff", "residence"].contains(feature["entrance"])
  }

  /// Who comes in there.
  static func access(of feature: MapFeature) -> WayAccess {
    feature["wheelchair"] == "no" ? .walk : .onFoot
  }
}
