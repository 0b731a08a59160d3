import ArgumentParser
import CupolaCampus
import CupolaGuide

/// When somebody wants to go, by the clocks of a timetable.
struct MomentOptions: ParsableArguments {
  // Other commands of guides say when; these took only --at at first.
  @Option(
    name: [.customLong("when"), .customLong("at")],
    help: """
      When, on the clocks of the timetable, such as 2026-11-23T14:30, or seconds since 1970 \
      (default: now).
      """)
  var when: String?

  func validate() throws {
    if let when, LocalTime(when) == nil, Self.seconds(when) == nil {
      throw ValidationError("--when must be a time such as 2026-11-23T14:30, not \(when).")
    }
  }

  private static func seconds(_ text: String) -> Double? {
    guard text.utf8.count <= 12, !Clock.isDate(text) else { return nil }
    return Digits.number(text).map { Double($0) }
  }

  /// Seconds since 1970.
  func seconds(in timetable: Timetable) throws -> Double {
    guard let when else { return LocalTime.secondsSince1970Now }
    if let seconds = Self.seconds(when) { return seconds }
    guard let time = LocalTime(when) else { return LocalTime.secondsSince1970Now }
    guard let seconds = time.secondsSince1970(timeZone: timetable.timeZone) else {
      throw GuideError.badFeed(
        path: timetable.timeZone, problem: "this system does not know the time zone")
    }
    return seconds
  }
}
