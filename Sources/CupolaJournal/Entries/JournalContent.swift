/// What an entry of a journal says.
public enum JournalContent: Equatable, Sendable {
  /// A building or place to come back to.
  case favorite
  /// An answer of the recognizer.
  case seen(JournalSighting)
  /// What the visitor wrote, said or photographed.
  case note(JournalNote)
  /// A question of the visitor to those who run the campus.
  case question(JournalQuestion)

  /// Which of them it is.
  public var kind: JournalKind {
    switch self {
    case .favorite: .favorite
    case .seen: .seen
    case .note: .note
    case .question: .question
    }
  }
}
