/// How far a visit is with a stop.
public enum TourStopState: String, Equatable, Sendable, CaseIterable {
  /// Other stops come first.
  case locked
  /// It can be visited.
  case open
  /// It can be visited, and is near.
  case near
  /// The visitor is there, and has not answered all questions.
  case at
  /// The visitor is there, and has answered all questions.
  case answered
  /// It is over.
  case done
  /// It was left out.
  case skipped
}
