extension OverpassReader {
  /// Makes lines and areas of the ways that have tags, and keeps the points of those that relations need.
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

  /// The points of its nodes; `nil` for a node that is not in the map.
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
    func fault(_ problem: String) { map.add(MapFault(id, tags: way.tags, problem)) }
    guard !points.isEmpty else {
      fault("no nodes; ask Overpass for them, by (._;>;); out; or by out geom;")
      guard let center = way.center else { return }
      let point = map.point(center)
      return map.add(MapFeature(id: id, tags: way.tags, geometry: .point(point)))
    }
    let missing = points.count { $0 == nil }
    if missing > 0 {
      fault(
        "\(missing) of its \(points.count) nodes are not in the map; ask Overpass for them, "
          + "by (._;>;); out;")
    }
    let runs = points.split(separator: nil).map { withoutRepeats($0.compactMap(\.self)) }
    let length = runs.reduce(0) { $0 + $1.count }
    if length + missing < points.count { fault("a node stands twice in a row; remove it once") }
    let lines = runs.filter { $0.count > 1 }
    if lines.isEmpty, missing == 0 { fault("a single node; delete the way, or draw it on") }
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

  /// Points of which none is the same as the one before it.
  static func withoutRepeats(_ points: [Int]) -> [Int] {
    var result: [Int] = []
    result.reserveCapacity(points.count)
    for point in points where point != result.last { result.append(point) }
    return result
  }
}
