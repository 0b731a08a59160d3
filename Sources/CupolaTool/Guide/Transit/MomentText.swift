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

  /// Why a timetable has nothing at a moment that lies outside of its dates; `nil` for one that lies within.
  static func outside(_ moment: Double, _ timetable: Timetable) -> String? {
    guard let dates = timetable.dates,
      let day = LocalTime(secondsSince1970: moment, timeZone: timetable.timeZone)?.date
    else { return nil }
    if day > dates.upperBound {
      return "note: the timetable ends \(dates.upperBound); build the guide with a newer feed"
    }
    if day < dates.lowerBound {
      return "note: the timetable begins \(dates.lowerBound); build the guide with an older feed"
    }
    return nil
  }
}
