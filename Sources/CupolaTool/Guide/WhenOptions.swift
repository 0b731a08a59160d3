import ArgumentParser
import CupolaGuide

/// When somebody goes, for opening hours.
struct WhenOptions: ParsableArguments {
  @Flag(help: "Only places that are open then, as their opening hours say.")
  var open = false

  @Option(help: "When, local time, such as 2026-11-23T14:30 (default: now).")
  var when: String?

  func validate() throws {
    if let when, LocalTime(when) == nil {
      throw ValidationError("--when must be a time such as 2026-11-23T14:30, not \(when).")
    }
  }

  /// The local time of a campus.
  func time(of guide: Guide) -> LocalTime? {
    if let when { return LocalTime(when) }
    return LocalTime.now(in: guide.timeZone)
  }

  /// Whether a place is wanted: open, or not known to be closed when that was not asked for.
  func wants(_ place: Place, at time: LocalTime?) -> Bool {
    guard open, let time else { return true }
    guard let hours = place.openingHours, case .open = OpeningHours(hours).state(at: time) else {
      return false
    }
    return true
  }
}
