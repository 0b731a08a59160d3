/// Labels that are one folder on other systems: they differ only in case, in the bytes of accents, or in blanks at an end.
package enum LabelClash {
  /// Those of some labels that differ only so, together; each label once, by its bytes, and sorted by these.
  package static func groups(of labels: some Sequence<String>) -> [[String]] {
    // Equal strings have equal hashes, whatever their bytes.
    let alike = Dictionary(grouping: distinct(labels)) { $0.trimmed.lowercased() }
    return alike.values.filter { $0.count > 1 }.sorted { precedes($0[0], $1[0]) }
  }

  /// Each label once, by its bytes, and sorted by these: Swift takes canonically equivalent ones to be equal.
  static func distinct(_ labels: some Sequence<String>) -> [String] {
    Set(labels.map { Array($0.utf8) }).map { String(decoding: $0, as: UTF8.self) }
      .sorted(by: precedes)
  }

  private static func precedes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }
}
