import Testing

@testable import CupolaGuide

@Suite("Bearing and Landmarks") struct BearingTests {
  @Test(
    "The points of the compass",
    arguments: [
      (0, "north"), (22, "north"), (23, "north-east"), (90, "east"), (135, "south-east"),
      (180, "south"), (225, "south-west"), (270, "west"), (315, "north-west"), (337, "north-west"),
      (338, "north"), (359.9, "north"), (360, "north"), (-90, "west"), (-45, "north-west"),
    ] as [(Double, String)])
  func names(bearing: Double, name: String) { #expect(Bearing.name(bearing) == name) }

  @Test(
    "Turns have the kinds that people draw",
    arguments: [
      (0, .straight), (24, .straight), (-24, .straight), (25, .slightRight), (-49, .slightLeft),
      (90, .right), (-90, .left), (124, .right), (125, .sharpRight), (-164, .sharpLeft),
      (165, .uTurn), (180, .uTurn), (-180, .uTurn),
    ] as [(Double, Maneuver.Kind)])
  func kinds(turn: Double, kind: Maneuver.Kind) { #expect(ManeuverPlan.kind(turn) == kind) }

  @Test("Directions and meters are those of the plane")
  func directions() throws {
    let here = MapMaker.point(0, 0)
    for (x, y, bearing) in [
      (0.0, 50.0, 0.0), (50, 0, 90), (0, -50, 180), (-50, 0, 270), (30, 30, 45),
    ] {
      let found = try #require(Bearing.of(here, MapMaker.point(x, y)))
      #expect((found - bearing).magnitude < 1e-6)
      #expect(
        (Bearing.meters(here, MapMaker.point(x, y)) - (x * x + y * y).squareRoot()).magnitude < 1e-6
      )
    }
    #expect(Bearing.of(here, here) == nil)
    #expect(Bearing.turn(350, 10) == 20 && Bearing.turn(10, 350) == -20)
  }

  @Test("The little hook where a path leaves a street is no direction")
  func hooks() throws {
    // A meter to the east, then north.
    let points = [(-40.0, 0.0), (0, 0), (1, 0), (1, 40)].map { MapMaker.point($0.0, $0.1) }
    let behind = try #require(Bearing.near(1, of: points, step: 1))
    #expect(behind < 5)
    let before = try #require(Bearing.near(1, of: points, step: -1))
    #expect((before - 90).magnitude < 1e-6)
    #expect(Bearing.near(0, of: points, step: -1) == nil)
    #expect(Bearing.near(3, of: points, step: 1) == nil)
  }

  @Test("Landmarks are passed on a side; those at the ends of a way, far off or ahead are none")
  func landmarks() throws {
    var maker = MapMaker()
    maker.addCrossing()
    maker.building("way/10", "Left Hall", x: 80...95, y: 10...30)
    maker.building("way/11", "Far Hall", x: 80...95, y: -80 ... -50)
    let guide = maker.guide
    let ends = (try MadeCampus.end(20, 0), try MadeCampus.end(100, 90))
    func turn(_ guide: Guide, to goal: RouteEnd) throws -> String {
      try guide.directions().route(from: ends.0, to: goal).maneuvers[1].text
    }
    #expect(
      try turn(guide, to: ends.1) == "Past Left Hall on your left, turn left onto North Street")
    var other = maker
    other.building("way/12", "Right Hall", x: 95...110, y: -20 ... -5)
    #expect(
      try turn(other.guide, to: ends.1)
        == "Past Right Hall on your right, turn left onto North Street")
    let place = try #require(guide.place("way/10"))
    #expect(
      try guide.directions().route(from: .place(place), to: ends.1).maneuvers.allSatisfy {
        !$0.text.contains("Past")
      })
  }
}
