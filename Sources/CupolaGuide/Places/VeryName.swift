internal import CupolaCampus

/// Whether a text is all of what something is called, and not only a part of it.
private enum VeryName {
  static func isSame(_ text: String, _ name: String) -> Bool {
    var folding = Folding()
    return folding.words(of: text) == folding.words(of: name)
  }
}

extension Place {
  /// Whether a text is its name or its identifier.
  package func isCalled(_ text: String) -> Bool {
    id == text || VeryName.isSame(text, name ?? title)
  }
}

extension TransitStop {
  /// Whether a text is its name, the number on its sign or its identifier.
  package func isCalled(_ text: String) -> Bool {
    id == text || code == text || VeryName.isSame(text, name)
  }
}
