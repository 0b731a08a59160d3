import Testing

@testable import CupolaGuide

// Directions use the words that a person would.

@Suite("Words of directions") struct WordingTests {
  private let walk = ["highway": "footway"]

  private func street(_ name: String, oneway: Bool = false) -> [String: String] {
    ["highway": "residential", "name": name, "oneway": oneway ? "yes" : "no"]
  }

  @Test("Users continue on a street behind a crossing, and onto another one")
  func sameNameBehindCrossing() throws {
    for (name, text) in [("Row", "Continue on Row"), ("Mall", "Continue onto Row")] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (50, 0)], ["highway": "footway", "name": name])
      maker.line(
        "way/2", [(50, 0), (55, 0), (60, 0)], ["highway": "footway", "footway": "crossing"])
      maker.line("way/3", [(55, -60), (55, 0), (55, 60)], street("Lane"))
      maker.line("way/4", [(60, 0), (200, 0)], ["highway": "footway", "name": "Row"])
      try expect(maker, to: (200, 0), ["Go east on \(name)", "Cross Lane", text])
    }
  }

  @Test("Drivers keep to a side where a street divides into two branches with its name")
  func branchesWithOneName() throws {
    let row = street("Row", oneway: true)
    for (end, text) in [((200.0, -5.0), "Keep right on Row"), ((200, 60), "Bear left on Row")] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (100, 0)], row)
      maker.line("way/2", [(100, 0), (200, -5)], row)
      maker.line("way/3", [(100, 0), (200, 60)], row)
      try expect(maker, .drive, to: end, ["Go east on Row", text])
    }
  }

  @Test("Walkers do not stay on a street of which they have only seen a short piece")
  func shortPiece() throws {
    var maker = MapMaker()
    func sidewalk(_ name: String) -> [String: String] { ["highway": "footway", "name": name] }
    maker.line("way/1", [(0, 0), (90, 0)], sidewalk("Row"))
    maker.line("way/2", [(90, 0), (100, 0)], sidewalk("Lane"))
    maker.line("way/3", [(100, 0), (104, 0), (200, 0)], sidewalk("Row"))
    maker.line("way/4", [(104, 0), (104, 60)], street("Lane"))
    try expect(maker, to: (104, 60), ["Go east on Row", "Turn left onto Lane"])
  }

  @Test("Users who step onto the sidewalk of their street stay on one side of it")
  func sidewalkOfStreet() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (60, 0), (200, 0)], street("Row"))
    maker.line(
      "way/2", [(60, 0), (60, 8)], ["highway": "footway", "footway": "crossing"])
    maker.line("way/3", [(60, 8), (200, 8)], ["highway": "footway", "name": "Row"])
    try expect(
      maker, to: (200, 8), ["Go east on Row", "Continue on the left side of Row"])
  }

  @Test("A station is called a station")
  func station() throws {
    for (name, spoken) in [("Row", "Row station"), ("Hauptbahnhof", "Hauptbahnhof")] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (60, 0)], street("Row"))
      maker.line("way/2", [(60, 0), (60, 30)], walk)
      maker.area(
        "way/3", [(50, 30), (60, 30), (70, 30), (70, 60), (50, 60)],
        ["building": "train_station", "name": name])
      maker.node("node/1", (60, 30), ["entrance": "yes", "level": "0"])
      maker.line("way/4", [(60, 30), (60, 50)], ["highway": "corridor", "level": "0"])
      #expect(
        try RouteTextTests.sentences(
          maker.guide, .walk, from: TestCampus.end(0, 0), to: TestCampus.end(60, 50, level: 0)
        ).contains("Enter \(spoken)"))
    }
  }

  @Test("Users who step off a crossing in its middle walk on the roadway")
  func roadway() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (60, 0), (80, 0)], ["highway": "footway", "name": "Row"])
    maker.line("way/2", [(-260, -5), (60, -5), (100, -5)], street("Row"))
    maker.line(
      "way/3", [(60, 0), (60, -5), (60, -10)], ["highway": "footway", "footway": "crossing"])
    try expect(
      maker, to: (-100, -5), ["Go east on Row", "Turn sharply right onto the roadway of Row"])
  }

  @Test("Walkers learn where they leave a street that they have just turned onto")
  func leavingSoon() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (60, 0), (120, 0)], street("Row"))
    maker.line(
      "way/2", [(60, 0), (60, 14), (90, 34)], ["highway": "footway", "name": "Lane"])
    maker.line("way/3", [(60, 14), (60, 120)], walk)
    try expect(
      maker, to: (60, 120),
      ["Go east on Row", "Turn left onto Lane", "Continue straight onto the path"])
  }

  @Test("Steps that divide at a landing have a side")
  func dividedSteps() throws {
    let steps = ["highway": "steps", "incline": "up"]
    for (x, side) in [(7.0, "right"), (-7, "left")] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (0, 30)], walk)
      maker.line("way/2", [(0, 30), (0, 36)], steps)
      for (number, x) in [7.0, -7].enumerated() {
        maker.line("way/\(number + 3)", [(0, 36), (x, 37)], steps)
        maker.line("way/\(number + 5)", [(x, 37), (8 * x, 37)], walk)
      }
      try expect(
        maker, to: (8 * x, 37),
        ["Go north", "Take the steps up", "Turn \(side) and take the next steps up"])
      let down = try RouteTextTests.sentences(
        maker.guide, .walk, from: TestCampus.end(8 * x, 37), to: TestCampus.end(0, 0))
      #expect(down.dropFirst() == ["Take the steps down", "Arrive at your destination"])
    }
  }

  @Test("Places without a name have an article; names of sidewalks are read as a side")
  func spokenNames() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0)], ["highway": "footway", "name": "Row North Sidewalk"])
    maker.node("node/1", (100, 2), ["amenity": "drinking_water"])
    let guide = maker.guide
    let water = RouteEnd.place(try #require(guide.place("node/1")))
    #expect(
      try RouteTextTests.sentences(guide, .walk, from: TestCampus.end(0, 0), to: water) == [
        "Go east on the north sidewalk of Row", "Arrive at the drinking water",
      ])
  }
}
