internal import CupolaSupport

// 1. Name each problem that a row can have.
// 2. Count equal problems of a file, and keep the first place of each kind.
// 3. Describe each kind in one line.

package struct FeedFault: Equatable, Sendable, CustomStringConvertible {
  let file: String
  /// The line of the first one, from 1; `nil` where it is of no line.
  let line: Int?
  let problem: String
  package internal(set) var count: Int

  var place: String { line.map { "\(file), line \($0)" } ?? file }

  var countedProblem: String {
    VisibleText.line(problem) + (count == 1 ? "" : " (\(count) times)")
  }

  package var description: String { "\(place): \(countedProblem)" }
}

final class FeedFaults {
  static let limit = 36

  private struct Kind: Hashable {
    let file: FeedFile
    let problem: FeedProblem
  }

  private var places: [Kind: Int] = [:]
  private var kept: [FeedFault] = []
  private var others = 0

  var faults: [FeedFault] {
    guard others > 0 else { return kept }
    return kept + [
      FeedFault(file: "the feed", line: nil, problem: "faults of other kinds", count: others)
    ]
  }

  /// - Parameter value: what is wrong there, to be shown; asked only of the first one.
  func add(
    _ problem: FeedProblem, in file: FeedFile, line: Int? = nil,
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

enum FeedProblem: String {
  case quoteNotClosed = "a quotation mark that is not closed; the line is left out"
  case rowTooLong =
    "a row of more than 64 KB, perhaps of a quotation mark not closed; its first line is left out"
  case textAfterQuote = "text after a closing quotation mark; taken as part of the value"
  case tooManyValues = "more values than columns; the last ones are left out"
  case notUTF8 = "not UTF-8, read as Latin-1; save the file as UTF-8"
  case repeatedColumn = "a column that is there twice; the first one is taken"

  case noID = "no identifier; the row is left out"
  case repeatedID = "an identifier that is there twice; the first row is taken"
  case unknownAgency = "an agency_id that agency.txt does not have; the first agency is taken"
  case noAgency = "no agency_id, but several agencies; the first agency is taken"
  case unknownParent = "a parent_station that stops.txt does not have; left out"
  case wrongParent = "a parent_station of the wrong location_type; left out"
  case unknownRoute = "a route_id that routes.txt does not have; the row is left out"
  case unknownService = "a service_id that no calendar has; the row is left out"
  case unknownTrip = "a trip_id that trips.txt does not have; the row is left out"
  case unknownStop = "a stop_id that stops.txt does not have; the row is left out"
  case stopIsNoStop = "a stop_id of a station or entrance (location_type); taken as a stop"

  case badPoint = "coordinates that are none"
  case noPoint = "no coordinates, and so never within reach"
  case noName = "no name"
  case badEnum = "a number that this column does not have; taken as if blank"
  case badRouteType = "no route_type; taken as a bus"
  case badColor = "a color that is not RRGGBB; left out"
  case badDate = "a date that is not YYYYMMDD; left out"
  case badDay = "a day of the week that is neither 0 nor 1; taken as 0"
  case badExceptionType = "an exception_type that is neither 1 nor 2; the row is left out"
  case repeatedDate = "a date that is there twice for a service; the first row is taken"
  case datesBackward = "an end_date before the start_date; runs only on added days"
  case noTimeZone = "no agency_timezone; the one of another agency is taken"
  case manyTimeZones = "agencies in several time zones, which GTFS forbids; each keeps its own"
  case manyRows = "more than one row; the first one is taken"

  case badTime = "a time that is not HH:MM:SS, up to 167:59:59; taken as blank"
  case badSequence = "a stop_sequence that is no number; the row is left out"
  case repeatedSequence = "a stop_sequence that the trip has twice; the first row is taken"
  case badDistance = "a shape_dist_traveled that is none; taken as blank"
  case onDemand = "service on demand (areas, windows), which is not read; the row is left out"
  case departsEarly = "a departure before the arrival; taken as the arrival"
  case timesBackward = "times that go backward; those that fit least are interpolated"
  case noEndTime = "a first or last stop without a time; left out"
  case noTimes = "a trip without times; left out"
  case noStopTimes = "a trip without rows in stop_times.txt; left out"
  case oneStop = "a trip of one stop"

  case badHeadway = "a headway_secs that is not above 0; the row is left out"
  case badFrequencyTimes = "times that are none or not in order; the row is left out"
}
