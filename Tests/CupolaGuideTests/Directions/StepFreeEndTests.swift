import Testing

@testable import CupolaGuide

/// Long Walk from west to east; a hall north of it whose front door is up 6 m of steps; a shed south of it that no way
/// leads to.
@Suite("Ends of step-free ways") struct StepFreeEndTests {
  private static func map(backDoor: Bool = false) -> MapMaker {
    var maker = MapMaker()
    maker.line(
      "way/1", [(0, 0), (50, 0), (100, 0)], ["highway": "footway", "name": "Long Walk"])
    maker.line("way/2", [(50, 0), (50, 6)], ["highway": "steps", "incline": "up"])
    maker.area(
      "way/3", [(30, 6), (50, 6), (70, 6), (70, 20), (50, 20), (30, 20)],
      ["building": "yes", "name": "Hall"])
    maker.node("node/1", (50, 6), ["entrance": "main"])
    maker.building("way/4", "Shed", x: 20...40, y: -30 ... -7)
    if backDoor {
      maker.node("node/2", (50, 20), ["entrance": "yes"])
      maker.line("way/5", [(100, 0), (100, 40), (50, 40), (50, 20)], ["highway": "footway"])
    }
    return maker
  }

  private func end(_ name: String, of guide: Guide) throws -> RouteEnd {
    .place(try #require(guide.places.first { $0.name == name }))
  }

  @Test("Where only steps lead to the door, the way says for how many meters it is not step-free")
  func stepsToTheDoor() throws {
    let guide = Self.map().guide
    let (start, hall) = (try MadeCampus.end(0, 0), try end("Hall", of: guide))
    let there = try guide.directions(.stepFree).route(from: start, to: hall)
    #expect((there.metersNotStepFreeBeyond - 6).magnitude < 0.1)
    #expect(there.metersNotStepFreeBefore == 0)
    #expect(
      there.maneuvers.last?.text
        == "Arrive: Hall is 6 m to your left; no step-free way is known for the last 6 m")
    let back = try guide.directions(.stepFree).route(from: hall, to: start)
    #expect((back.metersNotStepFreeBefore - 6).magnitude < 0.1)
    #expect(back.metersNotStepFreeBeyond == 0)
    #expect(
      back.maneuvers.first?.text
        == "From Hall, go 6 m south to Long Walk, then west; "
        + "no step-free way is known for the first 6 m")
    let walk = try guide.directions(.walk).route(from: start, to: hall)
    #expect(walk.metersNotStepFreeBeyond == 0 && walk.maneuvers.last?.text == "Arrive at Hall")
  }

  @Test("A little step-free stretch between the steps and the door changes nothing of that")
  func landing() throws {
    var maker = Self.map()
    maker.building("way/6", "Tower", x: 140...160, y: 10...30)
    maker.line("way/7", [(100, 0), (150, 0)], ["highway": "footway"])
    maker.line("way/8", [(150, 0), (150, 4)], ["highway": "steps"])
    maker.line("way/9", [(150, 4), (150, 9.9)], ["highway": "footway"])
    let guide = maker.guide
    let route = try guide.directions(.stepFree).route(
      from: MadeCampus.end(0, 0), to: end("Tower", of: guide))
    #expect((route.metersNotStepFreeBeyond - 10).magnitude < 0.2)
  }

  @Test("A door that is reached without steps is taken, even if another one is nearer")
  func otherDoor() throws {
    let guide = Self.map(backDoor: true).guide
    let (start, hall) = (try MadeCampus.end(0, 0), try end("Hall", of: guide))
    let route = try guide.directions(.stepFree).route(from: start, to: hall)
    #expect((route.meters - 210).magnitude < 1 && route.metersBeyond < 0.1)
    #expect(route.metersNotStepFreeBeyond == 0)
    #expect(try guide.directions(.walk).route(from: start, to: hall).meters < 60)
  }

  /// A hall whose front door, at the end of a walk, has a step, and how far the way round to its back door goes.
  private static func mapWithStep(backDoor: Bool, round y: Double = 40) -> MapMaker {
    var maker = MapMaker()
    let walk = ["highway": "footway"]
    maker.line("way/1", [(0, 0), (50, 0), (100, 0)], walk)
    maker.line("way/2", [(50, 0), (50, 6)], walk)
    maker.area(
      "way/3", [(30, 6), (50, 6), (70, 6), (70, 20), (50, 20), (30, 20)],
      ["building": "yes", "name": "Hall"])
    maker.node("node/1", (50, 6), ["entrance": "main", "wheelchair": "no"])
    if backDoor {
      maker.node("node/2", (50, 20), ["entrance": "yes"])
      maker.line("way/5", [(100, 0), (100, y), (50, y), (50, 20)], walk)
    }
    return maker
  }

  @Test("A door with a step is taken only where there is no other, and then the way says so")
  func stepAtTheDoor() throws {
    let guide = Self.mapWithStep(backDoor: false).guide
    let (start, hall) = (try MadeCampus.end(0, 0), try end("Hall", of: guide))
    let there = try guide.directions(.stepFree).route(from: start, to: hall)
    #expect((there.meters - 56).magnitude < 0.5 && there.metersBeyond < 0.1)
    #expect(there.metersNotStepFreeBeyond == 1 && there.metersNotStepFreeBefore == 0)
    #expect(
      there.maneuvers.last?.text == "Arrive at Hall; no step-free way is known for the last 1 m")
    let back = try guide.directions(.stepFree).route(from: hall, to: start)
    #expect(back.metersNotStepFreeBefore == 1 && back.metersNotStepFreeBeyond == 0)
    let walk = try guide.directions(.walk).route(from: start, to: hall)
    #expect(walk.metersNotStepFreeBeyond == 0 && walk.maneuvers.last?.text == "Arrive at Hall")
    // Who only goes to the place of the door needs no door.
    let before = try guide.directions(.stepFree).route(from: start, to: MadeCampus.end(50, 6))
    #expect(before.metersNotStepFreeBeyond == 0)

    let other = Self.mapWithStep(backDoor: true).guide
    let round = try other.directions(.stepFree).route(from: start, to: end("Hall", of: other))
    #expect((round.meters - 210).magnitude < 1 && round.metersNotStepFreeBeyond == 0)
  }

  @Test("A door with a step is not taken where another one is reached within 2 km more")
  func farDoor() throws {
    // It is 56 m away, the other one twice as far as the way round goes, and 130 m.
    for (y, meters) in [(930.0, 1990.0), (990, 56)] {
      let guide = Self.mapWithStep(backDoor: true, round: y).guide
      let route = try guide.directions(.stepFree).route(
        from: MadeCampus.end(0, 0), to: end("Hall", of: guide))
      #expect((route.meters - meters).magnitude < 10)
      #expect(route.metersNotStepFreeBeyond == (meters == 56 ? 1 : 0))
    }
  }

  @Test("Where the map leads nobody nearer, nothing is said of steps")
  func noWayForAnybody() throws {
    let guide = Self.map().guide
    let (start, shed) = (try MadeCampus.end(0, 0), try end("Shed", of: guide))
    for mode in [TravelMode.walk, .stepFree] {
      let there = try guide.directions(mode).route(from: start, to: shed)
      #expect(there.maneuvers.last?.text == "Arrive: Shed is 7 m to your right")
      let back = try guide.directions(mode).route(from: shed, to: start)
      #expect(back.maneuvers.first?.text == "From Shed, go west on Long Walk")
      for route in [there, back] {
        #expect(route.metersNotStepFreeBefore == 0 && route.metersNotStepFreeBeyond == 0)
      }
    }
  }

  @Test("Somebody's own position beside steps may be wrong, a destination there is not")
  func positions() throws {
    let guide = Self.map().guide
    let (beside, away) = (try MadeCampus.end(51, 5), try MadeCampus.end(0, 0))
    let directions = guide.directions(.stepFree)
    let back = try directions.route(from: beside, to: away)
    #expect(back.metersNotStepFreeBefore == 0)
    #expect(back.maneuvers.first?.text == "Go west on Long Walk")
    let there = try directions.route(from: away, to: beside)
    #expect((there.metersNotStepFreeBeyond - 5).magnitude < 0.1)
  }
}
