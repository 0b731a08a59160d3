import Testing

@testable import CupolaGuide

@Suite("The graph of a map") struct PathGraphTests {
  @Test("Its length is that of the map's lines, without those across areas")
  func metersOfLines() {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (60, 0), (100, 0)], ["highway": "footway"])
    maker.area(
      "way/2", [(100, 0), (140, 0), (140, 40), (100, 40)],
      ["highway": "pedestrian", "area": "yes"])
    maker.line("way/3", [(140, 40), (190, 40)], ["highway": "steps"])
    let graph = maker.guide.graph
    #expect(graph.lengths.reduce(0, +) > 300)
    #expect((graph.metersOfLines - 150).magnitude < 1)
  }
}
