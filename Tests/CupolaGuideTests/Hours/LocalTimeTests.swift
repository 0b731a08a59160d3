import CupolaGuide
import Testing

@Suite("Local times of time zones")
struct LocalTimeTests {
  @Test("clocks of Chicago, Paris and Kathmandu show what they should")
  func clocks() {
    // 2024-07-03T09:46:40Z.
    let moment = 1_720_000_000.0
    let shown = ["America/Chicago", "Europe/Paris", "Asia/Kathmandu", "UTC"]
      .map { LocalTime(secondsSince1970: moment, timeZone: $0)?.description }
    #expect(
      shown == ["2024-07-03T04:46", "2024-07-03T11:46", "2024-07-03T15:31", "2024-07-03T09:46"])
    #expect(LocalTime(secondsSince1970: -1, timeZone: "UTC")?.description == "1969-12-31T23:59")
  }

  @Test("every half hour of two years comes back, but for the repeated hour's second half")
  func roundTrip() throws {
    for zone in ["America/Chicago", "Europe/Paris", "Australia/Lord_Howe", "UTC"] {
      var repeated = 0
      for step in 0..<(2 * 365 * 48) {
        let moment = 1_704_067_200 + Double(step) * 1800
        let time = try #require(LocalTime(secondsSince1970: moment, timeZone: zone))
        let back = try #require(time.secondsSince1970(timeZone: zone))
        guard back != moment else { continue }
        // The earlier of two moments that show the same.
        repeated += 1
        #expect(back < moment && LocalTime(secondsSince1970: back, timeZone: zone) == time)
      }
      #expect(repeated == ["UTC": 0, "Australia/Lord_Howe": 2][zone, default: 4])
    }
  }

  @Test("a skipped time counts from the change")
  func skipped() throws {
    let time = try #require(LocalTime(year: 2024, month: 3, day: 31, hour: 2, minute: 30))
    let moment = try #require(time.secondsSince1970(timeZone: "Europe/Paris"))
    let shown = LocalTime(secondsSince1970: moment, timeZone: "Europe/Paris")
    #expect(shown?.description == "2024-03-31T03:30")
  }

  @Test("a sign is no digit")
  func signs() {
    #expect(LocalTime("2026-03-09T09:05")?.description == "2026-03-09T09:05")
    for text in ["2026-+3-09T+9:00", "2026-03-09T+9:05", "+026-03-09T09:05", "2026-03-09T09:-0"] {
      #expect(LocalTime(text) == nil, "\(text)")
    }
  }

  @Test("unknown zones and moments without a date are refused")
  func refused() throws {
    for zone in ["", "Mars/Olympus", "../../etc/passwd", "Europe/Par\u{0}is"] {
      #expect(LocalTime(secondsSince1970: 0, timeZone: zone) == nil)
    }
    for moment in [Double.nan, .infinity, -.infinity, 1e300, -1e11, 9e11] {
      #expect(LocalTime(secondsSince1970: moment, timeZone: "UTC") == nil)
    }
    let time = try #require(LocalTime(year: 2024, month: 1, day: 1))
    #expect(time.secondsSince1970(timeZone: "Mars/Olympus") == nil)
  }
}
