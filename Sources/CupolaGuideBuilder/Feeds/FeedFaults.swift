internal import CupolaSupport

// 1. Count identical problems per file, and keep the first location of each.
// 2. Describe each problem in one line.

package struct FeedFault: Equatable, Sendable, CustomStringConvertible {
  let file: String
  /// The number of the first line with the problem, starting with 1; `nil` if the problem does not concern a single
  /// line.
  let line: Int?
  let problem: String
  package internal(set) var count: Int

  var place: String { line.map { "\(file), line \($0)" } ?? file }

  var problemWithCount: String {
    VisibleText.line(problem) + (count == 1 ? "" : " (\(count) times)")
  }

  package var description: String { "\(place): \(problemWithCount)" }
}

final class FeedFaults {
  static let limit = 36

  private struct Kind: Hashable {
    let file: FeedFile
    let problem: FeedFaultKind
  }

  private var places: [Kind: Int] = [:]
  private var kept: [FeedFault] = []
  private var others = 0

  var faults: [FeedFault] {
    guard others > 0 else { return kept }
    return kept + [
      FeedFault(file: "the feed", line: nil, problem: "other faults", count: others)
    ]
  }

  /// - Parameter value: The invalid value; evaluated only for the first occurrence.
  func add(
    _ problem: FeedFaultKind, in file: FeedFile, line: Int? = nil,
    value: @autoclosure () -> String? = nil
  ) {
    if let place = places[Kind(file: file, problem: problem)] {
      kept[place].count += 1
    } else if kept.count >= Self.limit {
      others += 1
    } else {
      places[Kind(file: file, problem: problem)] = kept.count
      let shown = value().map { ": \"\($0.start(scalars: 60))\"" } ?? ""
      kept.append(
        FeedFault(file: file.name, line: line, problem: problem.rawValue + shown, count: 1))
    }
  }
}

enum FeedFaultKind: String {
  case quoteNotClosed = "unclosed quotation mark; line skipped"
  case rowTooLong =
    "row longer than 64 KB, perhaps an unclosed quotation mark; first line skipped"
  case textAfterQuote = "text after a closing quotation mark; added to the value"
  case tooManyValues = "more values than columns; extra values ignored"
  case notUTF8 = "not UTF-8, read as Latin-1; save the file as UTF-8"
  case repeatedColumn = "duplicate column; first one used"

  case noID = "missing identifier; row skipped"
  case repeatedID = "duplicate identifier; first row used"
  case unknownAgency = "agency_id not in agency.txt; first agency used"
  case noAgency = "missing agency_id although there are several agencies; first agency used"
  case unknownParent = "parent_station not in stops.txt; ignored"
  case wrongParent = "parent_station with the wrong location_type; ignored"
  case unknownRoute = "route_id not in routes.txt; row skipped"
  case unknownService = "service_id not in any calendar; row skipped"
  case unknownTrip = "trip_id not in trips.txt; row skipped"
  case unknownStop = "stop_id not in stops.txt; row skipped"
  case stopIsNoStop = "stop_id of a station or entrance (location_type); treated as a stop"

  case badPoint = "invalid coordinates"
  case noPoint = "missing coordinates; never within reach"
  case noName = "missing name"
  case badEnum = "invalid number for this column; treated as blank"
  case badRouteType = "missing route_type; treated as a bus"
  case badColor = "color is not RRGGBB; ignored"
  case badDate = "date is not YYYYMMDD; ignored"
  case badDay = "weekday is not 0 or 1; treated as 0"
  case badExceptionType = "exception_type is not 1 or 2; row skipped"
  case repeatedDate = "duplicate date for a service; first row used"
  case datesBackward = "end_date before start_date; runs only on added days"
  case noTimeZone = "missing agency_timezone; another agency's is used"
  case manyTimeZones = "agencies in several time zones, which GTFS forbids; each keeps its own"
  case manyRows = "more than one row; first one used"

  case badTime = "time is not HH:MM:SS up to 167:59:59; treated as blank"
  case badSequence = "stop_sequence is not a number; row skipped"
  case repeatedSequence = "duplicate stop_sequence in a trip; first row used"
  case badDistance = "invalid shape_dist_traveled; treated as blank"
  case onDemand = "on-demand service (areas, time windows) is not supported; row skipped"
  case departsEarly = "departure before arrival; arrival used"
  case timesBackward = "times go backward; inconsistent ones are interpolated"
  case noEndTime = "first or last stop without a time; skipped"
  case noTimes = "trip without times; skipped"
  case noStopTimes = "trip without rows in stop_times.txt; skipped"
  case oneStop = "trip with only one stop"

  case transferOfTrips = "transfer between routes or trips is not supported; row skipped"
  case manyPathways = "too many pathways; entrances are ignored"
  case noLanguage = "no translation into this language; the feed's own texts are used"
  case noTransferTime = "min_transfer_time is not 0 to 86400 s; row skipped"

  case badHeadway = "headway_secs is not above 0; row skipped"
  case badFrequencyTimes = "times are invalid or out of order; row skipped"
}
