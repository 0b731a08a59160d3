import CupolaGuide
import CupolaTestSupport
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

  @Test("Sentences state the current state and the next change")
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

  @Test("Later rules replace a day, commas add times, off removes them")
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

  @Test("Night hours belong to the day on which they begin")
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

  @Test("Advises when rules cut night hours")
  func advice() {
    #expect(OpeningHours("We 18:00-02:00; Th 18:00-02:00").advice != nil)
    #expect(OpeningHours("Th 18:00-02:00; We 18:00-02:00").advice != nil)
    #expect(OpeningHours("We 18:00-02:00, Th 18:00-02:00").advice == nil)
    #expect(OpeningHours("Mo-Su 18:00-02:00; We off").advice == nil)
    #expect(OpeningHours("We 08:00-12:00; Th 08:00-12:00").advice == nil)
  }

  @Test("Evaluates date ranges, leap days, years, weeks and nth weekdays")
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
    // The search ends 366 days ahead.
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

  @Test("Uses the caller's holidays and says when they are unknown")
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

@Suite("Malformed opening hours")
struct OpeningHoursMalformedTests {
  @Test(
    "Reports the offset of an unreadable part; the state is unknown",
    arguments: [
      ("", 0), ("Mo-Fr 10:00-18:00 Sa 10:00-12:00", 18), ("99:99", 0), ("10:00-25:61", 6),
      ("10:00-49:00", 6), ("24:00-26:00", 0), ("Feb 31 10:00-12:00", 4), ("Feb 30", 4),
      ("Jun 31", 4),
      ("Wed 10:00-12:00", 0), ("Mo-Do 10:00-12:00", 3), ("Mo[0] 10:00-12:00", 3), ("Mo[1", 4),
      ("Mo[6]", 3), ("10:00", 0), ("10-12", 0), ("10:00-", 6), ("10:00–12:00", 0), ("Mo,", 2),
      ("week 54 10:00-12:00", 5), ("week 0", 5), ("week", 4), ("2024-2020", 4), ("Mo \"open", 3),
      ("10:00-12:00 | \"x\"", 12), ("10:00-12:00 || ", 12), ("sunrise-sunset", 0), ("Mar 6-Apr", 0),
      ("easter off", 0), ("PH -1 day off", 3), ("10:00-16:00/90", 11), (", 10:00-12:00", 0),
      ("2024 Dec 24-Jan 2 off", 5), ("Mo, Tu 10:00-12:00", 2), ("24/7 We", 5),
      ("Mar,Jan Su[1] 10:00-12:00", 10), ("\u{0}", 0), ("0000 Mo 10:00-12:00", 0),
      ("2024,0000 Mo 10:00-12:00", 5), ("2024 Jul 1-0000 Aug 8 off", 11),
      ("Jul 1,0000 Jul 5 off", 6),
      ("🕙", 0),
    ])
  func refused(text: String, offset: Int) throws {
    let hours = OpeningHours(text)
    let problem = try #require(hours.problem)
    #expect(problem.offset == offset, "\(text): \(problem)")
    #expect(!problem.message.isEmpty && !problem.message.contains("\n"))
    let time = try #require(LocalTime(year: 2024, month: 3, day: 6, hour: 11))
    #expect(hours.state(at: time) == .unknown)
    #expect(hours.text == text && hours.advice == nil)
  }

  @Test(
    "Accepts unusual but unambiguous values",
    arguments: [
      "Mo-Mo", "mo-FR 9:00 - 17:00", "Mo 00:00-24:00;", "open", "week01-53 Mo", "Dec 25,Jan 1 off",
      "Su-Sa", "00:00-48:00", "Mo-Fr 10:00-12:00,Sa 10:00-11:00",
    ])
  func odd(text: String) { #expect(OpeningHours(text).problem == nil) }

  @Test("Answers hostile values quickly")
  func hostile() throws {
    let time = try #require(LocalTime(year: 2024, month: 3, day: 6, hour: 11))
    let pieces = [
      "Mo", "[", "Mo,", "10:00-11:00,", "\"", "off;", "PH,", ";", "Jan 1,", "9", "week1,", "||",
      "-",
      "Feb 29 00:00-00:01 unknown,", "We 00:00-48:00,",
    ]
    let used = processorTime {
      for piece in pieces {
        for count in [1, 30, 33, 70, 85, 500, 100_000 / piece.utf8.count] {
          let hours = OpeningHours(String(repeating: piece, count: count))
          _ = (hours.sentence(at: time), hours.advice)
        }
      }
    }
    #expect(used < .seconds(3))
    #expect(OpeningHours(String(repeating: "x", count: 100_000)).problem != nil)
  }

  @Test("Random values are read or rejected, with correct change times")
  func mixtures() throws {
    let words = [
      "Mo", "Tu", "Fr", "Sa", "Su", "PH", "SH", "Jan", "Feb", "Dec", "week", "2024", "2025", "1",
      "29",
      "31", "-", ",", ", ", ";", "; ", " ", " ", ":", "+", "[1]", "[-1]", "09:00", "12:00-14:00",
      "18:00-02:00", "20:00-26:00", "00:00-24:00", "off", "open", "unknown", "\"x\"", "||", "24/7",
      "Mo-Fr ", "Sa-Tu ", "10:00-16:00", "; ", ", ", "Mar-Oct ", "é", "99:99",
    ]
    var (seed, read) = (UInt64(7), 0)
    func pick(_ count: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % count
    }
    for _ in 0..<(Verification.isFull ? 20_000 : 3_000) {
      let text = (0...pick(9)).map { _ in words[pick(words.count)] }.joined()
      let hours = OpeningHours(text)
      let date = try #require(LocalDate(year: 2024, month: 1 + pick(12), day: 1 + pick(28)))
      let time = try #require(LocalTime(date: date, minute: pick(1440)))
      guard hours.isReadable else { continue }
      read += 1
      switch hours.state(at: time) {
      case .open(let end?):
        #expect(end > time, "\(text)")
        let last = try before(end)
        #expect(!hours.isOpen(at: end) && hours.isOpen(at: last), "\(text) at \(time)")
      case .closed(let start?):
        #expect(start > time, "\(text)")
        let last = try before(start)
        #expect(hours.isOpen(at: start) && !hours.isOpen(at: last), "\(text) at \(time)")
      default: break
      }
    }
    #expect(read > 60)
  }

  private func before(_ time: LocalTime) throws -> LocalTime {
    if let earlier = LocalTime(date: time.date, minute: time.minute - 1) { return earlier }
    let yesterday = try #require(time.date.adding(days: -1))
    return try #require(LocalTime(date: yesterday, minute: 1439))
  }
}

extension OpeningHours {
  fileprivate func isOpen(at time: LocalTime) -> Bool {
    if case .open = state(at: time) { true } else { false }
  }
}
