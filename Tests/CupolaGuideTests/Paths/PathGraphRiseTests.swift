import Testing

@testable import CupolaGuide

@Suite("How high ways lead") struct PathGraphRiseTests {
  private func route(
    _ tags: [String: String], from start: Double, to goal: Double
  ) throws -> Route {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (20, 0), (100, 0)], tags)
    return try maker.guide.directions().route(
      from: MadeCampus.end(start, 0), to: MadeCampus.end(goal, 0))
  }

  @Test("Counted steps are 17 cm each, up one way and down the other")
  func steps() throws {
    let tags = ["highway": "steps", "incline": "up", "step_count": "50"]
    let up = try route(tags, from: 0, to: 100)
    #expect((up.ascent - 8.5).magnitude < 1e-6 && up.descent == 0)
    let down = try route(tags, from: 100, to: 0)
    #expect((down.descent - 8.5).magnitude < 1e-6 && down.ascent == 0)
    // Half the way is half the steps.
    #expect((try route(tags, from: 0, to: 50).ascent - 4.25).magnitude < 0.01)
  }

  @Test("Steps that nobody counted rise as steps do; which way round must be said")
  func uncounted() throws {
    let down = try route(["highway": "steps", "incline": "down"], from: 0, to: 100)
    #expect(down.ascent == 0 && (55..<62).contains(down.descent))
    let silent = try route(["highway": "steps", "step_count": "50"], from: 0, to: 100)
    #expect(silent.ascent == 0 && silent.descent == 0)
  }

  @Test("A ramp of 5 % climbs a twentieth of its length, a level way nothing")
  func incline() throws {
    let ramp = try route(["highway": "footway", "incline": "-5%"], from: 100, to: 0)
    #expect((ramp.ascent - 5).magnitude < 0.01 && ramp.descent == 0)
    let level = try route(["highway": "footway"], from: 100, to: 0)
    #expect(level.ascent == 0 && level.descent == 0)
  }

  @Test("Floors are 3.5 m")
  func floors() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (20, 0)], ["highway": "corridor", "level": "0"])
    maker.line("way/2", [(0, 30), (20, 30)], ["highway": "corridor", "level": "2"])
    maker.line(
      "way/3", [(20, 0), (20, 30)], ["highway": "steps", "level": "0;2", "incline": "up"])
    let route = try maker.guide.directions().route(
      from: MadeCampus.end(0, 0, level: 0), to: MadeCampus.end(0, 30, level: 2))
    #expect((route.ascent - 7).magnitude < 1e-9 && route.descent == 0)
  }
}
