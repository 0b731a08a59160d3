internal import CupolaGuide
internal import CupolaSupport
internal import CupolaTransit

/// `feed_info.txt`.
enum FeedInfoReader {
  enum Column: Int, FeedColumn {
    case publisher, version, start, end

    static let file = FeedFile.feedInfo
    static let names = ["feed_publisher_name", "feed_version", "feed_start_date", "feed_end_date"]
    static let required: [Column] = []
  }

  /// - Throws: ``GuideError``.
  static func read(_ input: inout FeedInput) throws(GuideError) -> TransitFeed.Info {
    var info = TransitFeed.Info()
    guard var table = try input.table(of: Column.self) else { return info }
    var count = 0
    while try table.next(&input.faults) {
      count += 1
      if count == 1 {
        info = row(of: table, &input.faults)
      } else {
        input.faults.add(.manyRows, in: .feedInfo, line: table.line)
      }
    }
    return info
  }

  private static func row(
    of table: CSVTable<Column>, _ faults: inout FeedFaults
  ) -> TransitFeed.Info {
    var info = TransitFeed.Info()
    info.publisher = table.text(.publisher, &faults)
    info.version = table.text(.version, &faults)
    if !table.isBlank(.start) { info.start = table.date(.start, &faults) }
    if !table.isBlank(.end) { info.end = table.date(.end, &faults) }
    if let start = info.start, let end = info.end, end < start {
      faults.add(.datesBackward, in: .feedInfo, line: table.line)
      (info.start, info.end) = (nil, nil)
    }
    return info
  }
}
