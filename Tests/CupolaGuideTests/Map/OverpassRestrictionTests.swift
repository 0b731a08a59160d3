import Testing

@testable import CupolaGuide

@Suite("Turn restrictions")
struct OverpassRestrictionTests {
  private static let roads =
    MapTexts.grid(4) + "," + MapTexts.way(1, [1, 2], #"{"highway":"service"}"#) + ","
    + MapTexts.way(2, [2, 3], #"{"highway":"service"}"#) + ","
    + MapTexts.way(3, [3, 4], #"{"highway":"service"}"#)

  private static func map(_ members: String, _ tags: String) throws -> GuideMap {
    let list = members.split(separator: " ").map { member in
      let parts = member.split(separator: ":")
      let type = parts[1].hasPrefix("n") ? "node" : "way"
      return #"{"type":"\#(type)","ref":\#(parts[1].dropFirst()),"role":"\#(parts[0])"}"#
    }.joined(separator: ",")
    return try MapTexts.overpass(
      #"{"type":"relation","id":9,"members":[\#(list)],"tags":{"type":"restriction",\#(tags)}}"#,
      roads)
  }

  @Test("Over a node and over ways")
  func vias() throws {
    let node = try Self.map("from:w1 via:n2 to:w2", #""restriction":"no_left_turn""#)
    #expect(
      node.restrictions == [
        TurnRestriction(
          id: "relation/9", isOnly: false, from: "way/1", viaPoint: node.point(ofNode: 2),
          to: "way/2")
      ])
    let ways = try Self.map("to:w3 via:w2 from:w1", #""restriction":"only_straight_on""#)
    #expect(
      ways.restrictions == [
        TurnRestriction(
          id: "relation/9", isOnly: true, from: "way/1", viaPoint: nil, viaWays: ["way/2"],
          to: "way/3")
      ])
    #expect(node.faults.isEmpty && ways.faults.isEmpty)
  }

  @Test("Turning round on one way is told from turning into others")
  func turningRound() throws {
    let round = #""restriction":"no_u_turn""#
    #expect(
      try Self.map("from:w1 via:n2 to:w1", round).restrictions.map(\.isTurningRound) == [true])
    #expect(
      try Self.map("from:w1 via:n2 to:w2", round).restrictions.map(\.isTurningRound) == [false])
  }

  @Test("Several ways in or out are several turns")
  func several() throws {
    let map = try Self.map("from:w1 from:w3 via:n2 to:w2", #""restriction":"no_entry""#)
    #expect(map.restrictions.map(\.from) == ["way/1", "way/3"])
  }

  @Test("A way that is a member twice counts once; hundreds of turns are none, and are said")
  func many() throws {
    let twice = try Self.map("from:w1 from:w1 via:n2 to:w2 to:w2", #""restriction":"no_entry""#)
    #expect(twice.restrictions.count == 1 && twice.faults.isEmpty)
    let (from, to) = ((1...11).map { "from:w\($0)" }, (12...21).map { "to:w\($0)" })
    let members = (from + ["via:n2"] + to).joined(separator: " ")
    let many = try Self.map(members, #""restriction":"no_entry""#)
    #expect(many.restrictions.isEmpty && many.faults.map(\.title) == ["relation/9"])
  }

  @Test(
    "Only those for cars at any hour and any light count",
    arguments: [
      (#""restriction":"no_u_turn""#, 1), (#""restriction:motorcar":"no_u_turn""#, 1),
      (#""restriction":"no_u_turn","except":"bicycle;psv""#, 1),
      (#""restriction":"no_u_turn","except":"psv; motorcar""#, 0),
      (#""restriction":"no_u_turn","except":"motor_vehicle""#, 0),
      (#""restriction:hgv":"no_u_turn""#, 0),
      (#""restriction":"no_right_turn_on_red""#, 0), (#""restriction":"no_left_turn_on_red""#, 0),
      (#""restriction:conditional":"no_u_turn @ (Mo 08:00-09:00)""#, 0),
    ])
  func cars(tags: String, count: Int) throws {
    let map = try Self.map("from:w1 via:n2 to:w2", tags)
    #expect(map.restrictions.count == count && map.faults.isEmpty)
  }

  @Test(
    "What is wrong is said; what lies beyond the map is not",
    arguments: [
      ("from:w1 to:w2", #""restriction":"no_u_turn""#, 1),
      ("from:w1 via:n2 via:n3 to:w2", #""restriction":"no_u_turn""#, 1),
      ("from:w1 via:n2", #""restriction":"no_u_turn""#, 1),
      ("via:n2 to:w1", #""restriction":"no_u_turn""#, 1),
      ("from:w1 via:n2 to:w2", #""restriction":"left""#, 1),
      ("from:w1 via:n2 to:w77", #""restriction":"no_u_turn""#, 0),
      ("from:w1 via:n77 to:w2", #""restriction":"no_u_turn""#, 0),
      ("from:w1 via:w77 to:w2", #""restriction":"no_u_turn""#, 0),
    ])
  func faults(members: String, tags: String, count: Int) throws {
    let map = try Self.map(members, tags)
    #expect(map.restrictions.isEmpty && map.faults.count == count)
  }
}
