internal import Cupola

// Summarizes the result of a report in sentences.
// 1. Grade the model by the names that the photos of its buildings got.
// 2. Add what makes the result uncertain: few photos, unknown buildings, missing capture times.

struct EvaluationSummary: Sendable {
  enum Grade: String, Sendable {
    case good = "Good"
    case fair = "Fair"
    case poor = "Poor"
    case open = "Not measured"
  }

  let grade: Grade
  let sentence: String

  /// The minimum fraction of photos of known buildings that get the right name. More right names or fewer wrong names
  /// never lower the grade.
  private static let goodShare = 0.75
  private static let fairShare = 0.5
  /// The maximum fraction of wrong names of a fair model; a good one meets the target.
  private static let mostWrong = 0.2
  /// The maximum fraction of photos of non-buildings or unknown buildings that a good model names.
  private static let largestNamedShare = 0.05
  /// Named photos of non-buildings or unknown buildings lower the grade from this number and above this fraction on,
  /// even if so many could be due to chance.
  static let noticedNames = 3
  private static let noticedShare = 0.1
  /// The maximum width of the interval of the fraction of right names in a test that is precise.
  private static let widestInterval = 0.15

  init(_ report: EvaluationReport) {
    let evaluation = report.evaluation
    guard evaluation.named.photos > 0 else {
      (grade, sentence) = (
        .open, "Not measured: no test photo shows a building that the model was trained on."
      )
      return
    }
    if let leaks = report.leaks, leaks.leaking.photos > 0 {
      grade = .open
      sentence =
        "Not measured: \(leaks.sentence(asked: evaluation.photoCount)). These photos inflate the metrics."
      return
    }
    let counts = evaluation.verdicts(evaluation.known)
    // The target covers all photos of buildings, including those named by position alone: visitors see no difference.
    let wrong = Share(right: counts.namedWrong, of: evaluation.known.count)
    let meetsTarget = (wrong.accuracy ?? 0) <= evaluation.point.maximumError
    let right = Share(right: counts.namedRight, of: evaluation.known.count).accuracy ?? 0
    let others = Self.others(evaluation)
    let isGood = right >= Self.goodShare && meetsTarget && others.isEmpty
    let isFair = right >= Self.fairShare && (meetsTarget || (wrong.accuracy ?? 0) <= Self.mostWrong)
    grade = isGood ? .good : isFair ? .fair : .poor
    let isCertain = Self.fewPhotos(evaluation) == nil || grade == .poor
    sentence =
      "\(grade.rawValue)\(isCertain ? "" : " so far")"
      + "\(evaluation.unknown.isEmpty ? " for photos of your buildings" : ""): "
      + Self.names(counts, target: evaluation.point.maximumError)
      + Self.precision(evaluation) + others + Self.untested(evaluation) + Self.untimed(evaluation)
  }

  /// What to expect for unknown buildings without photos to test them.
  private static func untested(_ evaluation: Evaluation) -> String {
    guard evaluation.unknown.isEmpty, let named = evaluation.point.unknownNamed,
      named > noticedShare, let estimate = evaluation.heldOutBuildings
    else { return "" }
    return " Expect wrong names for other buildings: \(estimate)."
  }

  /// States how many photos have no capture time, and what this means for the result.
  private static func untimed(_ evaluation: Evaluation) -> String {
    let known = evaluation.known
    guard known.untimed > 0 else { return "" }
    let lack = AutomaticSplit.lackOfTime(
      hasNamedSessions: known.contains { $0.photo.namedSession != nil })
    let consequences = [
      known.areVisitsUnknown
        ? "They may have been taken together with training photos: expect a lower accuracy on other days."
        : nil,
      fewPhotos(evaluation) != nil
        ? "Each counts as a session of its own, so the interval may be too narrow." : nil,
    ].compactMap(\.self)
    guard !consequences.isEmpty else { return "" }
    return
      " \(known.untimed) of \(FigureText.count(known.count, "test photo")) \(known.untimed == 1 ? "has" : "have") "
      + "\(lack). " + consequences.joined(separator: " ")
  }

  private static func precision(_ evaluation: Evaluation) -> String {
    fewPhotos(evaluation).map {
      let wrong = Share(of: evaluation.known) { $0.isNamed && !$0.isNamedRight }
      let ends = [rightNames(evaluation), wrong].map(\.interval.ends)
      return
        " With only \($0), this is imprecise: the 95% intervals are \(FigureText.interval(ends[0])) right names and "
        + "\(FigureText.interval(ends[1])) wrong names."
    } ?? ""
  }

  /// The number of photos or sessions if they are too few for a precise result; otherwise `nil`.
  static func fewPhotos(_ evaluation: Evaluation) -> String? {
    let right = rightNames(evaluation)
    let ends = right.interval.ends
    guard ends[1] - ends[0] > widestInterval else { return nil }
    let hasSessions = right.sessions < right.photos && !evaluation.known.areVisitsUnknown
    return hasSessions
      ? FigureText.count(right.sessions, "session") : FigureText.count(right.photos, "test photo")
  }

  private static func rightNames(_ evaluation: Evaluation) -> Share {
    Share(of: evaluation.known, where: \.isNamedRight)
  }

  private static func others(_ evaluation: Evaluation) -> String {
    let kinds = [
      (evaluation.background, "non-building photo", ""),
      (evaluation.unknown, "photo", " of unknown buildings"),
    ]
    return kinds.compactMap { answers, noun, what in
      let share = Share(of: answers) { $0.verdict == .building }
      // A few photos may be named by chance, so the whole interval must exceed the limit.
      let isNoticed = share.right >= noticedNames && (share.accuracy ?? 0) > noticedShare
      let isClear =
        share.photos >= PhotoAmount.enough && share.interval.ends[0] > largestNamedShare
      guard isNoticed || isClear else { return nil }
      return " It also named \(share.right) of \(FigureText.count(share.photos, noun))\(what)."
    }.joined()
  }

  /// The names of the photos of known buildings.
  private static func names(_ counts: Evaluation.VerdictCounts, target: Double) -> String {
    let photos = FigureText.count(counts.photos, "test photo")
    guard counts.namedRight + counts.namedWrong > 0 else {
      return "none of \(photos) got a name, because the confidence was always too low."
    }
    func share(_ count: Int) -> Double { Double(count) / Double(counts.photos) }
    let wrong = share(counts.namedWrong)
    let excess = wrong > target ? ", above the target of \(FigureText.smallPercent(target))" : ""
    return
      "\(counts.namedRight) of \(photos) got the right name (\(FigureText.percent(share(counts.namedRight)))"
      + required(beyond: share(counts.namedRight)) + "), and "
      + (counts.namedWrong == 0
        ? "none a wrong name."
        : "\(counts.namedWrong) a wrong name (\(FigureText.percent(wrong))\(excess)).")
  }

  /// States the fraction of right names that the next better grade requires.
  private static func required(beyond right: Double) -> String {
    guard right < goodShare else { return "" }
    let (grade, least) = right < fairShare ? (Grade.fair, fairShare) : (.good, goodShare)
    return "; \"\(grade.rawValue)\" requires \(FigureText.percent(least))"
  }
}

extension Evaluation.Answer {
  var isNamed: Bool { [.building, .mappedBuilding].contains(verdict) }
  var isNamedRight: Bool { isNamed && isRightWithPlace }
}
