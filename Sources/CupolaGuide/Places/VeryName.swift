internal import CupolaCampus
internal import CupolaSupport

/// Whether a text is all of what something is called, and not only a part of it.
package struct VeryName {
  private var folding = Folding()
  private let words: [[UInt32]]

  package init(_ text: String) { words = folding.words(of: text) }

  /// - Parameter name: what it is called; `nil` is nothing.
  package mutating func isSame(as name: String?) -> Bool {
    name.map { folding.words(of: $0) == words } ?? false
  }
}

extension Place {
  /// Whether a text is its name or its identifier.
  package func isCalled(_ text: String) -> Bool {
    var asked = VeryName(text)
    return id == text || asked.isSame(as: name ?? title)
  }
}
