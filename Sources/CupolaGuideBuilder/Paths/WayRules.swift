internal import CupolaGuide

// 1. Determine who may use a way, from documented defaults and from tags that override them.
// 2. Determine which modes are blocked by a barrier, and which doors visitors can use.

/// Access rules for OpenStreetMap tags: documented worldwide defaults, and tags that override them.
///
/// <https://wiki.openstreetmap.org/wiki/OSM_tags_for_routing/Access_restrictions>
struct WayRules {
  static func way(of feature: MapFeature) -> (way: PathDraft.Way, access: WayAccess)? {
    anyWay(of: feature).flatMap { $0.access.isEmpty ? nil : $0 }
  }

  /// Returns a road that is closed for everyone on the map, such as a private track; `nil` for other features.
  static func closedRoad(of feature: MapFeature) -> PathDraft.Way? {
    guard let (way, access) = anyWay(of: feature), access.isEmpty,
      way.kind == .street || feature["highway"] == "track"
    else { return nil }
    return way
  }

  private static func anyWay(
    of feature: MapFeature
  ) -> (way: PathDraft.Way, access: WayAccess)? {
    guard let highway = highway(of: feature), let base = defaults[highway] else { return nil }
    var access = WayAccess()
    if onFoot(feature, byDefault: base.onFoot) { access.formUnion(.onFoot) }
    if drives(feature, highway, byDefault: base.speed > 0) { access.formUnion(.drive) }
    if access.contains(.stepFree), !isStepFree(feature, highway) { access.subtract(.stepFree) }
    applyOneway(feature, highway, &access)
    var way = PathDraft.Way(
      id: feature.id, name: name(of: feature, highway), kind: kind(of: feature, highway, base))
    way.speed = access.isDisjoint(with: .drive) ? 0 : speed(of: feature, base.speed)
    way.incline = incline(feature["incline"])
    way.stepCount = feature["step_count"].flatMap { Int32($0) }.map { max(0, min($0, 10_000)) } ?? 0
    way.isLocal = isLocal(feature)
    way.isParkingAisle = feature["service"] == "parking_aisle"
    way.isRoundabout = isRoundabout(feature)
    way.isRamp =
      highway == "motorway" || highway.hasSuffix("_link") || feature["motorroad"] == "yes"
    way.isMain = way.kind == .street && ["trunk", "primary", "secondary"].contains(highway)
    way.form = form(of: feature, way.kind)
    way.isIndoor = ["yes", "corridor"].contains(feature["indoor"]) || highway == "corridor"
    way.isTrack = highway == "track" && way.kind == .path && !way.isIndoor
    return (way, access)
  }

  /// Returns the name of a way. People call railway platforms by their numbers or letters; the name of a bus stop is not
  /// that of a way.
  private static func name(of feature: MapFeature, _ highway: String) -> String? {
    let name = feature["name"].map(StreetName.text)
    guard highway == "platform" else { return name }
    let isOfTrains =
      feature["railway"] == "platform"
      || ["light_rail", "subway", "train", "tram"].contains { feature[$0] == "yes" }
    guard isOfTrains else { return nil }
    guard let number = name ?? feature["ref"] else { return "the platform" }
    return number.first?.isNumber ?? false || isLabel(number)
      ? "platform \(number.replacing(";", with: "/"))" : number
  }

  /// Whether a text has no words, but only short labels, such as "C" or "B1".
  private static func isLabel(_ text: String) -> Bool {
    text.split { !$0.isLetter }.allSatisfy { $0.count < 3 }
  }

  /// Returns the IDs of the platforms below ground.
  static func platformsBelowGround(on map: GuideMap) -> Set<String> {
    let platforms = map.features.filter { feature in
      let highest = Levels(of: feature)?.numbers.last
      return highway(of: feature) == "platform"
        && (highest ?? 0 < 0 || feature["location"] == "underground")
    }
    return Set(platforms.map(\.id))
  }

  private static func highway(of feature: MapFeature) -> String? {
    if let highway = feature["highway"] { return highway }
    return feature["railway"] == "platform" || feature["public_transport"] == "platform"
      ? "platform" : nil
  }

  /// The default access for pedestrians, the default speed of cars in km/h (0 if cars are not allowed), and the kind.
  private typealias Default = (onFoot: Bool, speed: UInt8, kind: WayKind)

  private static let defaults: [String: Default] = [
    "motorway": (false, 105, .street), "motorway_link": (false, 60, .street),
    "trunk": (true, 85, .street), "trunk_link": (true, 50, .street),
    "primary": (true, 60, .street), "primary_link": (true, 45, .street),
    "secondary": (true, 50, .street), "secondary_link": (true, 40, .street),
    "tertiary": (true, 45, .street), "tertiary_link": (true, 35, .street),
    "unclassified": (true, 40, .street), "residential": (true, 30, .street),
    "living_street": (true, 10, .street), "road": (true, 30, .street),
    "service": (true, 15, .street), "busway": (false, 0, .street),
    "track": (true, 10, .path), "pedestrian": (true, 0, .path), "footway": (true, 0, .path),
    "path": (true, 0, .path), "cycleway": (false, 0, .path), "bridleway": (false, 0, .path),
    "platform": (true, 0, .path), "corridor": (true, 0, .corridor), "steps": (true, 0, .steps),
  ]

  private static func kind(of feature: MapFeature, _ highway: String, _ base: Default) -> WayKind {
    if feature["conveying"].map({ $0 != "no" }) ?? false { return .escalator }
    if base.kind != .street, feature[highway] == "crossing" || feature["crossing"] != nil,
      highway != "steps"
    {
      return .crossing
    }
    return base.kind
  }

  private static func form(of feature: MapFeature, _ kind: WayKind) -> PathDraft.Way.Form {
    guard kind == .street || kind == .path else { return .open }
    let tunnel = feature["tunnel"] ?? "no"
    if tunnel == "building_passage" || ["yes", "arcade"].contains(feature["covered"]) {
      return .passage
    }
    if !["no", "culvert"].contains(tunnel) { return .tunnel }
    return feature["service"] == "alley" ? .alley : .open
  }

  private static func isLocal(_ feature: MapFeature) -> Bool {
    let local = ["driveway", "parking_aisle", "drive-through", "emergency_access"]
    if local.contains(feature["service"] ?? "") {
      return true
    }
    let keys = ["motorcar", "motor_vehicle", "vehicle", "access"]
    let said = keys.lazy.compactMap { feature[$0] }.first ?? ""
    return said.tagValues.contains { $0 == "destination" || $0 == "customers" }
  }

  private static func onFoot(_ feature: MapFeature, byDefault base: Bool) -> Bool {
    if feature["foot"] == "use_sidepath" { return false }
    // A way with `motorroad` follows the rules of a motorway.
    return isOpen(feature, ["foot", "access"]) ?? (base && feature["motorroad"] != "yes")
  }

  private static func drives(
    _ feature: MapFeature, _ highway: String, byDefault base: Bool
  ) -> Bool {
    guard feature["area"] != "yes" else { return false }
    if base { return isOpen(feature, ["motorcar", "motor_vehicle", "vehicle", "access"]) ?? true }
    // Cars may use paths only if a tag specific to cars allows it.
    return paths.contains(highway) && isOpen(feature, ["motorcar", "motor_vehicle"]) ?? false
  }

  private static let paths: Set<String> = [
    "pedestrian", "footway", "path", "cycleway", "bridleway",
  ]

  /// Returns the access according to the first tag that specifies it; `nil` if none does. If a tag has several values,
  /// such as `private;customers`, one that grants access is sufficient.
  static func isOpen(_ feature: MapFeature, _ keys: [String]) -> Bool? {
    for key in keys {
      guard let text = feature[key] else { continue }
      let said = text.tagValues
      if said.contains(where: { openValues.contains($0) }) { return true }
      if said.contains(where: { closedValues.contains($0) }) { return false }
    }
    return nil
  }

  private static let openValues: Set<Substring> = [
    "yes", "designated", "permissive", "destination", "customers", "official", "public",
  ]
  private static let closedValues: Set<Substring> = [
    "no", "private", "agricultural", "forestry", "delivery", "military", "emergency", "permit",
    "residents", "employees", "staff", "students", "psv", "bus",
  ]

  private static func isStepFree(_ feature: MapFeature, _ highway: String) -> Bool {
    guard highway != "steps", feature["wheelchair"] != "no",
      !(feature["conveying"].map { $0 != "no" } ?? false)
    else { return false }
    // The limit is 1:10; ADA and DIN 18040 limit ramps to about 1:12 and 1:17.
    if incline(feature["incline"]).magnitude > 0.1 { return false }
    // Mountain and alpine hiking, including the demanding and difficult variants.
    let scale = feature["sac_scale"] ?? ""
    return !(scale.hasSuffix("mountain_hiking") || scale.hasSuffix("alpine_hiking"))
  }

  private static func isRoundabout(_ feature: MapFeature) -> Bool {
    ["roundabout", "circular"].contains(feature["junction"])
  }

  private static func applyOneway(
    _ feature: MapFeature, _ highway: String, _ access: inout WayAccess
  ) {
    let implied =
      isRoundabout(feature) || ["motorway", "motorway_link"].contains(highway) ? "yes" : "no"
    switch feature["oneway:motorcar"] ?? feature["oneway:motor_vehicle"] ?? feature["oneway"]
      ?? implied
    {
    case "yes", "1", "true": access.remove(.driveBackward)
    case "-1", "reverse": access.remove(.driveForward)
    case "reversible", "alternating": access.subtract(.drive)
    default: break
    }
    // `conveying=yes` does not specify a direction.
    let conveying = feature["conveying"].flatMap { $0 == "yes" ? nil : $0 }
    switch feature["oneway:foot"] ?? feature["foot:oneway"] ?? conveying ?? "no" {
    case "yes", "1", "forward": access.subtract([.walkBackward, .stepFreeBackward])
    case "-1", "backward": access.subtract([.walkForward, .stepFreeForward])
    default: break
    }
  }

  private static let walkingPace: UInt8 = 7

  private static func speed(of feature: MapFeature, _ base: UInt8) -> UInt8 {
    let base = max(base, walkingPace)
    guard let text = feature["maxspeed"] else { return base }
    if text == "walk" { return walkingPace }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Double(digits), number > 0, number < 400 else { return base }
    let speed = text.hasSuffix("mph") ? number * 1.609344 : number
    return UInt8(min(max(speed.rounded(), 1), 200))
  }

  /// Returns the slope in meters per meter, parsed by ``Incline`` or, if that fails, from the leading number.
  static func incline(_ text: String?) -> Float {
    guard let text else { return 0 }
    let number = text.prefix { $0 == "-" || $0 == "+" || $0 == "." || ($0.isASCII && $0.isNumber) }
    return Incline.slope(text) ?? Incline.slope(String(number)) ?? 0
  }
}

struct BarrierRules {
  static func blocked(by tags: [String: String]) -> WayAccess {
    let feature = MapFeature(id: "", tags: tags, geometry: .point(0))
    var blocked = WayAccess()
    let kind = feature["barrier"]
    if let kind, stopsWheels.contains(kind), feature["wheelchair"] != "yes" {
      blocked.formUnion(.stepFree)
    }
    if ["raised", "rolled"].contains(feature["kerb"]), feature["wheelchair"] != "yes" {
      blocked.formUnion(.stepFree)
    }
    if feature["wheelchair"] == "no", !isStopOrPlace(feature) { blocked.formUnion(.stepFree) }
    let isBarrier = kind != nil && kind != "kerb"
    let isLocked = isBarrier && feature["locked"] == "yes"
    // People on foot can bypass locked barriers, except gates.
    let onFoot =
      WayRules.isOpen(feature, ["foot", "access"]) ?? (isLocked && kind == "gate" ? false : nil)
    if let onFoot, isBarrier || feature["highway"] != nil {
      if !onFoot { blocked.formUnion(.onFoot) }
    }
    let drives =
      WayRules.isOpen(feature, ["motorcar", "motor_vehicle", "vehicle", "access"])
      ?? (isLocked ? false : nil)
    if let drives, isBarrier || feature["highway"] != nil {
      if !drives { blocked.formUnion(.drive) }
    } else if let kind, stopsCars.contains(kind) {
      blocked.formUnion(.drive)
    }
    return blocked
  }

  /// Whether the wheelchair tag describes access to a vehicle or place, instead of the way itself.
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

struct Entrances {
  static func isWayIn(_ feature: MapFeature) -> Bool {
    feature["entrance"] != nil && isOpen(feature)
  }

  static func isOpen(_ feature: MapFeature) -> Bool {
    if let kind = feature["entrance"], closed.contains(kind) { return false }
    return WayRules.isOpen(feature, ["foot", "access"]) ?? true
  }

  private static let closed: Set<String> = [
    "no", "emergency", "exit", "garage", "emergency_ward_entrance",
  ]

  static func isBackDoor(_ feature: MapFeature) -> Bool {
    ["service", "staff", "residence"].contains(feature["entrance"])
  }

  static func access(of feature: MapFeature) -> WayAccess {
    feature["wheelchair"] == "no" ? .walk : .onFoot
  }
}
