internal import CupolaGuide

/// Whom a point on a way stops: gates, bollards, kerbs and the like.
struct BarrierRules {
  static func barred(by tags: [String: String]) -> WayAccess {
    let feature = MapFeature(id: "", tags: tags, geometry: .point(0))
    var barred = WayAccess()
    let kind = feature["barrier"]
    if let kind, stopsWheels.contains(kind), feature["wheelchair"] != "yes" {
      barred.formUnion(.stepFree)
    }
    if ["raised", "rolled"].contains(feature["kerb"]), feature["wheelchair"] != "yes" {
      barred.formUnion(.stepFree)
    }
    if feature["wheelchair"] == "no", !isStopOrPlace(feature) { barred.formUnion(.stepFree) }
    let isBarrier = kind != nil && kind != "kerb"
    let isLocked = isBarrier && feature["locked"] == "yes"
    // Beside or over other barriers than gates people get past.
    let onFoot =
      WayRules.isOpen(feature, ["foot", "access"]) ?? (isLocked && kind == "gate" ? false : nil)
    if let onFoot, isBarrier || feature["highway"] != nil {
      if !onFoot { barred.formUnion(.onFoot) }
    }
    let drives =
      WayRules.isOpen(feature, ["motorcar", "motor_vehicle", "vehicle", "access"])
      ?? (isLocked ? false : nil)
    if let drives, isBarrier || feature["highway"] != nil {
      if !drives { barred.formUnion(.drive) }
    } else if let kind, stopsCars.contains(kind) {
      barred.formUnion(.drive)
    }
    return barred
  }

  /// Whether a tag for wheelchairs says who gets into a vehicle or a place there, and not who passes.
  private static func isStopOrPlace(_ feature: MapFeature) -> Bool {
    guard feature["barrier"] == nil, feature["entrance"] == nil, feature["door"] == nil else {
      return false
    }
    return ["amenity", "shop", "tourism"].contains { feature[$0] != nil }
      || stops.contains { feature[$0].map($1.contains) ?? false }
  }

  private static let stops: [String: Set<String>] = [
    "highway": ["bus_stop"], "public_transport": ["stop_position", "platform", "station"],
    "railway": ["stop", "tram_stop", "halt", "station", "platform"],
  ]

  private static let stopsWheels: Set<String> = [
    "stile", "turnstile", "full-height_turnstile", "kissing_gate", "motorcycle_barrier", "step",
    "horse_stile", "hampshire_gate",
  ]
  private static let stopsCars: Set<String> = stopsWheels.union([
    "bollard", "block", "cycle_barrier", "jersey_barrier", "chain", "log", "debris", "planter",
    "bus_trap", "barrier_board", "rope",
  ])
}
