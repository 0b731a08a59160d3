import CupolaGuide
import Foundation
import Testing

/// What an independent reader says of real values (Scripts/make-opening-hours-golden).
struct OpeningHoursGolden: Decodable {
  struct Value: Decodable {
    let text: String
    /// Minutes after the epoch of this value's own times; `nil` where the other reader refuses it.
    let times: [Int]?
    /// `o`, `c` or `u` at the common times and then at the own ones.
    let states: String?
    /// Minutes to the change, -1 for none.
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

  /// The time so many minutes after 1 January 2024.
  static func time(_ minutes: Int) throws -> LocalTime {
    let epoch = try #require(LocalDate(year: 2024, month: 1, day: 1))
    let date = try #require(epoch.adding(days: minutes / 1440))
    return try #require(LocalTime(date: date, minute: minutes % 1440))
  }

  /// The days from 1 January 2024, counted one by one and not by the library's day numbers.
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

  /// The minutes between two times from 2024 to 2027; -1 when there is no second.
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
