internal import CupolaSupport

/// Collects faults: equal ones of a file are counted, and few are kept.
struct FeedFaults {
  /// Kinds of faults that are kept.
  static let limit = 36

  private struct Kind: Hashable {
    let file: FeedFile
    let problem: FeedProblem
  }

  private var places: [Kind: Int] = [:]
  private var kept: [FeedFault] = []
  private var others = 0

  /// In the order in which they were found.
  var faults: [FeedFault] {
    guard others > 0 else { return kept }
    return kept + [
      FeedFault(file: "the feed", line: nil, problem: "faults of other kinds", count: others)
    ]
  }

  /// Adds a fault of a line.
  ///
  /// - Parameter value: what is wrong there, to be shown; asked only of the first one.
  mutating func add(
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
