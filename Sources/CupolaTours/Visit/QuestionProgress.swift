/// What a visit keeps of a question.
struct QuestionProgress: Equatable, Sendable {
  enum Outcome: String {
    case open, right
    /// Answered wrongly as often as one may.
    case wrong
  }

  var outcome = Outcome.open
  /// How often it was answered.
  var tries = 0
}
