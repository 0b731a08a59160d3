internal import CupolaCampus
internal import CupolaGuide

extension Timetable {
  /// A moment as people say it: `now`, `in 4 min` (whole minutes that are surely left), `at 17:05` when
  /// it is more than 60 minutes away, with `tomorrow` or the date when it is on another day.
  ///
  /// - Parameters:
  ///   - moment: seconds since 1970.
  ///   - now: seconds since 1970.
  public func words(until moment: Double, now: Double) -> String {
    let wait = moment - now
    if wait >= 0, wait < 60 { return "now" }
    if wait >= 60, wait <= 3600 { return "in \(Int(wait / 60)) min" }
    // What left less than a minute ago may still be there.
    if wait < 0, wait > -60 { return "now" }
    if wait <= -60, wait >= -3600 { return "\(Int(-wait / 60)) min ago" }
    guard let then = LocalTime(secondsSince1970: moment, timeZone: timeZone),
      let today = LocalTime(secondsSince1970: now, timeZone: timeZone)
    else { return "at an unknown time" }
    if then.date == today.date { return "at \(then.clock)" }
    if then.date == today.date.adding(days: 1) { return "tomorrow at \(then.clock)" }
    return "on \(then.date) at \(then.clock)"
  }

  /// Such as `55 Downtown in 4 min, scheduled`, or `A Library in 4 min, every 10 min`.
  ///
  /// - Parameters:
  ///   - departure: one of the timetable's.
  ///   - now: seconds since 1970.
  public func words(for departure: Departure, now: Double) -> String {
    let words = departure.title + " " + words(until: departure.time, now: now)
    return words + ", " + (departure.precision.words ?? "scheduled")
  }
}
