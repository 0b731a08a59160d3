/// What a visit tells the app.
public enum TourSignal: Equatable, Sendable {
  /// A stop can be visited from now on.
  case opened(stop: String)
  /// A stop that can be visited is near; meters where a position tells.
  case near(stop: String, meters: Double?)
  /// The visitor is at a stop.
  case arrived(stop: String)
  /// The visitor left a stop whose questions are not all answered; it can be visited again.
  case left(stop: String, unanswered: Int)
  /// An answer is right.
  case right(stop: String, question: String, points: Int)
  /// An answer is wrong; how often one may try again.
  case wrong(stop: String, question: String, triesLeft: Int)
  /// All questions of a stop are answered, or it has none.
  case answered(stop: String)
  /// A stop is over; of each once until a restart.
  case done(stop: String)
  /// A stop was left out.
  case skipped(stop: String)
  /// All stops are over or left out.
  case finished(score: Int, of: Int)
  /// The visit began again.
  case restarted
  /// An event that means nothing now.
  case refused(TourRefusal)
}
