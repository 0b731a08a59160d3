/// What a visit keeps of a stop.
struct StopProgress: Equatable, Sendable {
  enum Phase: String {
    case waiting
    /// The visitor has been there.
    case reached
    /// All questions are answered, and the visitor is still there.
    case answered
    case done, skipped
  }

  var phase = Phase.waiting
  /// Whether it was said that the stop is open.
  var isOpened = false
  /// Whether it was said that the stop is near.
  var isNear = false
  /// Since when the visitor is inside without a break, seconds since 1970.
  var insideSince: Double?
  /// In the order of the stop's questions.
  var questions: [QuestionProgress]

  init(_ stop: TourStop) {
    questions = stop.questions.map { _ in QuestionProgress() }
  }

  /// Whether stops that wait for this one may open.
  var isPassed: Bool {
    switch phase {
    case .waiting, .reached: false
    case .answered, .done, .skipped: true
    }
  }

  var isOver: Bool { phase == .done || phase == .skipped }

  var unanswered: Int { questions.count { $0.outcome == .open } }
}
