/// Why an event means nothing.
public enum TourRefusal: String, Equatable, Sendable, CaseIterable {
  /// The tour has no such stop.
  case unknownStop = "unknown_stop"
  /// The stop has no such question.
  case unknownQuestion = "unknown_question"
  /// The visitor has not been at the stop.
  case notReached = "not_reached"
  /// It is not the stop's turn.
  case notOpen = "not_open"
  /// The question was answered, or the stop is over.
  case isOver = "is_over"
  /// An answer that is none to this question, such as a text where a number is asked for.
  case notAnAnswer = "not_an_answer"
}
