/// Something of a map that could not be used; the rest was.
package struct MapFault: Equatable, Sendable, CustomStringConvertible {
  /// How to name the feature to people.
  let title: String
  /// What is wrong, and how to mend it.
  let problem: String
  /// Whether it is of a whole map, so that nobody knows how much is missing.
  package let isOfMap: Bool

  init(_ title: String, _ problem: String, isOfMap: Bool = false) {
    (self.title, self.problem, self.isOfMap) = (title, problem, isOfMap)
  }

  package var description: String { "\(title): \(problem)" }
}
