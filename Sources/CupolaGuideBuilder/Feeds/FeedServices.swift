internal import CupolaGuide
internal import CupolaSupport
internal import CupolaTransit

/// `calendar.txt` and `calendar_dates.txt`.
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

  /// Their numbers are those of the rows.
  private(set) var ids = ByteTable()
  private(set) var rows: [TransitFeed.Service] = []

  /// - Throws: ``GuideError``, also when there is neither of both files.
  init(_ input: inout FeedInput) throws(GuideError) {
    let hasCalendar = try readCalendar(&input)
    guard try readDates(&input) || hasCalendar else {
      throw input.bad(
        "calendar.txt and calendar_dates.txt are missing; ask the publisher for a whole feed")
    }
  }

  private mutating func readCalendar(_ input: inout FeedInput) throws(GuideError) -> Bool {
    guard var table = try input.table(of: Column.self) else { return false }
    while try table.next(&input.faults) {
      try input.checkCount(rows.count, limit: Self.limit, of: "services")
      guard let id = table.number(.id, in: &ids, &input.faults) else {
        input.faults.add(.noID, in: .calendar, line: table.line)
        continue
      }
      guard id.isNew else {
        input.faults.add(.repeatedID, in: .calendar, line: table.line, value: table.shown(.id))
        continue
      }
      rows.append(service(of: table, &input.faults))
    }
    return true
  }

  private func service(
    of table: CSVTable<Column>, _ faults: inout FeedFaults
  ) -> TransitFeed.Service {
    var service = TransitFeed.Service(id: table.text(.id, &faults) ?? "")
    guard let start = table.date(.start, &faults), let end = table.date(.end, &faults) else {
      return service
    }
    guard start <= end else {
      faults.add(.datesBackward, in: .calendar, line: table.line, value: service.id)
      return service
    }
    (service.start, service.end) = (start, end)
    for (bit, column) in Column.days.enumerated() {
      switch table.integer(column) {
      case 1: service.weekdays |= 1 << UInt8(bit)
      case 0: break
      default:
        faults.add(.badDay, in: .calendar, line: table.line, value: table.shown(column))
      }
    }
    return service
  }

  // MARK: - Exceptions

  /// A row of `calendar_dates.txt`.
  private struct Exception {
    let service: Int32
    let date: Int32
    let line: Int32
    let isAdded: Bool
  }

  private mutating func readDates(_ input: inout FeedInput) throws(GuideError) -> Bool {
    guard var table = try input.table(of: DateColumn.self) else { return false }
    var exceptions: [Exception] = []
    while try table.next(&input.faults) {
      try input.checkCount(rows.count, limit: Self.limit, of: "services")
      try input.checkCount(exceptions.count, limit: Self.dateLimit, of: "dates of services")
      if let exception = exception(of: table, &input.faults) { exceptions.append(exception) }
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

  private mutating func exception(
    of table: CSVTable<DateColumn>, _ faults: inout FeedFaults
  ) -> Exception? {
    guard let id = table.number(.id, in: &ids, &faults) else {
      faults.add(.noID, in: .calendarDates, line: table.line)
      return nil
    }
    if id.isNew { rows.append(TransitFeed.Service(id: table.text(.id, &faults) ?? "")) }
    guard let date = table.date(.date, &faults) else { return nil }
    guard let type = table.integer(.exceptionType), type == 1 || type == 2 else {
      faults.add(
        .badExceptionType, in: .calendarDates, line: table.line, value: table.shown(.exceptionType))
      return nil
    }
    return Exception(
      service: id.number, date: Int32(clamping: date.dayNumber), line: Int32(clamping: table.line),
      isAdded: type == 1)
  }
}
