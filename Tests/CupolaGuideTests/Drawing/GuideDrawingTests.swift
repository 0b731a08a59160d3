import Testing

@testable import CupolaGuide

@Suite("What a guide draws") struct GuideDrawingTests {
  @Test("A place of several kinds has the sign of the first that has one")
  func severalKinds() {
    let kinds = ["cafe", "ice_cream;cafe", "library; toilets", "bench;fountain", nil]
    let guide = Guide(
      name: "A", attribution: nil, timeZone: nil,
      places: kinds.enumerated().map { number, kind in
        PlaceIndexTests.place("node/\(number)", .poi, "Uno", kind)
      },
      graph: PathGraph(vertices: [], edges: [], ways: []), ground: [])
    #expect(guide.drawnGround.marks.map(\.kind) == [.food, .food, .place])
  }
}
