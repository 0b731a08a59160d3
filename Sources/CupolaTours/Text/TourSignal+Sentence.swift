internal import CupolaGuide

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
