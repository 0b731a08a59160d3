internal import CupolaGuide
internal import CupolaSupport

extension IMDFReader {
  /// How many openings are compared with units or their edges: some seconds of work.
  private static let mostPairs = 200_000_000

  /// Adds a door in the middle of each opening, which also becomes a point of the rings that it is on.
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
        let fault = "its level_id is no level; set it"
        map.add(MapFault(name, tags: opening.commonTags, fault))
        continue
      }
      guard case .line(let line) = opening.shapes.first, let middle = MapPoint.middle(along: line)
      else {
        let fault = "its geometry is no line; draw it across the doorway"
        map.add(MapFault(name, tags: opening.commonTags, fault))
        continue
      }
      let candidates = byLevel[level] ?? []
      pairs += candidates.count + buildings.count
      guard pairs <= Self.mostPairs else {
        map.add(MapFault("opening.geojson", "too many openings; split the venue"))
        return
      }
      let near = candidates.filter { units[$0].isNear(middle) }
      pairs += near.reduce(0) { $0 + units[$1].size }
      let count = near.count { units[$0].take(middle) }
      if count == 0 {
        let fault = "no unit within 10 cm of its middle; move it onto the outlines of its units"
        map.add(MapFault(name, tags: opening.commonTags, fault))
      }
      add(opening, at: middle, level, isOutside: count < 2, to: &map)
    }
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
      for index in buildings.indices { _ = buildings[index].take(middle) }
    }
    ids.add("opening/\(opening.id)", tags, [.point(middle)], to: &map)
  }
}
