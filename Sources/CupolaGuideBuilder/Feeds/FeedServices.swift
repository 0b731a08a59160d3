internal import CupolaGuide
internal import CupolaSupport
internal import CupolaTransit

// 1. Read the weekly services, and add or remove exceptional days.
// 2. Read the headways of frequency-based trips.

struct FeedServices {
  enum Column: Int, FeedColumn {
    case id, monday, tuesday, wednesday, thursday, friday, saturday, sunday, start, end

    static let file = FeedFile.calendar
    static let names = [
      "service_id", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
      "start_date", "end_date",
    ]
    static let required: [Column] = [
      .id, .monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday, .start, .end,
    ]
    static let days: [Column] = [
      .monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday,
    ]
  }

  enum DateColumn: Int, FeedColumn {
    case id, date, exceptionType

    static let file = FeedFile.calendarDates
    static let names = ["service_id", "date", "exception_type"]
    static let required: [DateColumn] = [.id, .date, .exceptionType]
  }

  private static let limit = 2_000_000
  private static let dateLimit = 20_000_000

  private(set) var ids = ByteTable()
  private(set) var rows: [TransitFeed.Service] = []

  init(_ input: FeedInput) throws(GuideError) {
    let hasCalendar = try readCalendar(input)
    guard try readDates(input) || hasCalendar else {
      throw input.bad(
        "missing calendar.txt and calendar_dates.txt; ask the publisher for a complete feed")
    }
  }

  private mutating func readCalendar(_ input: FeedInput) throws(GuideError) -> Bool {
    guard var table = try input.table(of: Column.self) else { return false }
    while try table.next() {
      try input.checkCount(rows.count, limit: Self.limit, of: "services")
      guard table.addID(.id, to: &ids) else { continue }
      rows.append(service(of: table))
    }
    return true
  }

  private func service(of table: CSVTable<Column>) -> TransitFeed.Service {
    var service = TransitFeed.Service(id: table.text(.id) ?? "")
    guard let start = table.date(.start), let end = table.date(.end) else { return service }
    guard start <= end else {
      table.report(.datesBackward, value: service.id)
      return service
    }
    (service.start, service.end) = (start, end)
    for (bit, column) in Column.days.enumerated() {
      switch table.integer(column) {
      case 1: service.weekdays |= 1 << UInt8(bit)
      case 0: break
      default:
        table.report(.badDay, column)
      }
    }
    return service
  }

  private struct Exception {
    let service: Int32
    let date: Int32
    let line: Int32
    let isAdded: Bool
  }

  private mutating func readDates(_ input: FeedInput) throws(GuideError) -> Bool {
    guard var table = try input.table(of: DateColumn.self) else { return false }
    var exceptions: [Exception] = []
    while try table.next() {
      try input.checkCount(rows.count, limit: Self.limit, of: "services")
      try input.checkCount(exceptions.count, limit: Self.dateLimit, of: "dates of services")
      if let exception = exception(of: table) { exceptions.append(exception) }
    }
    exceptions.sort { ($0.service, $0.date, $0.line) < ($1.service, $1.date, $1.line) }
    for (index, exception) in exceptions.enumerated() {
      if index > 0, exceptions[index - 1].service == exception.service,
        exceptions[index - 1].date == exception.date
      {
        input.faults.add(.repeatedDate, in: .calendarDates, line: Int(exception.line))
      } else if let date = LocalDate(dayNumber: Int(exception.date)) {
        if exception.isAdded {
          rows[Int(exception.service)].added.append(date)
        } else {
          rows[Int(exception.service)].removed.append(date)
        }
      }
    }
    return true
  }

  private mutating func exception(of table: CSVTable<DateColumn>) -> Exception? {
    guard let id = table.number(.id, in: &ids) else {
      table.report(.noID)
      return nil
    }
    if id.isNew { rows.append(TransitFeed.Service(id: table.text(.id) ?? "")) }
    guard let date = table.date(.date) else { return nil }
    guard let type = table.integer(.exceptionType), type == 1 || type == 2 else {
      table.report(.badExceptionType, .exceptionType)
      return nil
    }
    return Exception(
      service: id.number, date: Int32(clamping: date.dayNumber), line: Int32(clamping: table.line),
      isAdded: type == 1)
  }
}

struct FeedFrequencies {
  enum Column: Int, FeedColumn {
    case trip, start, end, headway, exactTimes

    static let file = FeedFile.frequencies
    static let names = ["trip_id", "start_time", "end_time", "headway_secs", "exact_times"]
    static let required: [Column] = [.trip, .start, .end, .headway]
  }

  private(set) var rows: [TransitFeed.Frequency] = []

  init(_ input: FeedInput, trips: FeedTrips, numbers: [Int32]) throws(GuideError) {
    guard var table = try input.table(of: Column.self) else { return }
    while try table.next() {
      try input.checkCount(rows.count, limit: 4_000_000, of: "frequencies")
      guard let trip = table.number(.trip, in: trips.ids) else {
        table.report(.unknownTrip, .trip)
        continue
      }
      let number = numbers[Int(trip)]
      if number >= 0, let row = row(of: table, number) { rows.append(row) }
    }
    rows.sort { a, b in
      (a.trip, a.times.lowerBound, a.times.upperBound, a.headway)
        < (b.trip, b.times.lowerBound, b.times.upperBound, b.headway)
    }
  }

  private func row(of table: CSVTable<Column>, _ trip: Int32) -> TransitFeed.Frequency? {
    guard let start = table.time(.start), let end = table.time(.end), start < end
    else {
      table.report(.badFrequencyTimes, value: table.shown(.start) + "-" + table.shown(.end))
      return nil
    }
    guard let number = table.integer(.headway), number > 0, let headway = Int32(exactly: number)
    else {
      table.report(.badHeadway, .headway)
      return nil
    }
    return TransitFeed.Frequency(
      trip: trip, times: start..<end, headway: headway,
      isExact: table.choice(.exactTimes, upTo: 1) == 1)
  }
}
