internal import CupolaCampus

/// Something of a feed that is wrong, and what was made of it; the rest was read.
package struct FeedFault: Equatable, Sendable, CustomStringConvertible {
  /// Such as `stop_times.txt`.
  package let file: String
  /// The line of the first one, from 1; `nil` where it is of no line.
  package let line: Int?
  /// What is wrong with it, and the value where that helps.
  package let problem: String
  /// How many there are.
  package internal(set) var count: Int

  /// One line for people.
  package var description: String {
    let place = line.map { "\(file), line \($0)" } ?? file
    let times = count == 1 ? "" : " (\(count) times)"
    return "\(place): \(VisibleText.line(problem))\(times)"
  }
}
