internal import CupolaCampus
internal import CupolaSupport

/// Parts of entries as exports for people have them.
enum JournalText {
  /// What the visitor wrote; `nil` when that is nothing.
  static func body(of entry: JournalEntry) -> String? {
    switch entry.content {
    case .favorite, .seen: nil
    case .note(let note): note.text.isEmpty ? nil : note.text
    case .question(let question): question.text
    }
  }

  /// Five stars, as many of them full as somebody gave.
  static func stars(_ rating: Int) -> String {
    let full = min(max(rating, 0), 5)
    return String(repeating: "★", count: full) + String(repeating: "☆", count: 5 - full)
  }

  /// `48.30056, 10.89836`: to about a meter.
  static func degrees(_ position: Position) -> String {
    [position.latitude, position.longitude].map { value in
      let units = Int((value.magnitude * 100_000).rounded())
      let sign = value < 0 && units > 0 ? "-" : ""
      return "\(sign)\(units / 100_000).\(Digits.padded(units % 100_000, to: 5))"
    }.joined(separator: ", ")
  }
}
