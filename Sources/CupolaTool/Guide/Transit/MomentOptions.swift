import ArgumentParser
import CupolaGuide

/// When somebody wants to go, by the clocks of a timetable.
struct MomentOptions: ParsableArguments {
  @Option(
    help: """
      When, on the clocks of the timetable, such as 2026-11-23T14:30, or seconds since 1970 \
      (default: now).
      """)
  var at: String?

  func validate() throws {
    if let at, LocalTime(at) == nil, Self.seconds(at) == nil {
      throw ValidationError("--at must be a time such as 2026-11-23T14:30, not \(at).")
    }
  }

  private static func seconds(_ text: String) -> Double? {
    text.allSatisfy { $0.isASCII && $0.isNumber } && text.utf8.count <= 12 ? Double(text) : nil
  }

  /// Seconds since 1970.
  func seconds(in timetable: Timetable) throws -> Double {
    guard let at else { return LocalTime.secondsSince1970Now }
    if let seconds = Self.seconds(at) { return seconds }
    guard let time = LocalTime(at) else { return LocalTime.secondsSince1970Now }
    guard let seconds = time.secondsSince1970(timeZone: timetable.timeZone) else {
      throw GuideError.badFeed(
        path: timetable.timeZone, problem: "this system does not know the time zone")
    }
    return seconds
  }
}
