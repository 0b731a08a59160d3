internal import CupolaGuide

/// An input to a visit. Times are seconds since 1970.
public enum TourEvent: Equatable, Sendable {
  /// A position with its accuracy in meters (negative if unknown). Invalid positions are ignored.
  case position(latitude: Double, longitude: Double, accuracy: Double, time: Double)
  /// A change in a beacon's zone; `nil` if its signal is lost.
  case zone(String, level: TourZoneLevel?, time: Double)
  /// Reports the current time; send this event every second if stops use only beacons.
  case tick(time: Double)
  /// An answer to a question at a stop.
  case answer(stop: String, question: String, TourAnswer)
  /// A stop that the visitor skips.
  case skip(stop: String)
  /// A restart of the visit.
  case restart
}

/// An output of a visit.
public enum TourSignal: Equatable, Sendable {
  /// A stop is now open.
  case opened(stop: String)
  /// An open stop is near; the distance in meters is `nil` if there is no position.
  case near(stop: String, meters: Double?)
  /// The visitor arrived at a stop.
  case arrived(stop: String)
  /// The visitor left a stop with unanswered questions, and can return to it.
  case left(stop: String, unanswered: Int)
  /// An answer is right.
  case right(stop: String, question: String, points: Int)
  /// An answer is wrong.
  case wrong(stop: String, question: String, triesLeft: Int)
  /// All questions at a stop have been answered, or the stop has no questions.
  case answered(stop: String)
  /// A stop is complete; reported only once until a restart.
  case done(stop: String)
  case skipped(stop: String)
  /// All stops are complete or skipped.
  case finished(score: Int, of: Int)
  case restarted
  /// The event is not possible now.
  case refused(TourRejection)
}

/// The reason why an event is not possible.
public struct TourRejection: Equatable, Sendable {
  let sentence: String

  static let unknownStop = Self(sentence: "This stop is not part of the tour.")
  static let unknownQuestion = Self(sentence: "This question is not part of the stop.")
  static let notReached = Self(sentence: "Go to the stop first.")
  static let notOpen = Self(sentence: "Visit the other stops first.")
  /// The question was answered, or the stop is complete.
  static let isOver = Self(sentence: "This is already complete.")
  /// The answer is of the wrong kind for the question; for example, it is text instead of a number.
  static let notAnAnswer = Self(sentence: "This answer does not fit the question.")
}

/// The state of a stop in a visit.
enum TourStopState: String, Equatable, Sendable, CaseIterable {
  /// Other stops must be passed before this one.
  case locked
  case open
  case near
  /// The visitor is at the stop and has unanswered questions.
  case at
  /// The visitor is at the stop and has answered all questions.
  case answered
  case done
  case skipped
}

extension TourSignal {
  /// Returns the sentence to show to the visitor, or `nil` if there is nothing to show.
  ///
  /// The tour's texts are in `language`; all other text is in English.
  public func sentence(of tour: Tour, in language: String? = nil) -> String? {
    let words = TourWords(tour, language)
    switch self {
    case .opened(let stop): return "\(words.title(stop)) is now open."
    case .near(let stop, let meters):
      let distance = meters.map { ", \(DistanceText.text(meters: $0)) from here" } ?? ""
      return "\(words.title(stop)) is near\(distance)."
    case .arrived(let stop):
      return words.joined("You are at \(words.title(stop)).", tour.stop(stop)?.text)
    case .left(let stop, let count):
      return "You left \(words.title(stop)); \(Self.questions(count)) there."
    case .right(let stop, let question, let points):
      let gained = points == 0 ? "Thank you." : "Right: \(Self.points(points))."
      return words.joined(gained, words.question(stop, question)?.explanation)
    case .wrong(let stop, let question, let triesLeft):
      let asked = words.question(stop, question)
      if triesLeft == 0 { return words.joined("That is not right.", asked?.explanation) }
      let again = triesLeft == 1 ? "You have one more try." : "You have \(triesLeft) more tries."
      return words.joined("That is not right. \(again)", asked?.hint)
    case .answered(let stop):
      let isAsked = !(tour.stop(stop)?.questions.isEmpty ?? true)
      return isAsked ? "All questions at \(words.title(stop)) are answered." : nil
    case .done: return nil
    case .skipped(let stop): return "\(words.title(stop)) is skipped."
    case .finished(let score, let most):
      return "The tour \(words.tourTitle) is over."
        + (most > 0 ? " You have \(score) of \(Self.points(most))." : "")
    case .restarted: return "The tour \(words.tourTitle) starts again."
    case .refused(let refusal): return refusal.sentence
    }
  }

  private static func questions(_ count: Int) -> String {
    count == 1 ? "one question is unanswered" : "\(count) questions are unanswered"
  }

  private static func points(_ count: Int) -> String { count == 1 ? "1 point" : "\(count) points" }
}
