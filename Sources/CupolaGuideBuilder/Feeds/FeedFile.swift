/// The files of a feed that are read.
enum FeedFile: String, CaseIterable {
  case agency, stops, routes, trips
  case stopTimes = "stop_times"
  case calendar
  case calendarDates = "calendar_dates"
  case frequencies
  case feedInfo = "feed_info"

  /// The name of the file.
  var name: String { rawValue + ".txt" }

  /// Whether there is no feed without it; of both calendars one must be there.
  var isRequired: Bool {
    switch self {
    case .agency, .stops, .routes, .trips, .stopTimes: true
    case .calendar, .calendarDates, .frequencies, .feedInfo: false
    }
  }
}
