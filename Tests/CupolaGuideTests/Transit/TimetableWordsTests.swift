import Testing

@testable import CupolaGuide

@Suite("Words of departures")
struct TimetableWordsTests {
  @Test(
    "Minutes that are surely left, then the time of the day",
    arguments: [
      (0.0, "now"), (59, "now"), (-30, "now"), (60, "in 1 min"), (299, "in 4 min"),
      (3600, "in 60 min"), (3601, "at 17:05"), (-120, "2 min ago"), (-7200, "at 14:05"),
      (8 * 3600, "tomorrow at 00:05"), (3 * 86400, "on 2026-05-07 at 16:05"),
      (.nan, "at an unknown time"), (.infinity, "at an unknown time"),
    ])
  func words(wait: Double, words: String) throws {
    let table = try Timetable(TimetableMaker.campus().feed)
    let now = try moment("2026-05-04T16:05")
    #expect(table.words(until: now + wait, now: now) == words)
  }

  @Test("A departure's sentence")
  func sentences() throws {
    var maker = try TimetableMaker.campus()
    maker.trip("1", headsign: "Downtown", [(0, "8:04"), (1, "8:10")])
    maker.trip("2", [(0, "8:10"), (1, "8:20")])
    maker.frequency(1, "8:10-9:00", headway: 600)
    let table = try Timetable(maker.feed)
    let now = try moment("2026-05-04T08:00")
    let found = table.departures(at: ["A"], from: now, limit: 2)
    #expect(
      found.map { table.words(for: $0, now: now) } == [
        "55 Downtown in 4 min, scheduled", "55 Stop B in 10 min, every 10 min",
      ])
  }
}
