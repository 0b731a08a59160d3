import Testing

@testable import CupolaGuide

@Suite("Which trip a message means") struct RealtimeTripTests {
  private let table: Timetable

  init() throws {
    var maker = try TimetableMaker.campus()
    maker.trip("day", [(0, "8:00"), (1, "8:10")])
    maker.trip("night", [(0, "24:10"), (1, "24:20")])
    table = try Timetable(maker.feed)
  }

  private func day(
    _ id: String, _ date: String?, start: String? = nil, said: String? = nil,
    now: String = "2026-05-05T00:05"
  ) throws -> Int? {
    let trip = RealtimeFeed.Trip(id: id, startTime: start, startDate: date)
    let key = RealtimeState.key(
      of: trip, in: table, at: try moment(now), said: try said.map { try moment($0) })
    return key.map { $0.serviceDate.parts.day }
  }

  @Test("Dates are eight digits")
  func dates() throws {
    #expect(RealtimeState.date("20261123") == (try TimetableMaker.date(20_261_123)))
    for text in ["", "+2020101", "2020-1-1", "20261131", "00000101", "202611230"] {
      #expect(RealtimeState.date(text) == nil, "\(text)")
    }
  }

  @Test("A date is the service day, also past midnight")
  func serviceDay() throws {
    #expect(try day("day", "20260504") == 4)
    #expect(try day("night", "20260504") == 4)
    #expect(try day("night", "20260504", start: "24:10:00") == 4)
    #expect(try day("night", "20260504", said: "2026-05-05T00:12") == 4)
  }

  @Test("The day on the calendar is understood where a time shows that it is meant")
  func calendarDay() throws {
    #expect(try day("night", "20260505", said: "2026-05-05T00:12") == 4)
    #expect(try day("night", "20260505", start: "00:10:00") == 4)
    // Said of the next night.
    #expect(try day("night", "20260505", said: "2026-05-06T00:12") == 5)
    #expect(try day("night", "20260505", start: "24:10:00") == 5)
    // By day both are the same.
    #expect(try day("day", "20260505", said: "2026-05-04T08:01") == 5)
  }

  @Test("Without a date it is the one on its way, else the nearest")
  func noDate() throws {
    #expect(try day("night", nil) == 4)
    #expect(try day("day", nil, now: "2026-05-04T21:00") == 5)
    #expect(try day("day", nil, now: "2026-05-04T19:00") == 4)
    // More than half a day before, it is what was said that shows the day.
    #expect(try day("day", nil, said: "2026-05-05T08:02", now: "2026-05-04T19:00") == 5)
    #expect(try day("day", nil, said: "2026-05-04T08:12", now: "2026-05-04T21:00") == 4)
    #expect(try day("unknown", "20260504") == nil && day("day", "20261399") == nil)
  }

  @Test("Times of messages have no signs")
  func signs() {
    #expect(RealtimeState.seconds("25:10:00") == 90_600)
    for text in ["+9:00:00", "09:+5:00", "09:05:-0"] {
      #expect(RealtimeState.seconds(text) == nil, "\(text)")
    }
  }
}
