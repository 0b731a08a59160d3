import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Walls between entrances and paths") struct LinkWallsTests {
  private static let path = ["highway": "footway"]

  /// Returns a hall from (0, 0) to (40, 20) with an entrance, and with paths 10 m to its south and 35 m to its north.
  private static func hall(entrance: (Double, Double)) -> MapMaker {
    var maker = MapMaker()
    maker.line("way/2", [(-50, -10), (100, -10)], path)
    maker.line("way/3", [(-50, 55), (100, 55)], path)
    maker.area(
      "way/1", [(0, 0), (20, 0), (40, 0), (40, 20), (0, 20)], ["building": "yes", "name": "Hall"])
    maker.node("node/1", entrance, ["entrance": "main"])
    return maker
  }

  /// Returns the y coordinates in meters at which links meet the paths.
  private static func ends(_ maker: MapMaker) -> [Double] {
    let graph = maker.guide.graph
    return graph.edges.filter { graph.ways[$0.way].kind == .link }.map { edge in
      MapMaker.plane.point(graph.vertices[edge.to].point).y.rounded()
    }
  }

  @Test("Does not link an entrance through its own building")
  func ownBuilding() {
    for y in [19.8, 20.2] {
      var maker = Self.hall(entrance: (20, y))
      #expect(Self.ends(maker) == [55])
      maker.area("way/4", [(10, 25), (30, 25), (30, 28), (10, 28)], ["building": "yes"])
      #expect(Self.ends(maker) == [])
    }
  }

  @Test("Does not link an entrance to a platform below ground")
  func platform() {
    for (level, y) in [("-1", -10.0), ("0", -5)] {
      var maker = Self.hall(entrance: (20, 0))
      maker.line("way/4", [(-50, -5), (100, -5)], ["railway": "platform", "level": level])
      #expect(Self.ends(maker) == [y])
    }
  }

  @Test("Buildings and fences block links; roofs and tunnels do not")
  func between() {
    func ends(_ tags: [String: String]) -> [Double] {
      var maker = Self.hall(entrance: (20, 0))
      maker.area("way/4", [(0, -6), (40, -6), (40, -3), (0, -3)], tags)
      return Self.ends(maker)
    }
    for tags in [
      ["building": "yes"], ["building": "shed", "layer": "1"], ["barrier": "hedge"],
      ["barrier": "wall"],
    ] {
      #expect(ends(tags) == [], "\(tags)")
    }
    for tags in [
      ["building": "roof"], ["building": "yes", "layer": "-1"], ["building": "no"],
      ["building": "yes", "location": "underground"], ["barrier": "kerb"], ["landuse": "grass"],
    ] {
      #expect(ends(tags) == [-10], "\(tags)")
    }
  }

  @Test("Links pass a fence at its public gates")
  func gates() {
    func ends(_ gate: [String: String], at x: Double) -> [Double] {
      var maker = Self.hall(entrance: (20, 0))
      maker.line("way/4", [(-50, -5), (x, -5), (100, -5)], ["barrier": "fence"])
      maker.node("node/2", (x, -5), gate)
      return Self.ends(maker)
    }
    #expect(ends(["barrier": "gate"], at: 20) == [-10])
    #expect(ends(["barrier": "gate"], at: 20.5) == [-10])
    #expect(ends(["barrier": "gate"], at: 25) == [])
    #expect(ends(["barrier": "gate", "access": "private"], at: 20.5) == [])
    #expect(ends(["natural": "tree"], at: 20.5) == [])
  }

  @Test("Entrances beyond the budget are not linked and reported once")
  func budget() {
    var maker = Self.hall(entrance: (20, 0))
    for x in [5.0, 10, 30] { maker.node("node/\(x)", (x, 0), ["entrance": "yes"]) }
    var map = maker.map
    var draft = PathDraft()
    StreetPaths.add(map, to: &draft)
    var faults: [MapFault] = []
    EntranceLinks.add(&map, to: &draft, budget: WorkBudget(tests: 1), faults: &faults)
    #expect(draft.ways.allSatisfy { $0.kind != .link })
    #expect(faults.map(\.title) == ["node/1"])
    EntranceLinks.add(&map, to: &draft, faults: &faults)
    #expect(draft.edges.count { draft.ways[$0.way].kind == .link } == 4 && faults.count == 1)
  }

  @Test("Walls at the entrance itself count toward the budget")
  func ownWalls() {
    var maker = MapMaker()
    maker.line("way/1", [(-50, -10), (100, -10)], Self.path)
    for number in 0..<40 {
      let x = Double(number)
      maker.line("way/\(number + 2)", [(x, -5), (40 - x, 5)], ["barrier": "fence"])
    }
    for number in 0..<3 {
      maker.node("node/\(number)", (20 + Double(number) / 10, 0), ["entrance": "yes"])
    }
    var map = maker.map
    var draft = PathDraft()
    StreetPaths.add(map, to: &draft)
    var faults: [MapFault] = []
    EntranceLinks.add(&map, to: &draft, budget: WorkBudget(tests: 70), faults: &faults)
    #expect(draft.edges.count { draft.ways[$0.way].kind == .link } == 1)
    #expect(faults.map(\.title) == ["node/1"])
  }
}
