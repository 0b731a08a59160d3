/// What a visitor answers.
public enum TourAnswer: Equatable, Sendable {
  /// The numbers of what was chosen, from 0, in any order.
  case choices([Int])
  /// A text as it was typed.
  case text(String)
  /// A number.
  case number(Double)
}
