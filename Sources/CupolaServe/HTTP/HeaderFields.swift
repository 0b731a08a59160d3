#if Serve
  /// The header fields of a request or a response; capitals in their names tell nothing.
  struct HeaderFields: Sendable, ExpressibleByDictionaryLiteral {
    private(set) var all: [(name: String, value: String)] = []

    init(dictionaryLiteral fields: (String, String)...) {
      all = fields.map { (name: $0.0, value: $0.1) }
    }

    init(_ fields: some Sequence<(name: String, value: String)>) { all = Array(fields) }

    /// What a field says; where there are several of its name, all of them one behind the other (RFC 9110, 5.2).
    subscript(name: String) -> String? {
      get {
        let values = all.filter { Self.isSame($0.name, name) }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
      }
      set {
        all.removeAll { Self.isSame($0.name, name) }
        if let newValue { all.append((name, newValue)) }
      }
    }

    /// Whether a word, written small, is in the list that a field has.
    func has(_ word: String, in name: String) -> Bool {
      self[name]?.split(separator: ",").contains { $0.trimmed.lowercased() == word } ?? false
    }

    private static func isSame(_ a: String, _ b: String) -> Bool {
      a.lowercased() == b.lowercased()
    }
  }

  extension StringProtocol {
    /// Without white space at either end.
    var trimmed: String {
      let start = drop { $0.isWhitespace }
      let kept = start.reversed().drop { $0.isWhitespace }
      return String(kept.reversed())
    }
  }
#endif
