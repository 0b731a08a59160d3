internal import Cupola

// What a report comes to.
// 1. One sentence with a grade (ReportVerdict).
// 2. What to do next, at most three steps, the most urgent first (NextSteps).

struct ReportVerdict: Sendable {
  enum Grade: String, Sendable {
    case good = "Good"
    case fair = "Fair"
    case poor = "Poor"
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

struct NextSteps: Sendable {
  struct Step: Equatable, Sendable {
    let text: String
    let section: String
  }

  let steps: [Step]
  static let most = 3
  private static let weakRecall = 0.9
  /// A share of photos of unknown buildings that get a name which should not stay so.
  private static let manyNamed = 0.1
  /// The same of photos of no buildings.
  private static let manyOthersNamed = 0.05
  /// A share of the photos that places may cost by chance.
  private static let fewMisplaced = 0.01
  private static let fewPhotos = 100

  init(_ report: EvaluationReport, of model: Model) {
    let candidates: [Step?] = [
      Self.leaks(report), Self.finding(.error, report), Self.place(report), Self.weakest(report),
      Self.negatives(report, of: model), Self.finding(.warning, report),
      Self.unknown(report), Self.photos(report), Self.finding(.advice, report),
    ]
    steps = Array(candidates.compactMap(\.self).prefix(Self.most))
  }

  private static func leaks(_ report: EvaluationReport) -> Step? {
    guard let leaks = report.leaks, leaks.leaking.photos > 0 else { return nil }
    return Step(
      text: "Divide the photos with cupola split and train anew: photos that train may not test.",
      section: "measured")
  }

  private static func finding(
    _ severity: CheckFinding.Severity, _ report: EvaluationReport
  ) -> Step? {
    guard let finding = report.check?.findings.first(where: { $0.severity == severity }) else {
      return nil
    }
    return Step(text: "\(finding.message): \(finding.advice).", section: "photos")
  }

  /// Places that make answers worse: a map that knows buildings by other labels, or lies elsewhere.
  private static func place(_ report: EvaluationReport) -> Step? {
    guard let placed = report.evaluation.top1WithPlace, let pictured = report.evaluation.top1,
      pictured - placed > fewMisplaced
    else { return nil }
    return Step(
      text:
        "Mend the map or the photos' places, see cupola check --campus: with them "
        + "\(FigureText.percent(placed)) are named right, by the picture alone "
        + "\(FigureText.percent(pictured)). A building of the map whose label is not the photos' competes with "
        + "itself.", section: "answers")
  }

  /// The building of whose photos the fewest are named right, and what it is taken for.
  private static func weakest(_ report: EvaluationReport) -> Step? {
    let matrix = report.evaluation.confusion
    let weak = matrix.perLabel.enumerated().filter { ($0.element.recall ?? 1) < weakRecall }
      .min { ($0.element.recall ?? 1, $0.offset) < ($1.element.recall ?? 1, $1.offset) }
    guard let weak else { return nil }
    let names = report.names
    let row = matrix.counts[weak.offset]
    let wrong = row.indices.filter { $0 != weak.offset && row[$0] > 0 }
      .max { (row[$0], $1) < (row[$1], $0) }
    let taken = wrong.map { ", most often taken for \(names[matrix.labels[$0]])" } ?? ""
    return Step(
      text:
        "Take more photos of \(names[weak.element.label]), in other light and from other sides: "
        + "\(row[weak.offset]) of \(FigureText.count(weak.element.support, "photo")) named right"
        + "\(taken).", section: "confusion")
  }

  private static func negatives(_ report: EvaluationReport, of model: Model) -> Step? {
    let others = report.evaluation.background
    let named = others.count { $0.verdict == .building }
    let count = "\(named) of \(FigureText.count(others.count, "photo")) of no buildings"
    if !model.labels.hasNonBuildingPhotos {
      return Step(
        text:
          "Train with --negatives, a folder of photos of no buildings: without them "
          + (named > 0 ? "\(count) got" : "anything may get") + " a building's name.",
        section: "answers")
    }
    if others.isEmpty {
      return Step(
        text:
          "Measure with --negatives, a folder of photos of no buildings that did not train: whether "
          + "such are refused is not known.", section: "answers")
    }
    guard Double(named) > manyOthersNamed * Double(others.count) else { return nil }
    return Step(
      text: "Train with --negatives of more kinds: \(count) got a building's name.",
      section: "answers")
  }

  private static func unknown(_ report: EvaluationReport) -> Step? {
    let asked = report.figures["unknown_named"]
    let share = asked ?? report.figures["left_out_named"] ?? 0
    guard share > manyNamed else { return nil }
    // Without such photos training knows of its own ones, and how many these are at most.
    let photos =
      asked != nil
      ? "\(FigureText.percent(share)) of photos of buildings that the model does not know"
      : "up to \(FigureText.percent(share)) of training photos whose building was left out"
    return Step(
      text:
        "Add a folder, or at least a footprint on the map, for every building that visitors point "
        + "at: \(photos) get another's name.", section: "answers")
  }

  private static func photos(_ report: EvaluationReport) -> Step? {
    let known = report.evaluation.known.count
    guard known < fewPhotos else { return nil }
    guard known > 0 else {
      return Step(
        text:
          "Measure with photos of the model's own buildings: without any nothing tells its accuracy.",
        section: "measured")
    }
    let few = FigureText.count(known, "photo") + (known == 1 ? " leaves" : " leave")
    return Step(
      text: "Measure with more photos of another day: \(few) the accuracy open.",
      section: "measured")
  }
}
