/// Something of a map that could not be used; the rest was.
package struct MapFault: Equatable, Sendable, CustomStringConvertible {
  /// How to name the feature to people.
  package let title: String
  /// What is wrong, and how to mend it.
  package let problem: String

  package init(_ title: String, _ problem: String) { (self.title, self.problem) = (title, problem) }

  package var description: String { "\(title): \(problem)" }
}
