@testable import CupolaGuide
@testable import CupolaJournal
@testable import CupolaSupport
@testable import CupolaTraining

/// Targets for opening hours, times and tables.
extension FuzzTarget {
  static let hours: [FuzzTarget] = [
    FuzzTarget("opening-hours") { bytes in
      let hours = OpeningHours(String(decoding: bytes, as: UTF8.self))
      _ = hours.problem.map { "\($0)" }
      for time in times {
        _ = (hours.state(at: time), hours.sentence(at: time))
      }
    },
    FuzzTarget("moment") { bytes in
      guard let seconds = JournalMoment.seconds(String(decoding: bytes, as: UTF8.self)) else {
        return
      }
      let text = JournalMoment.text(seconds)
      guard (0...253_402_300_799).contains(seconds) else { return }
      guard let again = JournalMoment.seconds(text) else {
        throw FuzzFailure("\(text) is not a time")
      }
      try FuzzFailure.unless(abs(again - seconds) < 1, "\(text) is a different time")
    },
  ]

  static let tables: [FuzzTarget] = [
    FuzzTarget("csv") { bytes in
      guard let table = try? CSV(bytes, path: "split.csv") else { return }
      try FuzzFailure.unless(
        table.rows.count == table.lines.count,
        "\(table.rows.count) rows, \(table.lines.count) lines")
      try FuzzFailure.unless(
        table.rows.allSatisfy { $0.count == table.header.count },
        "a row has a different number of columns")
    },
    FuzzTarget("gpx") { bytes in
      guard let track = try? GPXTrack(bytes, path: "walk.gpx") else { return }
      let times = track.points.map(\.seconds)
      try FuzzFailure.unless(times == times.sorted(), "the points are not sorted by time")
      for seconds in times.prefix(4) {
        try FuzzFailure.unless(
          track.position(at: seconds) != nil, "no position at the time of a point")
      }
    },
  ]

  private static let times = ["2026-11-23T12:00", "2028-02-29T00:00", "2026-12-31T23:59"]
    .compactMap { LocalTime($0) }
}
