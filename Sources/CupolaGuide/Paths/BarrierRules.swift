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
    if feature["wheelchair"] == "no" { barred.formUnion(.stepFree) }
    let isBarrier = kind != nil && kind != "kerb"
    if let onFoot = WayRules.isOpen(feature, ["foot", "access"]),
      isBarrier || feature["highway"] != nil
    {
      if !onFoot { barred.formUnion(.onFoot) }
    }
    let drives = WayRules.isOpen(feature, ["motorcar", "motor_vehicle", "vehicle", "access"])
    if let drives, isBarrier || feature["highway"] != nil {
      if !drives { barred.formUnion(.drive) }
    } else if let kind, stopsCars.contains(kind) {
      barred.formUnion(.drive)
    }
    return barred
  }

  private static let stopsWheels: Set<String> = [
    "stile", "turnstile", "full-height_turnstile", "kissing_gate", "motorcycle_barrier", "step",
    "horse_stile", "hampshire_gate",
  ]
  private static let stopsCars: Set<String> = stopsWheels.union([
    "bollard", "block", "cycle_barrier", "jersey_barrier", "chain", "log", "debris", "planter",
    "bus_trap", "barrier_board", "rope",
  ])
}
