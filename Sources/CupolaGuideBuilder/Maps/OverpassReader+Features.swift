// 1. Convert ways to lines and areas, and multipolygons and building relations to areas.
// 2. Keep the turn restrictions that apply to cars without a time limit.

extension OverpassReader {
  mutating func addWays(to map: inout GuideMap) {
    let needed = Set(
      relations.filter { $0.tags["type"] != "restriction" }
        .flatMap { $0.members.filter { $0.kind == .way }.map(\.ref) })
    for way in ways {
      guard map.hasRoom else { return }
      let isNeeded = needed.contains(way.id)
      guard isNeeded || !way.tags.isEmpty else { continue }
      let points = Self.points(of: way, in: &map)
      if isNeeded {
        let there = points.compactMap(\.self)
        if there.count == points.count, there.count > 1 { linesOfWays[way.id] = there }
      }
      if !way.tags.isEmpty { Self.add(way, points, to: &map) }
    }
  }

  private static func points(of way: OverpassWay, in map: inout GuideMap) -> [Int?] {
    guard !way.nodes.isEmpty else {
      return way.geometry.map { place in place.map { map.point($0) } }
    }
    return way.nodes.enumerated().map { index, node in
      guard node != 0 else { return nil }
      if let point = map.point(ofNode: node) { return point }
      guard index < way.geometry.count, let place = way.geometry[index] else { return nil }
      return map.point(place, node: node)
    }
  }

  private static func add(_ way: OverpassWay, _ points: [Int?], to map: inout GuideMap) {
    let id = "way/\(way.id)"
    func fault(_ problem: String) { map.fault(id, way.tags, problem) }
    guard !points.isEmpty else {
      fault("no nodes; add (._;>;); out; or out geom; to the Overpass query")
      guard let center = way.center else { return }
      let point = map.point(center)
      return map.add(MapFeature(id: id, tags: way.tags, geometry: .point(point)))
    }
    let missing = points.count { $0 == nil }
    if missing > 0 {
      fault(
        "\(missing) of its \(points.count) nodes are missing; add (._;>;); out; "
          + "to the Overpass query")
    }
    let runs = points.split(separator: nil).map { withoutRepeats($0.compactMap(\.self)) }
    let length = runs.reduce(0) { $0 + $1.count }
    if length + missing < points.count { fault("repeated consecutive node; remove one of them") }
    let lines = runs.filter { $0.count > 1 }
    if lines.isEmpty, missing == 0 { fault("way with a single node; extend or delete it") }
    for (index, line) in lines.enumerated() {
      map.add(
        MapFeature(
          id: index == 0 ? id : "\(id)#\(index + 1)", tags: way.tags,
          geometry: geometry(line, way.tags, isWhole: missing == 0)))
    }
  }

  private static func geometry(
    _ line: [Int], _ tags: [String: String], isWhole: Bool
  ) -> MapFeature.Geometry {
    let isRing = isWhole && line.count > 3 && line.first == line.last
    return isRing && AreaRules.isArea(tags) ? .area([Array(line.dropLast())]) : .line(line)
  }

  static func withoutRepeats(_ points: [Int]) -> [Int] {
    var result: [Int] = []
    result.reserveCapacity(points.count)
    for point in points where point != result.last { result.append(point) }
    return result
  }
}

/// The rules that determine which closed OpenStreetMap ways are areas.
///
/// <https://wiki.openstreetmap.org/wiki/Area>, <https://wiki.openstreetmap.org/wiki/Simple_Indoor_Tagging>.
enum AreaRules {
  /// Whether a closed line with these tags outlines a building or a campus.
  static func isOutline(_ tags: [String: String]) -> Bool {
    guard tags["area"] != "no" else { return false }
    return !["", "no"].contains(tags["building"] ?? "") || Grounds.isGrounds(tags)
  }

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

  private static let areaHighways: Set<String> = ["elevator", "platform", "rest_area", "services"]

  private static let keys = [
    "amenity", "boundary", "club", "craft", "emergency", "golf", "healthcare", "historic",
    "landuse", "military", "office", "place", "public_transport", "room", "ruins", "shop",
    "tourism",
  ]

  private static let only: [(String, Set<String>)] = [
    ("power", ["generator", "plant", "substation", "transformer"]),
    ("railway", ["platform", "roundhouse", "station", "turntable"]),
    ("waterway", ["boatyard", "dam", "dock", "riverbank"]),
  ]

  private static let except: [(String, Set<String>)] = [
    ("aeroway", ["runway", "taxiway", "parking_position"]),
    ("leisure", ["slipway", "track"]),
    ("man_made", ["breakwater", "cutline", "embankment", "groyne", "pier", "pipeline"]),
    ("natural", ["arete", "cliff", "coastline", "ridge", "tree_row", "valley"]),
  ]
}

extension OverpassReader {
  /// Converts a multipolygon, or the outline of a building relation, to areas.
  ///
  /// <https://wiki.openstreetmap.org/wiki/Relation:multipolygon>
  mutating func addArea(_ relation: OverpassRelation, to map: inout GuideMap) {
    var tags = relation.tags
    tags["type"] = nil
    // If a relation has no tags of its own, it only repeats the tags of its ways.
    guard !tags.isEmpty else { return }
    let isBuilding = relation.tags["type"] == "building"
    if isBuilding { tags["building"] = tags["building"] ?? "yes" }
    let roles: Set<String> = isBuilding ? ["outline", "outer", ""] : ["outer", "", "inner"]
    let members = relation.members.filter { $0.kind == .way && roles.contains($0.role) }
    if isBuilding, members.contains(where: { isBuildingWay($0.ref) }) {
      // The outline is already a building, so skip the relation.
      return
    }
    let lines = lines(of: members, in: &map)
    let missing = members.count - lines.count
    func fault(_ problem: String) {
      map.fault(relation.name, relation.tags, problem)
    }
    if missing > 0 {
      fault(
        "\(missing) of its \(members.count) ways are missing or incomplete; "
          + "add (._;>;); out; to the Overpass query")
    }
    let count = lines.reduce(0) { $0 + $1.points.count }
    guard areaBudget.take(results: count) else {
      return fault(
        "skipped, because the map's relations have more than \(GuideMap.mostPoints) points in total; "
          + "use a smaller map")
    }
    let areas = AreaAssembly(lines, of: map.points, budget: &areaBudget)
    if missing > 0, areas.areas.isEmpty, Grounds.isGrounds(tags), map.cutGrounds ?? "" == "" {
      map.cutGrounds = tags["name"] ?? ""
    }
    if areas.open > 0, missing == 0 {
      fault("\(areas.open) of its ways do not form a closed ring; join their ends")
    }
    if areas.stray > 0 {
      fault("\(areas.stray) inner rings are outside all outer rings; check the roles of its ways")
    }
    if areas.isTooLarge { fault("too many rings; inner rings ignored: split the relation") }
    if members.isEmpty { fault("no ways with role outer; add its outline") }
    for (index, rings) in areas.areas.enumerated() {
      let id = index == 0 ? relation.name : "\(relation.name)#\(index + 1)"
      map.add(MapFeature(id: id, tags: tags, geometry: .area(rings)), isPart: index > 0)
    }
  }

  /// Copies the tags that only the building relation has to the way that is the building's outline.
  mutating func nameOutlines() {
    for relation in relations where relation.tags["type"] == "building" {
      var tags = relation.tags
      tags["type"] = nil
      let outlines = relation.members.filter { $0.kind == .way && $0.role == "outline" }
      for number in outlines.compactMap({ wayNumbers[$0.ref] })
      where ways[number].tags["building"] != nil {
        ways[number].tags.merge(tags) { own, _ in own }
      }
    }
  }

  private func isBuildingWay(_ id: Int64) -> Bool {
    wayNumbers[id].map { ways[$0].tags["building"] != nil } ?? false
  }

  private func lines(
    of members: [OverpassRelation.Member], in map: inout GuideMap
  ) -> [AreaAssembly.Line] {
    var seen: Set<Int64> = []
    return members.compactMap { member in
      guard seen.insert(member.ref).inserted else {
        return AreaAssembly.Line(points: [], role: .unknown)
      }
      var points = linesOfWays[member.ref] ?? []
      if points.isEmpty {
        let places = member.geometry.compactMap(\.self)
        guard places.count > 1, places.count == member.geometry.count else { return nil }
        points = places.map { map.point($0) }
      }
      let role: AreaAssembly.Role =
        member.role == "inner" ? .inner : member.role == "" ? .unknown : .outer
      return AreaAssembly.Line(points: Self.withoutRepeats(points), role: role)
    }
  }
}

extension OverpassReader {
  /// Adds the turns that a relation forbids for cars. Restrictions that apply only to other vehicles, at certain times
  /// or at red lights are ignored. <https://wiki.openstreetmap.org/wiki/Relation:restriction>
  func addRestriction(_ relation: OverpassRelation, to map: inout GuideMap) {
    let keys = ["restriction:motorcar", "restriction:motor_vehicle", "restriction"]
    guard let value = keys.lazy.compactMap({ relation.tags[$0] }).first else { return }
    // For example, `no_right_turn_on_red` allows the turn when the light is green.
    if value.hasSuffix("_on_red") { return }
    let excepted = (relation.tags["except"] ?? "").split(separator: ";").map {
      $0.filter { $0 != " " }
    }
    guard !excepted.contains(where: { ["motorcar", "motor_vehicle", "vehicle"].contains($0) })
    else { return }
    func fault(_ problem: String) {
      map.fault(relation.name, relation.tags, problem)
    }
    let isOnly = value.hasPrefix("only_")
    guard isOnly || value.hasPrefix("no_") else {
      return fault("unknown restriction; use a value such as no_left_turn")
    }
    let from = ways(relation, "from")
    let to = ways(relation, "to")
    guard !from.isEmpty, !to.isEmpty else {
      return fault(
        "no way with role \(from.isEmpty ? "from" : "to"); add it, or delete the relation")
    }
    guard from.count * to.count <= Self.mostTurns else {
      return fault(
        "too many turns: \(from.count) `from` ways times \(to.count) `to` ways; create one relation per turn"
      )
    }
    guard let via = via(of: relation, map, fault) else { return }
    for from in from where isThere(from, map) {
      for to in to where isThere(to, map) {
        map.add(
          TurnRestriction(
            id: relation.name, isOnly: isOnly, from: "way/\(from)", viaPoint: via.point,
            viaWays: via.ways, to: "way/\(to)",
            isTurningRound: value == "no_u_turn" && from == to && via.ways.isEmpty))
      }
    }
  }

  /// The maximum number of turns in a relation; actual road signs apply to only a few.
  private static let mostTurns = 100

  private func via(
    of relation: OverpassRelation, _ map: GuideMap, _ fault: (String) -> Void
  ) -> (point: Int?, ways: [String])? {
    let ways = ways(relation, "via")
    let nodes = relation.members.filter { $0.kind == .node && $0.role == "via" }.map(\.ref)
    if !ways.isEmpty {
      return ways.allSatisfy { isThere($0, map) } ? (nil, ways.map { "way/\($0)" }) : nil
    }
    guard let node = nodes.first, nodes.count == 1 else {
      fault("\(nodes.count) nodes with role via instead of 1; keep the one at the turn")
      return nil
    }
    return map.point(ofNode: node).map { ($0, []) }
  }

  private func ways(_ relation: OverpassRelation, _ role: String) -> [Int64] {
    var seen: Set<Int64> = []
    return relation.members.filter {
      $0.kind == .way && $0.role == role && seen.insert($0.ref).inserted
    }.prefix(50).map(\.ref)
  }

  /// Whether a way is on the map. It is not a fault if a turn is beyond the edge of the map.
  private func isThere(_ way: Int64, _ map: GuideMap) -> Bool {
    map.feature("way/\(way)") != nil
  }
}
