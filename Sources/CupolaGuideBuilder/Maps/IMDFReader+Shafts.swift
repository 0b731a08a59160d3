internal import CupolaSupport

extension IMDFReader {
  /// Adds what leads from floor to floor: IMDF draws a stairwell or elevator on each floor by itself, and they belong
  /// together where a relationship says so or where they lie above each other.
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
    // More is no building.
    guard all.count <= 3_000 else {
      let fault = "more than 3000 stairs and elevators; floors are not joined: split the venue"
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

  /// Joins what lies above each other on neighboring floors.
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

  /// Adds one point on all floors; where a floor's outline does not have it, a way leads there.
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

  /// Adds a line from a point of the lower outline to one of the upper outline.
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
