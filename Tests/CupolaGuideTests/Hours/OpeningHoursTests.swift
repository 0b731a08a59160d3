import CupolaGuide
import Testing

@Suite("Opening hours")
struct OpeningHoursTests {
  /// 2024-03-06 is a Wednesday.
  private func sentence(
    _ text: String, _ day: Int, _ hour: Int, _ minute: Int = 0, month: Int = 3, year: Int = 2024,
    holidays: Holidays = .none
  ) throws -> String {
    let time = try #require(
      LocalTime(year: year, month: month, day: day, hour: hour, minute: minute))
    return OpeningHours(text).sentence(at: time, holidays: holidays)
  }

  @Test("sentences say what a visitor asks")
  func sentences() throws {
    #expect(try sentence("Mo-Fr 09:00-18:00", 6, 12) == "open now, until 18:00")
    #expect(try sentence("Mo-Fr 09:00-18:00", 6, 8, 59) == "closed, opens 09:00")
    #expect(try sentence("Mo-Fr 09:00-18:00", 8, 18) == "closed, opens Monday 09:00")
    #expect(try sentence("24/7", 6, 3) == "open 24 hours")
    #expect(try sentence("Mo-Su 00:00-24:00", 6, 3) == "open 24 hours")
    #expect(try sentence("off", 6, 3) == "closed")
    #expect(try sentence("Mo-Fr 18:00-02:00", 6, 23) == "open now, until 02:00")
    #expect(try sentence("18:00-24:00", 6, 23) == "open now, until 24:00")
    #expect(try sentence("24/7; Su off", 6, 23) == "open now, until Sunday 00:00")
    #expect(try sentence("Apr-Oct 10:00-17:00", 6, 23) == "closed, opens 1 April 10:00")
    #expect(try sentence("Jan 2 10:00-17:00", 6, 23) == "closed, opens 2 January 2025 10:00")
    #expect(try sentence("Mo-Sa 17:00+", 6, 23) == "open now")
    #expect(try sentence("ask\nme", 6, 23) == "hours: ask\\u{a}me")
    #expect(try sentence("Mo-Fr 9:00-12:00 \"ring\"", 6, 10) == "hours: Mo-Fr 9:00-12:00 \"ring\"")
  }

  @Test("a later rule takes the place of the whole day, a comma adds, off cuts")
  func rules() throws {
    #expect(
      try sentence("Mo-Fr 08:00-18:00; We 10:00-12:00", 6, 13) == "closed, opens Thursday 08:00")
    #expect(try sentence("Mo-Fr 08:00-12:00, We 14:00-18:00", 6, 11) == "open now, until 12:00")
    #expect(try sentence("Mo-Fr 08:00-12:00, We 14:00-18:00", 6, 13) == "closed, opens 14:00")
    #expect(try sentence("08:00-18:00; We 12:00-13:00 off", 6, 12) == "closed, opens 13:00")
    #expect(try sentence("We off; 08:00-18:00", 6, 12) == "open now, until 18:00")
    #expect(try sentence("Mo-Fr 08:00-18:00;;", 6, 12) == "open now, until 18:00")
    #expect(try sentence("08:00-12:00 || \"by phone\"", 6, 9) == "open now, until 12:00")
    #expect(try sentence("08:00-12:00 || \"by phone\"", 6, 12).hasPrefix("hours: "))
  }

  @Test("nights belong to the day they began, and the next rule may end them at midnight")
  func nights() throws {
    #expect(try sentence("We 22:00-03:00", 7, 2) == "open now, until 03:00")
    #expect(try sentence("We 20:00-26:00", 7, 1, 59) == "open now, until 02:00")
    #expect(try sentence("We 22:00-22:00", 7, 21) == "open now, until 22:00")
    #expect(try sentence("We 18:00-02:00; Th 18:00-02:00", 7, 1) == "closed, opens 18:00")
    #expect(try sentence("We 18:00-02:00, Th 18:00-02:00", 7, 1) == "open now, until 02:00")
    #expect(try sentence("Th 18:00-02:00; We 18:00-02:00", 7, 1).hasPrefix("hours: "))
    #expect(try sentence("We 17:00+", 7, 1).hasPrefix("hours: "))
    #expect(try sentence("We 17:00+", 7, 6) == "closed, opens Wednesday 17:00")
    #expect(try sentence("10:00-18:00+", 6, 17) == "open now, until 18:00")
    #expect(try sentence("10:00-18:00+", 6, 19).hasPrefix("hours: "))
  }

  @Test("advice names texts whose nights are cut")
  func advice() {
    #expect(OpeningHours("We 18:00-02:00; Th 18:00-02:00").advice != nil)
    #expect(OpeningHours("Th 18:00-02:00; We 18:00-02:00").advice != nil)
    #expect(OpeningHours("We 18:00-02:00, Th 18:00-02:00").advice == nil)
    #expect(OpeningHours("Mo-Su 18:00-02:00; We off").advice == nil)
    #expect(OpeningHours("We 08:00-12:00; Th 08:00-12:00").advice == nil)
  }

  @Test("dates: ranges over the end of the year, leap days, years, weeks, nth days of the month")
  func dates() throws {
    #expect(try sentence("Dec 20-Jan 6 off", 6, 12, month: 1) == "closed")
    #expect(
      try sentence("10:00-12:00; Dec 20-Jan 6 off", 6, 11, month: 1) == "closed, opens Sunday 10:00"
    )
    #expect(
      try sentence("10:00-12:00; Dec 20-Jan 6 off", 7, 11, month: 1) == "open now, until 12:00")
    #expect(try sentence("Nov-Feb 10:00-12:00", 29, 11, month: 2) == "open now, until 12:00")
    #expect(try sentence("Feb 29 10:00-12:00", 28, 11, month: 2) == "closed, opens Thursday 10:00")
    #expect(try sentence("Feb 29 10:00-12:00", 1, 11) == "closed")
    // 366 days ahead, the last that is looked at.
    #expect(
      try sentence("Mar 1 10:00-12:00", 1, 12, year: 2023) == "closed, opens 1 March 2024 10:00")
    #expect(try sentence("2024 Mar 5-2024 Mar 7 10:00-12:00", 6, 11) == "open now, until 12:00")
    #expect(try sentence("2023 10:00-12:00", 6, 11) == "closed")
    #expect(try sentence("2023-2025 We 10:00-12:00", 6, 11) == "open now, until 12:00")
    #expect(try sentence("week 10 We 10:00-12:00", 6, 11) == "open now, until 12:00")
    #expect(try sentence("We[1] 10:00-12:00", 6, 11) == "open now, until 12:00")
    #expect(try sentence("We[-1] 10:00-12:00", 6, 11) == "closed, opens 27 March 10:00")
    #expect(try sentence("Sa-Tu 10:00-12:00", 6, 11) == "closed, opens Saturday 10:00")
  }

  @Test("holidays are those of the caller; without them never, and the sentence says so")
  func holidays() throws {
    let day = try #require(LocalDate(year: 2024, month: 3, day: 6))
    let holiday = Holidays(publicHolidays: [day])
    let off = "Mo-Fr 08:00-18:00; PH off"
    let none = "open now, until 18:00 (public holidays not known)"
    #expect(try sentence(off, 6, 12) == none)
    #expect(try sentence(off, 6, 12, holidays: holiday) == "closed, opens Thursday 08:00")
    let short = "Sa,PH 10:00-14:00"
    #expect(try sentence(short, 6, 12, holidays: holiday) == "open now, until 14:00")
    #expect(try sentence("PH Mo-Tu 10:00-14:00", 6, 12, holidays: holiday) == "closed")
    #expect(try sentence("PH We 10:00-14:00", 6, 12, holidays: holiday) == "open now, until 14:00")
    let school = Holidays(publicHolidays: [], schoolHolidays: [day])
    #expect(try sentence("SH 10:00-14:00", 6, 12, holidays: school) == "open now, until 14:00")
    #expect(
      try sentence("SH 10:00-14:00", 6, 12, holidays: holiday)
        == "closed (school holidays not known)")
    #expect(
      try sentence("10:00-14:00; PH,SH off", 6, 12)
        == "open now, until 14:00 (holidays not known)")
    #expect(try sentence("PH off || \"ask\"", 6, 12) == "hours: PH off || \"ask\"")
    #expect(try sentence("Mo-Fr 08:00-18:00", 6, 12) == "open now, until 18:00")
  }
}
