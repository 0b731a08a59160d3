internal import CupolaGuide
internal import CupolaSupport
internal import CupolaTransit

/// `frequencies.txt`.
struct FeedFrequencies {
  enum Column: Int, FeedColumn {
    case trip, start, end, headway, exactTimes

    static let file = FeedFile.frequencies
    static let names = ["trip_id", "start_time", "end_time", "headway_secs", "exact_times"]
    static let required: [Column] = [.trip, .start, .end, .headway]
  }

  private static let limit = 4_000_000

  /// Sorted by trip, then by start.
  private(set) var rows: [TransitFeed.Frequency] = []

  /// - Parameter numbers: by row of a trip its number in the feed; -1 of one that is not kept.
  /// - Throws: ``GuideError``.
  init(
    _ input: inout FeedInput, trips: FeedTrips, numbers: [Int32]
  ) throws(GuideError) {
    guard var table = try input.table(of: Column.self) else { return }
    while try table.next(&input.faults) {
      try input.checkCount(rows.count, limit: Self.limit, of: "frequencies")
      guard let trip = table.number(.trip, in: trips.ids) else {
        input.faults.add(
          .unknownTrip, in: .frequencies, line: table.line, value: table.shown(.trip))
        continue
      }
      let number = numbers[Int(trip)]
      if number >= 0, let row = row(of: table, number, &input.faults) { rows.append(row) }
    }
    rows.sort { a, b in
      (a.trip, a.times.lowerBound, a.times.upperBound, a.headway)
        < (b.trip, b.times.lowerBound, b.times.upperBound, b.headway)
    }
  }

  private func row(
    of table: CSVTable<Column>, _ trip: Int32, _ faults: inout FeedFaults
  ) -> TransitFeed.Frequency? {
    guard let start = table.time(.start, &faults), let end = table.time(.end, &faults), start < end
    else {
      faults.add(
        .badFrequencyTimes, in: .frequencies, line: table.line,
        value: table.shown(.start) + "-" + table.shown(.end))
      return nil
    }
    guard let number = table.integer(.headway), number > 0, let headway = Int32(exactly: number)
    else {
      faults.add(
        .badHeadway, in: .frequencies, line: table.line, value: table.shown(.headway))
      return nil
    }
    return TransitFeed.Frequency(
      trip: trip, times: start..<end, headway: headway,
      isExact: table.choice(.exactTimes, upTo: 1, &faults) == 1)
  }
}
