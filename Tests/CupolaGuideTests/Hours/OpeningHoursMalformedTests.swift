import CupolaGuide
import Testing

@Suite("Opening hours that are none")
struct OpeningHoursMalformedTests {
  @Test(
    "what cannot be read is said with its place, and its state is unknown",
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
    "odd but clear values are read",
    arguments: [
      "Mo-Mo", "mo-FR 9:00 - 17:00", "Mo 00:00-24:00;", "open", "week01-53 Mo", "Dec 25,Jan 1 off",
      "Su-Sa", "00:00-48:00", "Mo-Fr 10:00-12:00,Sa 10:00-11:00",
    ])
  func odd(text: String) { #expect(OpeningHours(text).problem == nil) }

  @Test("hostile values are answered quickly")
  func hostile() throws {
    let time = try #require(LocalTime(year: 2024, month: 3, day: 6, hour: 11))
    let pieces = [
      "Mo", "[", "Mo,", "10:00-11:00,", "\"", "off;", "PH,", ";", "Jan 1,", "9", "week1,", "||",
      "-",
      "Feb 29 00:00-00:01 unknown,", "We 00:00-48:00,",
    ]
    let start = ContinuousClock.now
    for piece in pieces {
      for count in [1, 30, 33, 70, 85, 500, 100_000 / piece.utf8.count] {
        let hours = OpeningHours(String(repeating: piece, count: count))
        _ = (hours.sentence(at: time), hours.advice)
      }
    }
    #expect(ContinuousClock.now - start < .seconds(3))
    #expect(OpeningHours(String(repeating: "x", count: 100_000)).problem != nil)
  }

  @Test("any mixture of words is read or refused, and the change it names is one")
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
    for _ in 0..<20_000 {
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
    #expect(read > 500)
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
