import CupolaGuide

/// Moments as people read them.
enum MomentText {
  /// The time of the day on the clocks of a timetable.
  static func clock(_ moment: Double, _ timetable: Timetable) -> String {
    LocalTime(secondsSince1970: moment, timeZone: timetable.timeZone)?.clock ?? "?"
  }

  /// ISO 8601 without the zone.
  static func local(_ moment: Double, _ timetable: Timetable) -> String {
    LocalTime(secondsSince1970: moment, timeZone: timetable.timeZone)?.description ?? "?"
  }
}
