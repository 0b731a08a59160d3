extension OverpassReader {
  /// Makes areas of a multipolygon or of the outline of a building's relation.
  ///
  /// <https://wiki.openstreetmap.org/wiki/Relation:multipolygon>
  mutating func addArea(_ relation: OverpassRelation, to map: inout GuideMap) {
    var tags = relation.tags
    tags["type"] = nil
    // Without tags of its own it only says what its ways say.
    guard !tags.isEmpty else { return }
    let isBuilding = relation.tags["type"] == "building"
    if isBuilding { tags["building"] = tags["building"] ?? "yes" }
    let roles: Set<String> = isBuilding ? ["outline", "outer", ""] : ["outer", "", "inner"]
    let members = relation.members.filter { $0.kind == .way && roles.contains($0.role) }
    if isBuilding, members.contains(where: { isBuildingWay($0.ref) }) {
      // The outline is a building by itself.
      return
    }
    let lines = lines(of: members, in: &map)
    let missing = members.count - lines.count
    func fault(_ problem: String) {
      map.add(MapFault(relation.name, tags: relation.tags, problem))
    }
    if missing > 0 {
      fault(
        "\(missing) of its \(members.count) ways are not whole in the map; "
          + "ask Overpass for them, by (._;>;); out;")
    }
    let count = lines.reduce(0) { $0 + $1.points.count }
    guard count <= areaPoints else {
      return fault(
        "left out, because the relations of the map have more than \(GuideMap.mostPoints) points together; "
          + "make a guide of fewer")
    }
    areaPoints -= count
    let areas = AreaAssembly(lines, of: map.points, budget: &areaBudget)
    if missing > 0, areas.areas.isEmpty, Grounds.isGrounds(tags), map.cutGrounds ?? "" == "" {
      map.cutGrounds = tags["name"] ?? ""
    }
    if areas.open > 0, missing == 0 {
      fault("\(areas.open) of its ways do not close to a ring; join their ends")
    }
    if areas.stray > 0 {
      fault("\(areas.stray) inner rings lie in no outer ring; check the roles of its ways")
    }
    if areas.isTooLarge { fault("too many rings; its inner ones are left out: split it") }
    if members.isEmpty { fault("no ways with the role outer; add its outline") }
    for (index, rings) in areas.areas.enumerated() {
      let id = index == 0 ? relation.name : "\(relation.name)#\(index + 1)"
      map.add(MapFeature(id: id, tags: tags, geometry: .area(rings)), isPart: index > 0)
    }
  }

  /// Gives what only a building's relation says of it to the way that is its outline.
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

  /// The lines of members that are whole, each once.
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
