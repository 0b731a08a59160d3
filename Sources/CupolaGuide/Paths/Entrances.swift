/// Which points are ways into a building by OpenStreetMap's tag `entrance`.
struct Entrances {
  /// Whether visitors come in there.
  static func isWayIn(_ feature: MapFeature) -> Bool {
    guard let kind = feature["entrance"] else { return false }
    if ["no", "emergency", "exit", "garage", "emergency_ward_entrance"].contains(kind) {
      return false
    }
    return WayRules.isOpen(feature, ["foot", "access"]) ?? true
  }

  /// Whether it is for deliveries or staff: used where a building has no other.
  static func isBackDoor(_ feature: MapFeature) -> Bool {
    ["service", "staff", "residence"].contains(feature["entrance"])
  }

  /// Who comes in there.
  static func access(of feature: MapFeature) -> WayAccess {
    feature["wheelchair"] == "no" ? .walk : .onFoot
  }
}
