internal import Cupola

// Lists at most three next steps after an evaluation, most urgent first.
// 1. What makes the result meaningless: no calibration, training photos among the test photos, errors in the photos.
// 2. What costs most names: options, thresholds, positions, unknown buildings, single buildings.
// 3. What is not tested, and what would make the result more precise.

struct NextSteps: Sendable {
  struct Step: Equatable, Sendable {
    let text: String
    let section: String
    /// The photos that are the reason for this step.
    var photos: [String] = []
  }

  let steps: [Step]
  static let most = 3
  static let mostPhotos = 3
  private static let weakShare = 0.9
  /// A step is listed if a larger fraction of unknown-building photos, or of non-building photos, is named.
  private static let manyNamed = 0.1
  private static let manyNonBuildingsNamed = 0.05
  /// The loss of accuracy from positions that is too small to matter.
  private static let fewMisplaced = 0.01
  /// The least number of wrong first guesses, and the fraction of them that a single building attracts.
  private static let fewWrong = 5
  private static let mostAttracted = 0.6

  init(_ report: EvaluationReport, of model: Model) {
    // The step for a model that is not calibrated already asks for photos of every building on another day.
    let asked: Set<CheckFinding.Kind> = model.isCalibrated ? [] : [.oneSession, .twoSessions]
    func finding(_ severity: CheckFinding.Severity) -> Step? {
      report.check?.findings
        .first { $0.severity == severity && !asked.contains($0.kind) && !$0.isHarmless }
        .map { finding in
          let items = finding.items.count <= Self.mostPhotos ? finding.items.map(\.name) : []
          let names = items.isEmpty ? "" : " (\(FigureText.list(items)))"
          return Step(text: "\(finding.message)\(names): \(finding.advice).", section: "photos")
        }
    }
    let candidates: [Step?] = [
      Self.uncalibrated(report, model), Self.leaks(report), finding(.error),
      Self.option(report, of: model) ?? Self.threshold(report, of: model),
      Self.place(report) ?? Self.rejectedByPlace(report, of: model),
      Self.unknown(report),
      Self.attractor(report) ?? (model.isCalibrated ? Self.weakest(report, of: model) : nil),
      Self.negatives(report, of: model), Self.heldOut(report), Self.untested(report),
      finding(.warning), Self.photos(report, of: model), Self.scarce(report, of: model),
      finding(.advice),
    ]
    steps = Array(candidates.compactMap(\.self).prefix(Self.most))
  }

  private static func uncalibrated(_ report: EvaluationReport, _ model: Model) -> Step? {
    guard !model.isCalibrated else { return nil }
    let coverage = report.check?.check.coverage.map { (part: $0.part, times: $0.times) } ?? []
    let weakest = report.evaluation.worstFirst.first { isWeak($0, surely: false) }
    let start = weakest.map { building in
      " Begin with \(report.names[building.label]): \(building.counts.namedRight) of "
        + "\(FigureText.count(building.counts.photos, "test photo")) got its name."
    }
    return Step(
      text:
        "Take photos of every building in one more session, if possible on another day, then run cupola split, which "
        + "adds them to training, and train again: training calibrates the percentages with two sessions.\(hours(coverage))\(start ?? "")",
      section: report.check == nil ? "measured" : "photos")
  }

  /// A sentence about the hours of the day, if the training photos are from others than the test photos.
  ///
  /// - Parameter rows: The numbers of photos by ``DayPeriod``.
  static func hours(_ rows: [(part: BuildingCoverage.Part?, times: [Int])]) -> String {
    func periods(_ part: BuildingCoverage.Part) -> [DayPeriod] {
      DayPeriod.allCases.filter { period in
        rows.contains { $0.part == part && $0.times[period.rawValue] > 0 }
      }
    }
    let (training, test) = (periods(.training), periods(.test))
    guard !training.isEmpty, !test.isEmpty, !training.contains(where: test.contains) else {
      return ""
    }
    func text(_ periods: [DayPeriod]) -> String {
      periods.map(\.shortName).joined(separator: " and ")
    }
    return
      " All training photos are from \(text(training)), all test photos from \(text(test)): also photograph at the "
      + "hours at which visitors come."
  }

  private static func leaks(_ report: EvaluationReport) -> Step? {
    guard let leaks = report.leaks, leaks.leaking.photos > 0 else { return nil }
    return Step(
      text:
        "Split the photos with cupola split and train again: training photos must not be test photos.",
      section: "measured")
  }

  /// The option `--max-error`, if it prevents most of the missing names.
  private static func option(_ report: EvaluationReport, of model: Model) -> Step? {
    let (missing, withheld) = lost(report.evaluation.known, report.evaluation.point, model)
    guard withheld > 0, 2 * withheld > missing else { return nil }
    return Step(
      text:
        "Leave out --max-error \(report.evaluation.point.maximumError) or use a larger value, unless visitors often "
        + "photograph other buildings: without the option, \(withheld < missing ? "\(withheld) of " : "")the "
        + "\(FigureText.count(missing, "photo")) without \(missing == 1 ? "its" : "their") building's name would get it.",
      section: "answers")
  }

  /// The photos without their building's name, and how many of them would get it without `--max-error`.
  static func lost(
    _ known: [Evaluation.Answer], _ point: Thresholds, _ model: Model
  ) -> (missing: Int, withheld: Int) {
    let missing = known.filter { !$0.isNamedRight }
    guard point.isRequested else { return (missing.count, 0) }
    let usual = Thresholds(model.calibration)
    let withheld = missing.count {
      [.unsure, .notACampusBuilding].contains($0.verdict) && $0.isNamedRight(usual)
    }
    return (missing.count, withheld)
  }

  /// The buildings, the weakest first, except those whose photos get no name because of `--max-error`.
  private static func weakFirst(_ report: EvaluationReport, _ model: Model) -> [BuildingAnswers] {
    let answers = Dictionary(grouping: report.evaluation.known, by: \.photo.label)
    return report.evaluation.worstFirst.filter { building in
      let (missing, withheld) = lost(answers[building.label] ?? [], report.evaluation.point, model)
      return 2 * withheld <= missing
    }
  }

  /// The name threshold, if it prevents most of the missing names.
  private static func threshold(_ report: EvaluationReport, of model: Model) -> Step? {
    let (evaluation, point) = (report.evaluation, report.evaluation.point)
    let right = evaluation.verdicts(evaluation.known).namedRight
    let missing = evaluation.known.count - right
    let below = evaluation.known.filter { $0.isRightWithPlace && $0.isBelowShare(point) }.count
    guard missing >= fewWrong, 2 * below > missing,
      Double(right) < weakShare * Double(evaluation.known.count)
    else { return nil }
    func named(_ point: Thresholds) -> Int { evaluation.known.count { $0.isNamedRight(point) } }
    let others = HeldOutAnswers.strictRates.filter { $0 > point.maximumError }
    // If the odds threshold is raised, the user chose the error rate.
    let rate =
      point.leastOdds > 0
      ? nil : others.first { named(Thresholds(model.calibration, maximumError: $0)) > named(point) }
    return Step(
      text:
        "Take photos of the buildings in more sessions and train again, which lowers the name threshold"
        + (rate.map { ", or use --max-error \($0)" } ?? "")
        + ": \(below) of \(missing) photos without their building's name have the right first guess, but are below the "
        + "threshold.", section: "answers")
  }

  private static func place(_ report: EvaluationReport) -> Step? {
    let known = report.evaluation.known
    guard let placed = report.evaluation.top1WithPlace, let pictured = report.evaluation.top1,
      pictured - placed > fewMisplaced,
      McNemar(known.map { ($0.isRight, $0.isRightWithPlace) }, sessions: known.sessions).isClear
    else { return nil }
    return Step(
      text:
        "Fix the map or the photos' positions (see cupola check --campus): position and map lower the accuracy "
        + "from \(FigureText.percent(pictured)) to \(FigureText.percent(placed)). A common cause is a building whose "
        + "label on the map differs from the label of its photos.", section: "answers")
  }

  private static func rejectedByPlace(_ report: EvaluationReport, of model: Model) -> Step? {
    let photos = report.evaluation.known.filter { $0.facts.isRejectedByPlace && $0.isRight }
    guard !photos.isEmpty else { return nil }
    let names = Set(photos.map(\.photo.label)).sorted().map { report.names[$0] }
    let map = model.campus == nil ? "train with --campus" : "check the map"
    return Step(
      text:
        "Take training photos of \(FigureText.list(names)) from more places, or \(map): "
        + "\(FigureText.count(photos.count, "photo")) with the right first guess \(photos.count == 1 ? "was" : "were") "
        + "rejected only because of the position.",
      section: "answers", photos: photos.map(\.photo.name))
  }

  /// A building that attracts most of the wrong first guesses. The cause is in its training photos or in the lack of
  /// photos of the others, so naming only the building that lost most photos would hide it.
  private static func attractor(_ report: EvaluationReport) -> Step? {
    let confusion = report.evaluation.confusion
    let pairs = confusion.confusedPairs
    let wrong = pairs.reduce(0) { $0 + $1.count }
    let taken = Dictionary(grouping: pairs, by: \.answer)
    let most = taken.max { a, b in
      (a.value.reduce(0) { $0 + $1.count }, b.key) < (b.value.reduce(0) { $0 + $1.count }, a.key)
    }
    guard let most, most.value.count > 1, wrong >= fewWrong else { return nil }
    let count = most.value.reduce(0) { $0 + $1.count }
    guard Double(count) >= mostAttracted * Double(wrong) else { return nil }
    let name = report.names[confusion.labels[most.key]]
    let losers = FigureText.list(most.value.map { report.names[confusion.labels[$0.truth]] })
    let lost = report.evaluation.known.filter { answer in
      answer.candidates.first?.label == confusion.labels[most.key]
        && most.value.contains { confusion.labels[$0.truth] == answer.photo.label }
    }
    return Step(
      text:
        "Check that the training photos of \(name) show no other building, and photograph \(losers) again, with views "
        + "and light as in the failed photos: \(count) of \(wrong) wrong first guesses were \(name).",
      section: "mistakes", photos: lost.map(\.photo.name))
  }

  private static func weakest(_ report: EvaluationReport, of model: Model) -> Step? {
    // With few photos, a low share may be due to chance; see `scarce(_:of:)`.
    guard let weak = weakFirst(report, model).first(where: { isWeak($0, surely: true) }) else {
      return nil
    }
    let (name, counts) = (report.names[weak.label], weak.counts)
    let photos = FigureText.count(counts.photos, "photo")
    let got =
      counts.namedRight == 0
      ? "none of \(photos) got its name" : "only \(counts.namedRight) of \(photos) got its name"
    let isMistaken = counts.namedWrong > counts.unsure + counts.rejected
    let others =
      isMistaken
      ? weak.mistakenFor.map { ", and most of the others the name of \(report.names[$0])" } ?? ""
      : " (the others: \(counts.namedWrong) wrong, \(counts.unsure) unsure, \(counts.rejected) rejected)"
    return Step(
      text:
        "Look at the failed photos of \(name): \(got)\(others). Correct the labels of those that show another building. "
        + "If visitors take such photos as the rest, add more of them, from another day, and run cupola split, cupola "
        + "train and cupola evaluate again.",
      section: "confusion",
      photos: report.evaluation.known.filter { $0.photo.label == weak.label && !$0.isNamedRight }
        .map(\.photo.name))
  }

  /// Whether fewer photos than expected got the building's name; `surely` excludes a result that may be due to chance.
  private static func isWeak(_ building: BuildingAnswers, surely: Bool) -> Bool {
    (surely ? building.named.interval.upper : building.named.accuracy ?? 0) < weakShare
  }

  private static func scarce(_ report: EvaluationReport, of model: Model) -> Step? {
    guard let weak = weakFirst(report, model).first, isWeak(weak, surely: false),
      !isWeak(weak, surely: true)
    else { return nil }
    let photos = FigureText.count(weak.counts.photos, "test photo")
    return Step(
      text:
        "Test \(report.names[weak.label]) with more photos, from another day: it has only \(photos), and "
        + "\(weak.counts.namedRight == 0 ? "none" : "\(weak.counts.namedRight)") of them got its name.",
      section: "buildings")
  }

  private static func negatives(_ report: EvaluationReport, of model: Model) -> Step? {
    let others = report.evaluation.background
    let wrong = others.filter { $0.verdict == .building }
    let named = wrong.count
    let count = "\(named) of \(FigureText.count(others.count, "non-building photo"))"
    if !model.labels.hasNonBuildingPhotos {
      return Step(
        text:
          "Train with --negatives and a folder of non-building photos: without them, "
          + (named > 0
            ? "\(count) got a building's name." : "any photo may get a building's name."),
        section: "answers")
    }
    if others.isEmpty {
      return Step(
        text:
          "Evaluate with --negatives and a folder of non-building photos that were not used in training: it is "
          + "unknown whether the model rejects them.", section: "answers")
    }
    guard Double(named) > manyNonBuildingsNamed * Double(others.count) else { return nil }
    return Step(
      text:
        "Train with more non-building photos like the named ones (--negatives): \(count) got a building's name.",
      section: "answers",
      photos: wrong.map(\.photo.name))
  }

  private static func unknown(_ report: EvaluationReport) -> Step? {
    let tested = report.evaluation.unknownNamed
    let isClear = !report.evaluation.hasFewUnknown || tested.right >= EvaluationSummary.noticedNames
    guard isClear, (tested.accuracy ?? 0) > manyNamed else { return nil }
    return reject(
      "\(tested.right) of \(FigureText.count(tested.photos, "photo")) of unknown buildings",
      report.evaluation.unknown.filter { $0.verdict == .building }.map(\.photo.name))
  }

  /// Without enough test photos of unknown buildings, training provides an upper bound.
  private static func heldOut(_ report: EvaluationReport) -> Step? {
    guard report.evaluation.hasFewUnknown, unknown(report) == nil,
      let share = report.figures["left_out_named"], share > manyNamed
    else { return nil }
    return reject(
      "in training, up to \(FigureText.percent(share)) of the photos of held-out buildings")
  }

  private static func reject(_ reason: String, _ photos: [String] = []) -> Step {
    Step(
      text:
        "Reduce wrong names for buildings that are not in the model (\(reason)). \(Labels.adviceForUnknown).",
      section: "answers", photos: photos)
  }

  private static func untested(_ report: EvaluationReport) -> Step? {
    let labels = report.evaluation.untested
    guard !labels.isEmpty, !report.evaluation.known.isEmpty else { return nil }
    let names = FigureText.list(labels.map { report.names[$0] })
    return Step(
      text:
        "Take test photos of \(names) on another day: they have none, so their accuracy is "
        + "unknown.", section: "buildings")
  }

  private static func photos(_ report: EvaluationReport, of model: Model) -> Step? {
    let known = report.evaluation.known
    guard !known.isEmpty else {
      return Step(
        text:
          "Evaluate with photos of the model's buildings: the accuracy is unknown without them.",
        section: "measured")
    }
    guard model.isCalibrated else { return nil }
    if report.evaluation.isOfOneDay, !report.evaluation.isOfOtherDays, known.count > 1 {
      return Step(
        text:
          "Take test photos on a second day: all \(known.count) are from one day, which shows little about other "
          + "light.", section: "measured")
    }
    return EvaluationSummary.fewPhotos(report.evaluation).map { few in
      Step(
        text:
          "Evaluate with more photos from another day: a precise result requires more than \(few).",
        section: "measured")
    }
  }
}

extension Evaluation.Answer {
  /// The best building's fraction of the total building probability.
  private var share: Double {
    let all = candidates.reduce(0) { $0 + $1.probability }
    return all > 0 ? figures.probability / all : 0
  }

  /// Whether the photo has no name because its best building is below the name threshold.
  fileprivate func isBelowShare(_ point: Thresholds) -> Bool {
    [.unsure, .notACampusBuilding].contains(verdict) && point.accepts(odds: odds)
      && !point.accepts(share: share)
  }

  /// Whether these thresholds give the photo the right name, by the odds of the image alone.
  fileprivate func isNamedRight(_ point: Thresholds) -> Bool {
    isRightWithPlace && point.accepts(odds: odds) && point.accepts(share: share)
  }
}
