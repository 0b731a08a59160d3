internal import Cupola

/// What an evaluation comes to, in one sentence that needs no other figure.
struct ReportVerdict: Sendable {
  /// How good the model is on these photos.
  enum Grade: String, Sendable {
    case good = "Good"
    case fair = "Fair"
    case poor = "Poor"
    /// The figures cannot tell.
    case open = "Not known"
  }

  let grade: Grade
  let sentence: String

  /// From so many photos named right on, and with no more wrong names than promised, a model is good.
  private static let goodShare = 0.9
  private static let fairShare = 0.75
  /// From such a share on, photos of anything else that get a name keep a model from being good.
  private static let mostNamedOthers = 0.05
  /// A model that gives fewer of the photos of its own buildings a name is not good, whatever comes first.
  private static let leastNamed = 0.5
  /// An interval that is wider leaves open what a model is worth.
  private static let widestInterval = 0.15

  init(_ report: EvaluationReport) {
    let evaluation = report.evaluation
    let named = evaluation.named
    guard let share = named.accuracy else {
      (grade, sentence) = (.open, "Not known: no photo shows a building that the model knows.")
      return
    }
    if let leaks = report.leaks, leaks.leaking.photos > 0 {
      grade = .open
      sentence =
        "Not known: \(leaks.sentence(asked: evaluation.asked)), and such photos flatter the model."
      return
    }
    let counts = evaluation.verdicts(evaluation.known)
    // A share of all photos of buildings, as it is promised; visitors take names by place only for names, too.
    let wrong =
      Share(right: counts.wrong + counts.mappedWrong, of: evaluation.known.count).accuracy ?? 0
    let isKept = wrong <= evaluation.point.maximumError
    let answered = Share(right: counts.right + counts.wrong, of: evaluation.known.count)
    let answers = answered.accuracy ?? 0
    let others = Self.others(evaluation)
    let isGood = share >= Self.goodShare && isKept && others.isEmpty && answers >= Self.leastNamed
    grade = isGood ? .good : share >= Self.fairShare && answers > 0 ? .fair : .poor
    let photos = FigureText.count(named.photos, "test photo")
    var text =
      "\(grade.rawValue): by the picture alone the right building comes first for \(named.right) of "
      + "\(photos). " + Self.names(counts, isKept: isKept, evaluation.point.maximumError)
    text += others
    let ends = named.interval.ends
    if ends[1] - ends[0] > Self.widestInterval {
      text +=
        " So few photos leave much open: anything from \(FigureText.percent(ends[0])) to "
        + "\(FigureText.percent(ends[1])) is possible."
    }
    sentence = text
  }

  /// Of what shows no known building, where too much gets a name; else empty.
  private static func others(_ evaluation: Evaluation) -> String {
    let kinds = [
      (evaluation.background, "no buildings"), (evaluation.unknown, "unknown buildings"),
    ]
    return kinds.compactMap { answers, kind in
      let share = Share(of: answers) { $0.verdict == .building }
      // Few photos give a name by chance: only where all of the interval is above.
      guard share.interval.ends[0] > mostNamedOthers else { return nil }
      return " Of \(FigureText.count(share.photos, "photo")) of \(kind) \(share.right) got a name."
    }.joined()
  }

  private static func names(
    _ counts: Evaluation.Verdicts, isKept: Bool, _ promised: Double
  ) -> String {
    func count(_ wrong: Int) -> String { wrong == 0 ? "none" : "\(wrong)" }
    let (named, placed) = (counts.right + counts.wrong, counts.mappedRight + counts.mappedWrong)
    let line = "more than the \(FigureText.smallPercent(promised)) that are aimed at"
    var text =
      named > 0
      ? "It is sure enough to give \(FigureText.count(named, "name")), \(count(counts.wrong)) of them wrong"
      : "The model is never sure enough to give a name"
    if placed > 0 {
      let photos = FigureText.count(placed, named > 0 ? "more photo" : "photo")
      text += "; by place only \(photos) got one, \(count(counts.mappedWrong)) of these wrong"
    }
    if !isKept { text += placed > 0 ? "; together \(line)" : ", \(line)" }
    return text + "."
  }
}
