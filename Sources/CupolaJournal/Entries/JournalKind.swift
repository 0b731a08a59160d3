/// What an entry of a journal is.
public enum JournalKind: String, CaseIterable, Sendable {
  /// A building or place to come back to.
  case favorite
  /// An answer of the recognizer.
  case seen
  /// What the visitor wrote, said or photographed.
  case note
  /// A question of the visitor to those who run the campus.
  case question
}
