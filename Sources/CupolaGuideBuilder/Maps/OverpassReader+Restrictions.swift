extension OverpassReader {
  /// Keeps the turns that a relation keeps cars from.
  ///
  /// <https://wiki.openstreetmap.org/wiki/Relation:restriction>; those for other vehicles, for some hours or at a red
  /// light only are none for a car at any time.
  func addRestriction(_ relation: OverpassRelation, to map: inout GuideMap) {
    let keys = ["restriction:motorcar", "restriction:motor_vehicle", "restriction"]
    guard let value = keys.lazy.compactMap({ relation.tags[$0] }).first else { return }
    // Such as `no_right_turn_on_red`: when it is green, cars turn there.
    if value.hasSuffix("_on_red") { return }
    let excepted = (relation.tags["except"] ?? "").split(separator: ";").map {
      $0.filter { $0 != " " }
    }
    guard !excepted.contains(where: { ["motorcar", "motor_vehicle", "vehicle"].contains($0) })
    else {
      return
    }
    func fault(_ problem: String) {
      map.add(MapFault(relation.name, tags: relation.tags, problem))
    }
    let isOnly = value.hasPrefix("only_")
    guard isOnly || value.hasPrefix("no_") else {
      return fault("its restriction is none that is known; write such as no_left_turn")
    }
    let from = ways(relation, "from")
    let to = ways(relation, "to")
    guard !from.isEmpty, !to.isEmpty else {
      return fault(
        "no way with the role \(from.isEmpty ? "from" : "to"); add it, or delete the relation")
    }
    guard from.count * to.count <= Self.mostTurns else {
      return fault(
        "\(from.count) ways from and \(to.count) to, which are too many turns; make a relation of each turn"
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

  /// Turns from one way to another of one relation; signs on the street are about a few.
  private static let mostTurns = 100

  /// Where cars turn; `nil` when no map that was read has it.
  private func via(
    of relation: OverpassRelation, _ map: GuideMap, _ fault: (String) -> Void
  ) -> (point: Int?, ways: [String])? {
    let ways = ways(relation, "via")
    let nodes = relation.members.filter { $0.kind == .node && $0.role == "via" }.map(\.ref)
    if !ways.isEmpty {
      return ways.allSatisfy { isThere($0, map) } ? (nil, ways.map { "way/\($0)" }) : nil
    }
    guard let node = nodes.first, nodes.count == 1 else {
      fault("\(nodes.count) nodes with the role via where one belongs; set the one of the turn")
      return nil
    }
    // A turn at the edge of the map, as its ways then are.
    return map.point(ofNode: node).map { ($0, []) }
  }

  private func ways(_ relation: OverpassRelation, _ role: String) -> [Int64] {
    var seen: Set<Int64> = []
    // More would be no turn.
    return relation.members.filter {
      $0.kind == .way && $0.role == role && seen.insert($0.ref).inserted
    }.prefix(50).map(\.ref)
  }

  /// A map ends somewhere: a turn from or to beyond is nobody's fault.
  private func isThere(_ way: Int64, _ map: GuideMap) -> Bool {
    map.feature("way/\(way)") != nil
  }
}
