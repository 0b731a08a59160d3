import Foundation
import Testing

@testable import CupolaGuide

@Suite("Opening hours compared with an independent parser")
struct OpeningHoursGoldenTests {
  /// Values that only the independent parser supports.
  private static let refused: Set<String> = [
    // The literal meaning is "Tuesday all day", but a list of days was probably intended.
    "Mo-Th 06:00-21:00, Fr 06:00-21:30, Sa 07:00-21:00, Su , PH 10:00-21:00",
    "Mo-Fr 07:00-19:00; Sa, Su 09:00-16:00",
    "Tu, Fr 10:00-18:00; We-Th 10:00-20:00; Sa-Su 10:00-17:00",
    "Tu, Th, Fr 12:00-17:00; Fr 12:00-15:00",
    // Rules after ||.
    "We-Fr 10:00-24:00 open \"it is open\" || \"please call\"; PH off",
    "Mo-Fr 08:00-11:00 || Tu-Th,PH open \"Emergency only\"",
    // Sunrise and sunset, and day offsets.
    "sunrise-sunset open \"Beware of sunburn!\"; PH off",
    "sunrise-sunset",
    "Apr-Oct Su[2] 14:00-18:00; Aug Su[-1] -1 day 10:00-18:00; Aug Su[-1] 10:00-18:00; PH off",
  ]
  /// Values that only this library supports; they lack a space but are unambiguous.
  private static let forgiven: Set<String> = [
    "Mo-Th 11:00-23:00; Fr11:00-24:00; Sa 12:00-24:00; Su 12:00-21:00",
    "We-Th 18:00-03:00; Fr-Sa17:00-04:00",
  ]

  @Test("Reads 347 of 356 real values and agrees on every answer")
  func agrees() throws {
    let golden = try OpeningHoursGolden.read()
    let holidays = golden.holidays
    #expect(holidays.publicHolidays.count > 30)
    var (read, answers, missing) = (0, 0, 0)
    for value in golden.values {
      let hours = OpeningHours(value.text)
      guard hours.isReadable, let states = value.states, let own = value.times,
        let next = value.next
      else { continue }
      read += 1
      let times = golden.times + own
      try #require(states.count == times.count && next.count == times.count)
      for (index, state) in states.enumerated() {
        answers += 1
        let time = try OpeningHoursGolden.time(times[index])
        let ours = try answer(hours.state(at: time, holidays: holidays), at: time)
        if ours.state == "u", state != "u" {
          missing += 1
          continue
        }
        // Here, an open end has no closing time; in the independent parser, it closes at midnight.
        let isOpenEnded = value.text.contains("+") && ours == ("o", -1)
        #expect(ours.state == state, "\(value.text) at \(time)")
        #expect(ours.next == next[index] || isOpenEnded, "\(value.text) at \(time)")
      }
    }
    #expect(read == 347)
    #expect(answers == 347 * 40)
    // States are unknown after open ends and after midnight, where parsers differ.
    #expect(missing == 87)
  }

  @Test("Rejects only the listed values")
  func refuses() throws {
    let values = try OpeningHoursGolden.read().values
    let refused = values.filter { $0.states != nil && !OpeningHours($0.text).isReadable }
    #expect(Set(refused.map(\.text)) == Self.refused)
    let others = values.filter { $0.states == nil }
    #expect(others.count == 17)
    #expect(Set(others.map(\.text).filter { OpeningHours($0).isReadable }) == Self.forgiven)
  }

  private func answer(
    _ state: OpeningState, at time: LocalTime
  ) throws -> (state: Character, next: Int) {
    switch state {
    case .open(let end): ("o", try OpeningHoursGolden.minutes(from: time, to: end))
    case .closed(let start): ("c", try OpeningHoursGolden.minutes(from: time, to: start))
    case .unknown: ("u", -1)
    }
  }
}

/// The answers of an independent parser for real values (created by Scripts/goldens).
struct OpeningHoursGolden: Decodable {
  struct Value: Decodable {
    let text: String
    /// Additional times in minutes since the epoch; `nil` if the independent parser rejected the value.
    let times: [Int]?
    /// `o`, `c` or `u` (open, closed or unknown) at each common time, then at each additional time.
    let states: String?
    /// The number of minutes until the next change; -1 if there is none.
    let next: [Int]?
  }

  let publicHolidays: [String]
  let schoolHolidays: [String]
  let times: [Int]
  let values: [Value]

  static func read() throws -> OpeningHoursGolden {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "opening-hours.json")
    return try JSONDecoder().decode(OpeningHoursGolden.self, from: Data(contentsOf: file))
  }

  var holidays: Holidays {
    Holidays(
      publicHolidays: Set(publicHolidays.compactMap(Self.date)),
      schoolHolidays: Set(schoolHolidays.compactMap(Self.date)))
  }

  static func time(_ minutes: Int) throws -> LocalTime {
    let epoch = try #require(LocalDate(year: 2024, month: 1, day: 1))
    let date = try #require(epoch.adding(days: minutes / 1440))
    return try #require(LocalTime(date: date, minute: minutes % 1440))
  }

  /// The number of days since January 1, 2024, computed independently of the library.
  private static let days: [LocalDate: Int] = {
    var days: [LocalDate: Int] = [:]
    var index = 0
    for year in 2024...2027 {
      for month in 1...12 {
        for day in 1...31 {
          guard let date = LocalDate(year: year, month: month, day: day) else { continue }
          days[date] = index
          index += 1
        }
      }
    }
    return days
  }()

  static func minutes(from start: LocalTime, to end: LocalTime?) throws -> Int {
    guard let end else { return -1 }
    let first = try #require(days[start.date])
    let last = try #require(days[end.date])
    return (last - first) * 1440 + end.minute - start.minute
  }

  private static func date(_ text: String) -> LocalDate? {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3 else { return nil }
    return LocalDate(year: parts[0], month: parts[1], day: parts[2])
  }
}
