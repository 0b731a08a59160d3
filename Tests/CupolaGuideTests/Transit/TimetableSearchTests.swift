import Testing

@testable import CupolaGuide

@Suite("Stops that are looked for") struct TimetableSearchTests {
  @Test(
    "A stop of that very name is meant, else those with all words, else those with small errors",
    arguments: [
      ("Gate 1", ["1"]), ("gate 10", ["10"]), ("gate", ["1", "10", "1n"]), ("gate 2", []),
      ("7", []), ("q", []), ("mrk", []), ("gaet 1", ["1", "10", "1n"]), ("gate north", ["1n"]),
      ("Market", ["m"]), ("markt squre", ["ms"]), ("market s", ["ms"]),
      ("ms", ["ms"]), ("", []), ("?", []),
    ])
  func meant(text: String, ids: [String]) throws {
    var maker = try TimetableMaker.campus()
    let names = [
      ("1", "Gate 1"), ("10", "Gate 10"), ("1n", "Gate 1 North"), ("m", "Market"),
      ("ms", "Market Square"),
    ]
    for (number, name) in names.enumerated() {
      maker.stop(name.0)
      maker.feed.stops[number + 3].name = name.1
    }
    maker.trip("x", [(0, "8:00"), (1, "8:10")])
    #expect(try Timetable(maker.feed).stops(meantBy: text).map(\.id) == ids)
  }
}
