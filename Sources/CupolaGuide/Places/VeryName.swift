internal import CupolaCampus

/// Whether a text is all of what something is called, and not only a part of it.
struct VeryName {
  private var folding = Folding()
  private let words: [[UInt32]]

  init(_ text: String) { words = folding.words(of: text) }

  /// - Parameter name: what it is called; `nil` is nothing.
  mutating func isSame(as name: String?) -> Bool {
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

extension TransitStop {
  /// Whether a text is its name, the number on its sign or its identifier.
  package func isCalled(_ text: String) -> Bool {
    var asked = VeryName(text)
    return id == text || code == text || asked.isSame(as: name)
  }
}
