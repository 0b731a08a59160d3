internal import CupolaGuide

/// A feed as it is read: where it is, and what was found wrong so far.
struct FeedInput {
  let source: FeedSource
  var faults = FeedFaults()

  init(_ source: FeedSource) { self.source = source }

  /// The rows of a file; `nil` when there is no such file and need not be.
  ///
  /// - Throws: ``GuideError/badFeed(path:problem:)`` when the file or a column is missing.
  mutating func table<Column: FeedColumn>(
    of columns: Column.Type
  ) throws(GuideError) -> CSVTable<Column>? {
    guard let stream = try source.stream(of: Column.file) else {
      guard Column.file.isRequired else { return nil }
      throw bad("\(Column.file.name) is missing; ask the publisher for a whole feed")
    }
    return try CSVTable(stream, of: source.path, faults: &faults)
  }

  func bad(_ problem: String) -> GuideError { .badFeed(path: source.path, problem: problem) }

  /// - Throws: ``GuideError/badFeed(path:problem:)`` when there are more rows than accepted.
  func checkCount(_ count: Int, limit: Int, of what: String) throws(GuideError) {
    guard count <= limit else {
      throw bad("more than \(limit) \(what); cut the feed to the region first")
    }
  }
}
