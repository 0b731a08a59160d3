internal import CupolaGuide

// 1. `TourEvent` is what a visit takes; `TourSignal` is what it returns.
// 2. `TourRefusal` and `TourStopState` list reasons and states.
// 3. `sentence` turns a signal into a sentence for the visitor, with texts of the tour.

/// Something that happens during a visit. Times are seconds since 1970.
public enum TourEvent: Equatable, Sendable {
  /// The phone found its position; `accuracy` is meters within which it lies, negative when nobody knows.
  /// What is no place on Earth is passed over.
  case position(latitude: Double, longitude: Double, accuracy: Double, time: Double)
  /// The zone of a beacon has changed; `nil`: its signal is gone.
  case zone(String, level: TourZoneLevel?, time: Double)
  /// Time passes: to be sent once a second or so where beacons alone tell the place.
  case tick(time: Double)
  /// The visitor answers a question of a stop.
  case answer(stop: String, question: String, TourAnswer)
  /// The visitor goes on without a stop.
  case skip(stop: String)
  /// The visitor begins again.
  case restart
}

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

/// Why an event means nothing.
public struct TourRefusal: Equatable, Sendable {
  let sentence: String

  /// The tour has no such stop.
  static let unknownStop = Self(sentence: "The tour has no such stop.")
  /// The stop has no such question.
  static let unknownQuestion = Self(sentence: "The stop has no such question.")
  /// The visitor has not been at the stop.
  static let notReached = Self(sentence: "Go to the stop first.")
  /// It is not the stop's turn.
  static let notOpen = Self(sentence: "Other stops come first.")
  /// The question was answered, or the stop is over.
  static let isOver = Self(sentence: "That is over already.")
  /// An answer that is none to this question, such as a text where a number is asked for.
  static let notAnAnswer = Self(sentence: "That is no answer to this question.")
}

/// How far a visit is with a stop.
enum TourStopState: String, Equatable, Sendable, CaseIterable {
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

extension TourSignal {
  /// What to say to the visitor; texts of the tour are in the language, the rest is English. `nil` where nothing has to
  /// be said.
  public func sentence(of tour: Tour, in language: String? = nil) -> String? {
    let words = TourWords(tour, language)
    switch self {
    case .opened(let stop): return "\(words.title(stop)) is open now."
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
    case .skipped(let stop): return "\(words.title(stop)) is left out."
    case .finished(let score, let most):
      return "The tour \(words.tourTitle) is over."
        + (most > 0 ? " You have \(score) of \(Self.points(most))." : "")
    case .restarted: return "The tour \(words.tourTitle) begins again."
    case .refused(let refusal): return refusal.sentence
    }
  }

  private static func questions(_ count: Int) -> String {
    count == 1 ? "one question is open" : "\(count) questions are open"
  }

  private static func points(_ count: Int) -> String { count == 1 ? "1 point" : "\(count) points" }
}
