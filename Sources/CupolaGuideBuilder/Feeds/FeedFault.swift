internal import CupolaSupport

/// Something of a feed that is wrong, and what was made of it; the rest was read.
package struct FeedFault: Equatable, Sendable, CustomStringConvertible {
  /// Such as `stop_times.txt`.
  let file: String
  /// The line of the first one, from 1; `nil` where it is of no line.
  let line: Int?
  /// What is wrong with it, and the value where that helps.
  let problem: String
  /// How many there are.
  package internal(set) var count: Int

  /// Where it is, such as `stop_times.txt, line 7`.
  var place: String { line.map { "\(file), line \($0)" } ?? file }

  /// What is wrong and how often, on one line.
  var countedProblem: String {
    VisibleText.line(problem) + (count == 1 ? "" : " (\(count) times)")
  }

  /// One line for people.
  package var description: String { "\(place): \(countedProblem)" }
}
