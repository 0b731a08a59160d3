internal import CupolaSupport

/// The times of the runs of lines, whether of trips or by frequency.
package struct LineTimes {
  private let tables: TimetableTables
  private let lines: TimetableLines

  package init(_ timetable: Timetable) {
    (tables, lines) = (timetable.tables, timetable.index.lines)
  }

  package func service(_ line: Int) -> Int { Int(lines.lines[line].service) }

  /// The number of calls.
  package func count(ofLine line: Int) -> Int {
    tables.patterns[Int(lines.lines[line].pattern)].calls.count
  }

  package func call(_ line: Int, _ position: Int) -> TimetableTables.Call {
    tables.calls[tables.patterns[Int(lines.lines[line].pattern)].calls.lowerBound + position]
  }

  package func stop(_ line: Int, _ position: Int) -> Int { Int(call(line, position).stop) }

  /// The number of vehicles in a day.
  package func runs(ofLine line: Int) -> Int {
    let line = lines.lines[line]
    if line.row < 0 { return line.trips.count }
    return tables.frequencies[Int(line.row)].runs
  }

  /// The trip of a run.
  package func trip(_ line: Int, _ run: Int) -> Int {
    let line = lines.lines[line]
    if line.row < 0 { return Int(lines.trips[line.trips.lowerBound + run]) }
    return Int(tables.frequencies[Int(line.row)].trip)
  }

  /// The row of frequencies of a line; -1 for none.
  package func row(_ line: Int) -> Int { Int(lines.lines[line].row) }

  /// The start of a run, seconds since noon minus 12 hours.
  package func start(_ line: Int, _ run: Int) -> Int {
    let number = lines.lines[line].row
    if number < 0 { return Int(tables.trips[trip(line, run)].start) }
    return tables.frequencies[Int(number)].start(ofRun: run)
  }

  /// Seconds since noon minus 12 hours.
  package func arrival(_ line: Int, _ run: Int, _ position: Int) -> Int {
    start(line, run) + Int(times(line, run, position).arrival)
  }

  /// Seconds since noon minus 12 hours.
  package func departure(_ line: Int, _ run: Int, _ position: Int) -> Int {
    start(line, run) + Int(times(line, run, position).departure)
  }

  private func times(_ line: Int, _ run: Int, _ position: Int) -> TimetableTables.CallTimes {
    let profile = Int(tables.trips[trip(line, run)].profile)
    return tables.times[tables.profiles[profile].times + position]
  }

  /// The first of the runs before `end` that departs no earlier than a time; `nil` when there is none.
  ///
  /// - Parameter isStepFree: whether runs that take no wheelchair are left out.
  package func firstRun(
    _ line: Int, departingFrom time: Int, at position: Int, before end: Int, isStepFree: Bool
  ) -> Int? {
    let run = (0..<end).bisection { departure(line, $0, position) >= time }
    guard isStepFree else { return run < end ? run : nil }
    // All runs of a row are of one trip.
    let last = row(line) < 0 ? end : min(end, run + 1)
    return (run..<last).first { tables.trips[trip(line, $0)].wheelchair != 2 }
  }
}
