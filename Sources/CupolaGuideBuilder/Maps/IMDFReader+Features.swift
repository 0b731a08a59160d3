internal import CupolaGuide
internal import CupolaSupport

// 1. For each opening, insert a door at its midpoint into the rings of the units on both sides, and let open units that
//    touch share a point.
// 2. Connect stairs and elevators on consecutive floors, and add amenities and occupants.

extension IMDFReader {
  /// The maximum number of comparisons between openings and units or their edges (a few seconds in total).
  private static let mostPairs = 200_000_000

  mutating func addOpenings(to map: inout GuideMap) {
    let openings = features("opening")
    var byLevel: [Int: [Int]] = [:]
    for (number, unit) in units.enumerated() {
      if let level = unit.level { byLevel[level, default: []].append(number) }
    }
    var pairs = 0
    for opening in openings {
      let name = "opening/\(opening.id)"
      guard let level = opening["level_id"].flatMap({ ordinals[$0] }) else {
        map.fault(name, opening.commonTags, "level_id does not refer to a level; correct it")
        continue
      }
      guard case .line(let line) = opening.shapes.first, let middle = MapPoint.middle(along: line)
      else {
        map.fault(name, opening.commonTags, "geometry is not a line; draw it across the doorway")
        continue
      }
      let candidates = byLevel[level] ?? []
      pairs += candidates.count + buildings.count
      guard pairs <= Self.mostPairs else {
        map.add(MapFault("opening.geojson", "too many openings; split the venue"))
        return
      }
      let near = candidates.filter { units[$0].isNear(middle) }
      pairs += 2 * near.reduce(0) { $0 + units[$1].size }
      let count = unitsBeside(middle, of: near).count { units[$0].take(middle) }
      let isOutside = count < 2 && isOnOutline(middle, level)
      if !isOutside, count < 2 {
        map.fault(
          name, opening.commonTags,
          "\(count == 0 ? "no unit" : "only one unit") within 50 cm of its midpoint; "
            + "move it onto the outlines of both units, or draw the missing unit")
      }
      add(opening, at: middle, level, isOutside: isOutside, to: &map)
    }
  }

  /// Returns the units that an opening connects: all units whose outlines it touches, and at least the two nearest
  /// ones, which may be on the two sides of a wall.
  private func unitsBeside(_ place: MapPoint, of near: [Int]) -> [Int] {
    let sorted = near.compactMap { unit in
      units[unit].distance(to: place).map { (distance: $0, unit: unit) }
    }.sorted { ($0.distance, $0.unit) < ($1.distance, $1.unit) }
    let count = max(2, sorted.count { $0.distance <= IMDFSpace.touch })
    return sorted.prefix(count).map(\.unit)
  }

  /// Whether a door is on the outline of a building, a level or the venue, and therefore leads outside.
  private func isOnOutline(_ place: MapPoint, _ level: Int) -> Bool {
    outlines.isEmpty
      || (buildings + outlines).contains {
        ($0.level ?? level) == level
          && $0.distance(to: place, within: IMDFSpace.outerReach) != nil
      }
  }

  /// Adds a shared point to open units, such as walkways, that touch each other. IMDF draws no openings between them.
  mutating func joinOpenUnits(to map: inout GuideMap) {
    let open = units.indices.filter { Self.isOpen(units[$0]) }
    var pairs = 0
    for (number, a) in open.enumerated() {
      for b in open[(number + 1)...] where units[a].level == units[b].level {
        pairs += units[a].isNear(units[b]) ? units[a].size * units[b].size : 1
        guard pairs <= Self.mostPairs else {
          map.add(MapFault("unit.geojson", "too many walkways; split the venue"))
          return
        }
        guard let place = units[a].contact(with: units[b]) else { continue }
        _ = units[a].take(place, asDoor: false)
        _ = units[b].take(place, asDoor: false)
      }
    }
  }

  private static func isOpen(_ unit: IMDFSpace) -> Bool {
    let feature = MapFeature(id: unit.id, tags: unit.tags, geometry: .point(0))
    return ["corridor", "area"].contains(feature["indoor"])
      && WayRules.isOpen(feature, ["foot", "access"]) ?? true
  }

  private mutating func add(
    _ opening: IMDFFeature, at middle: MapPoint, _ level: Int, isOutside: Bool,
    to map: inout GuideMap
  ) {
    let door = opening.properties["door"]?.members
    var tags = IMDFCategories.door(
      door?["type"]?.text, isAutomatic: door?["automatic"] == .boolean(true))
    tags.merge(opening.commonTags) { $1 }
    tags["level"] = String(level)
    let category = opening["category"] ?? "pedestrian"
    if isOutside || ["pedestrian.principal", "emergencyexit"].contains(category) {
      tags["entrance"] = IMDFCategories.entrance(category)
      for index in buildings.indices {
        _ = buildings[index].take(middle, within: IMDFSpace.outerReach)
      }
    }
    ids.add("opening/\(opening.id)", tags, [.point(middle)], to: &map)
  }
}

extension IMDFReader {
  /// Adds connections between floors. IMDF draws a separate part of a shaft on each floor; related or overlapping parts
  /// are joined.
  mutating func addShafts(to map: inout GuideMap) {
    let all = units.indices.filter {
      IMDFCategories.shaft(units[$0].category) != nil && !units[$0].outline.isEmpty
    }
    var groups = DisjointSets(count: units.count)
    var forward: Set<[Int]> = []
    for relationship in features("relationship") {
      let names = ["origin", "destination"].map { relationship.properties[$0]?.members?["id"]?.tag }
      let ends = names.compactMap { $0.flatMap { unitNumbers[$0] } }
      guard ends.count == 2, isShaft(ends[0], ends[1]) else { continue }
      groups.join(ends[0], ends[1])
      if relationship["direction"] == "directed" { forward.insert(ends) }
    }
    guard all.count <= 3_000 else {
      let fault = "more than 3000 stairs and elevators; floors are not connected: split the venue"
      return map.add(MapFault("unit.geojson", fault))
    }
    joinStacked(all, &groups)
    let shafts = Dictionary(grouping: all) { groups.root(of: $0) }
    for root in shafts.keys.sorted() {
      let members = (shafts[root] ?? []).sorted {
        (units[$0].level ?? 0, $0) < (units[$1].level ?? 0, $1)
      }
      add(members, forward, to: &map)
    }
  }

  private func isShaft(_ a: Int, _ b: Int) -> Bool {
    guard let kind = IMDFCategories.shaft(units[a].category) else { return false }
    return IMDFCategories.shaft(units[b].category) == kind
  }

  private func joinStacked(_ all: [Int], _ groups: inout DisjointSets) {
    let levels = Set(units.compactMap(\.level)).sorted()
    let order = Dictionary(uniqueKeysWithValues: levels.enumerated().map { ($1, $0) })
    let byOrder = Dictionary(grouping: all) { units[$0].level.flatMap { order[$0] } ?? 0 }
    for (a, floor) in all.compactMap({ a in units[a].level.flatMap { order[$0] }.map { (a, $0) } })
    {
      for b in byOrder[floor + 1] ?? [] where isShaft(a, b) && units[a].overlaps(units[b]) {
        groups.join(a, b)
      }
    }
  }

  private mutating func add(_ members: [Int], _ forward: Set<[Int]>, to map: inout GuideMap) {
    guard let lowest = members.first, let kind = IMDFCategories.shaft(units[lowest].category),
      members.contains(where: { units[$0].level != units[lowest].level })
    else { return }
    if kind == .elevator { return addElevator(members, to: &map) }
    for (a, b) in zip(members, members.dropFirst()) where units[a].level != units[b].level {
      addSteps(kind, from: a, to: b, forward: forward, to: &map)
    }
  }

  private mutating func addElevator(_ members: [Int], to map: inout GuideMap) {
    guard let lowest = members.first, let place = units[lowest].access else { return }
    let id = "elevator/\(units[lowest].id)"
    for unit in members where !units[unit].take(place, asDoor: false) {
      guard let access = units[unit].access, let level = units[unit].level else { continue }
      let tags = ["highway": "corridor", "indoor": "yes", "level": String(level)]
      ids.add("\(id)/\(level)", tags, [.line([access, place])], to: &map)
    }
    let levels = Set(members.compactMap { units[$0].level }).sorted().map { String($0) }
    var tags = ["highway": "elevator", "level": levels.joined(separator: ";")]
    for key in ["name", "access", "wheelchair"] { tags[key] = units[lowest].tags[key] }
    ids.add(id, tags, [.point(place)], to: &map)
  }

  private mutating func addSteps(
    _ kind: IMDFCategories.Shaft, from a: Int, to b: Int, forward: Set<[Int]>,
    to map: inout GuideMap
  ) {
    guard let start = units[a].access, var end = units[b].access, let low = units[a].level,
      let high = units[b].level
    else { return }
    if start == end { end = units[b].farthest(from: start) ?? end }
    guard start != end else { return }
    var tags = ["level": "\(low);\(high)", "indoor": "yes", "incline": "up"]
    tags["highway"] = kind == .ramp ? "footway" : "steps"
    for key in ["name", "access"] { tags[key] = units[a].tags[key] }
    var line = [start, end]
    if kind == .escalator {
      let isDown = forward.contains([b, a]) && !forward.contains([a, b])
      tags["conveying"] = isDown || forward.contains([a, b]) ? "forward" : "yes"
      if isDown {
        line.reverse()
        tags["incline"] = "down"
      }
    }
    let id = "\(kind.rawValue)/\(units[a].id)/\(units[b].id)"
    ids.add(id, tags, [.line(line)], to: &map)
  }
}

extension IMDFReader {
  mutating func addPlaces(to map: inout GuideMap) {
    for amenity in features("amenity") {
      var tags = IMDFCategories.amenity(amenity["category"] ?? "unspecified")
      tags.merge(amenity.commonTags) { $1 }
      tags["level"] = amenity.list("unit_ids").compactMap { level(ofUnit: $0) }.first
      ids.add("amenity/\(amenity.id)", tags, amenity.shapes, to: &map)
    }
    let anchors = Dictionary(features("anchor").map { ($0.id, $0) }) { first, _ in first }
    for kiosk in features("kiosk") {
      var tags = ["indoor": "area", "shop": "kiosk"].merging(kiosk.commonTags) { $1 }
      tags["level"] = kiosk["level_id"].flatMap { ordinals[$0] }.map { String($0) }
      ids.add("kiosk/\(kiosk.id)", tags, kiosk.shapes, to: &map)
    }
    var named: Set<Int> = []
    for occupant in features("occupant") {
      guard let anchor = occupant["anchor_id"].flatMap({ anchors[$0] }) else {
        map.fault(
          "occupant/\(occupant.id)", occupant.commonTags,
          "anchor_id does not refer to an anchor; correct it")
        continue
      }
      let unit = anchor["unit_id"].flatMap { unitNumbers[$0] }
      if let unit, named.insert(unit).inserted {
        name(unit, after: occupant)
      } else {
        // Name the unit after its first occupant; the others become places.
        var tags = Self.tags(of: occupant)
        tags["level"] = unit.flatMap { units[$0].level }.map { String($0) }
        ids.add("occupant/\(occupant.id)", tags, anchor.shapes, to: &map)
      }
    }
  }

  private func level(ofUnit id: String) -> String? {
    unitNumbers[id].flatMap { units[$0].level }.map { String($0) }
  }

  /// Names a unit after its occupant. The unit's own name, such as `2.14`, becomes its room number.
  private mutating func name(_ unit: Int, after occupant: IMDFFeature) {
    let tags = Self.tags(of: occupant)
    if let own = units[unit].tags["name"], tags["name"] != nil, own != tags["name"] {
      units[unit].tags["ref"] = own
    }
    units[unit].tags.merge(tags) { $1 }
  }

  private static func tags(of occupant: IMDFFeature) -> [String: String] {
    let kinds = [
      "bank": "bank", "bar": "bar", "cafe": "cafe", "coffee": "cafe", "library": "library",
      "pharmacy": "pharmacy", "postoffice": "post_office", "restaurant": "restaurant",
    ]
    var tags = occupant.commonTags
    guard let category = occupant["category"], category != "unspecified" else { return tags }
    if let kind = kinds[category] {
      tags["amenity"] = kind
    } else {
      tags["imdf:category"] = category
    }
    return tags
  }
}
