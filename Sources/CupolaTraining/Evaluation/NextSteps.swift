internal import Cupola

/// What would make a model or its figures better, the most urgent first.
struct NextSteps: Sendable {
  /// Something to do, and the section of the page that shows why.
  struct Step: Equatable, Sendable {
    let text: String
    let section: String
  }

  /// At most ``most``.
  let steps: [Step]

  static let most = 3
  /// A building of whose photos fewer are named right is weak.
  private static let weakRecall = 0.9
  /// A share of photos of unknown buildings that get a name which should not stay so.
  private static let manyNamed = 0.1
  /// The same of photos of no buildings.
  private static let manyOthersNamed = 0.05
  /// A share of the photos that places may cost by chance.
  private static let fewMisplaced = 0.01
  /// Fewer photos than this leave an accuracy open.
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
    if !model.labels.knowPhotosOfNoBuildings {
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
