package import Cupola

// The error guarantee of the naming threshold:
// 1. Sentences about known buildings, different lighting and unknown buildings.
// 2. The fraction of wrong names if some of the visitors' photos show unknown buildings.

package struct ErrorGuarantee: Sendable {
  private let point: Thresholds
  private let calibration: Calibration
  /// The number of capture days per building; 0 if unknown.
  private let days: [Int]
  private let asked: Int
  /// The buildings with one capture day.
  private let singles: [String]

  package init(_ model: Model, point: Thresholds? = nil) {
    self.point = point ?? Thresholds(model.calibration)
    calibration = model.calibration
    asked = model.calibratedBuildings
    days = model.labels.buildings.map {
      model.provenance.captureDays[model.labels.names[$0]] ?? 0
    }
    singles = model.labels.buildings.map { model.labels.names[$0] }.filter {
      model.provenance.captureDays[$0] == 1
    }
  }

  /// - Parameter isOfOtherDays: Whether the test photos show the accuracy on other days than the training photos'.
  func sentences(isOfOtherDays: Bool = false) -> [String] {
    [names, isOfOtherDays ? nil : light, unknown].compactMap(\.self)
  }

  package var names: String {
    if let lack = point.reasonForNoNames { return "No photo received a name: \(lack)." }
    let error = FigureText.smallPercent(point.maximumError)
    let lacking = point.shortfalls.first { $0.kind == .buildings }
    if let lacking {
      let held =
        lacking.photos == 0 ? "no photos" : "only " + FigureText.count(lacking.photos, "photo")
      let from = lacking.sessions.map { FigureText.count($0, "other session") } ?? "other sessions"
      return
        "An error rate for names cannot be guaranteed: training held out \(held) from \(from), and "
        + "\(error) requires \(lacking.needed) sessions in total."
    }
    let photos =
      FigureText.count(calibration.wrongNames?.photos ?? 0, "photo")
      + (calibration.wrongNames?.sessions.map { " of " + FigureText.count($0, "session") } ?? "")
    let some =
      asked > 0 && asked < days.count
      ? " of \(asked) of \(days.count) buildings," : ""
    let (start, end) =
      calibration.wrongNames?.sessions == nil
      ? ("At", "")
      : ("On average over sessions, at", " Each session counts the same, whatever its size.")
    return
      "\(start) most \(error) of the photos of these buildings are expected to get a wrong name, if the photos are from new "
      + "sessions but resemble the training photos.\(end) Estimated from \(photos)\(some) held out in training.\(untimed)"
  }

  /// How photos count whose session is unknown; a model file does not record how many there are.
  private var untimed: String {
    days.contains(0)
      ? " Each photo without a capture time or a named group counts as a session of its own, so the rate can be higher "
        + "if such photos were taken together."
      : ""
  }

  /// Whether some building has training photos of only one day.
  package var hasSingleDay: Bool { days.contains(1) }

  /// Whether the capture days of most buildings are unknown.
  package var areDaysUnknown: Bool { 2 * days.count { $0 == 0 } > days.count }

  /// A sentence about lighting that differs from the training photos; `nil` if every building has several capture days.
  package var light: String? {
    let (single, open) = (days.count { $0 == 1 }, days.count { $0 == 0 })
    guard single + open > 0 else { return nil }
    if open == days.count {
      return "Capture dates are missing, so accuracy in other lighting is unknown."
    }
    if single == days.count {
      return
        "Every building has training photos from only one day, so only test photos from another day show the "
        + "accuracy in other lighting."
    }
    guard single > 0 else {
      return
        "Capture dates are missing for \(open) of \(days.count) buildings, so their accuracy in other lighting is "
        + "unknown."
    }
    let end = ", so only test photos from another day show "
    let unknown = open > 0 ? ", and capture dates are missing for \(open)" : ""
    let start =
      "\(single) of \(days.count) buildings (\(FigureText.list(singles))) \(single == 1 ? "has" : "have") training "
      + "photos from only one day"
    return start + unknown + end + (single + open == 1 ? "its" : "their")
      + " accuracy in other lighting."
  }

  package var unknown: String? {
    guard let named = point.unknownNamed else { return nil }
    if point.namesNothing { return "Photos of buildings without a folder are not named either." }
    if named == 0 {
      let photos = FigureText.count(calibration.unknownBuildings?.photos ?? 0, "photo")
      return
        "Training held out whole buildings: none of their \(photos) got another building's name from the image "
        + "alone. Photos of buildings without a folder may still get one."
    }
    return
      "Training held out whole buildings: from the image alone, up to \(FigureText.percent(named)) of their photos got "
      + "another building's name. This is an average over \(FigureText.count(days.count, "building")); for a building without a "
      + "folder, it can be much more or less."
  }
}

extension Thresholds {
  /// Which thresholds these are. Two kinds can have the same error rate.
  var title: String {
    isRequested
      ? "thresholds for --max-error \(maximumError), which also limit the names of other photos, so they can be higher "
        + "than the default thresholds"
      : isGuaranteed
        ? "default thresholds, which limit only wrong names of photos of the model's buildings"
        : "default thresholds, which cannot guarantee this rate, because training held out too few photos"
  }

  /// The name threshold as a percentage with enough decimal places to differ from 100%, "none", or "unreachable".
  package var nameThreshold: String {
    guard leastShare > 0 else { return "none" }
    guard leastShare <= 1 else { return "unreachable" }
    let texts = (1...6).map { FigureText.decimal(100 * leastShare, digits: $0) }
    return (texts.first { !$0.hasPrefix("100") } ?? texts[0]) + "%"
  }

  /// The same, and what it is compared with.
  package var nameThresholdText: String {
    nameThreshold
      + (leastShare > 0
        ? " of the probability of all buildings together, which can be more than the shown percentage"
        : "")
  }

  package var reasonForNoNames: String? {
    guard namesNothing else { return nil }
    return leastShare > 1
      ? "held-out photos got a wrong building's name at full probability, and the threshold is above that"
      : "held-out non-building photos had the highest possible building score, and the threshold is above that"
  }
}

extension Model {
  /// What the lack of a calibration means for answers; `nil` if the model is calibrated.
  package var calibrationNote: String? {
    isCalibrated
      ? nil
      : "the model is not calibrated, because too few buildings had training photos from two sessions: the percentages are unreliable, and "
        + "photos that resemble two buildings get a name instead of \"Unsure\""
  }

  /// Whether the positions of photos can change answers: there is a map, or training photos had positions. Headings
  /// require a map.
  package var usesPlace: Bool {
    campus != nil || place?.viewpoints.values.contains { !$0.isEmpty } == true
  }

  /// The fraction of training photos whose first guess was right while their session was held out; `nil` if the model
  /// does not record it.
  package var heldOutShare: Share? {
    let recall = labels.buildings.compactMap { provenance.recall[labels.names[$0]] }
    let right = recall.reduce(0) { $0 + $1.right }
    let asked = recall.reduce(0) { $0 + $1.asked }
    return asked > 0 ? Share(right: min(right, asked), of: asked) : nil
  }
}

/// The fractions of visitors' photos that get a name and a wrong name, if some of them show unknown buildings.
///
/// Test photos of known and unknown buildings are weighted by their fraction of visitors' photos. The interval combines
/// the Wilson intervals of both groups (Zou & Donner, Statistics in Medicine 2008).
struct VisitFigures: Equatable, Sendable {
  enum Source: String, Sendable {
    case photos
    /// Training photos whose building was held out, using the image alone.
    case training
  }

  let unknownShare: Double
  let source: Source
  let named: Double
  let wrong: Double
  let wrongInterval: [Double]
  let target: Double
  private let hasNameThreshold: Bool

  var meetsTarget: Bool { wrong <= target }

  init?(_ evaluation: Evaluation, unknownShare: Double) {
    let known = evaluation.verdicts(evaluation.known)
    let unknown = evaluation.verdicts(evaluation.unknown)
    source = evaluation.unknown.isEmpty ? .training : .photos
    // Labels of unknown buildings rarely match the map, so do not count names by position only as wrong.
    var wrongs = [
      Share(of: evaluation.known) {
        [.building, .mappedBuilding].contains($0.verdict) && !$0.isRightWithPlace
      },
      Share(of: evaluation.unknown) { $0.verdict == .building && !$0.isRightWithPlace },
    ]
    var names = [
      Share(
        right: wrongs[0].right + known.right + known.mappedRight, of: evaluation.known.count),
      Share(
        right: unknown.wrong + unknown.right + unknown.mappedRight, of: evaluation.unknown.count),
    ]
    // The curve contains counts instead of answers, because a model file may record any number of photos.
    if source == .training, let curve = evaluation.unknownBuildingScores {
      let point = evaluation.point
      wrongs[1] = Share(
        right: point.namesNothing ? 0 : curve.given(from: point.leastOdds), of: curve.photos,
        sessions: curve.sessions)
      names[1] = wrongs[1]
    }
    guard wrongs[0].photos > 0, wrongs[1].photos > 0 else { return nil }
    let weights = [1 - unknownShare, unknownShare]
    func mixed(_ shares: [Share]) -> Double {
      zip(weights, shares).reduce(0) { $0 + $1.0 * ($1.1.accuracy ?? 0) }
    }
    self.unknownShare = unknownShare
    target = evaluation.point.maximumError
    hasNameThreshold = evaluation.point.leastShare > 0
    (self.named, self.wrong) = (mixed(names), mixed(wrongs))
    func width(_ end: (Share) -> Double) -> Double {
      zip(weights, wrongs).reduce(0) { sum, kind in
        let distance = kind.0 * (end(kind.1) - (kind.1.accuracy ?? 0))
        return sum + distance * distance
      }.squareRoot()
    }
    wrongInterval = [
      max(0, self.wrong - width(\.interval.lower)), min(1, self.wrong + width(\.interval.upper)),
    ]
  }

  static let columns: [Column<VisitFigures>] = [
    .share("unknown_share", "visitors' photos of unknown buildings") { $0.unknownShare },
    .text("source", "source") { $0.source.rawValue },
    .share("named", "visitors' photos named") { $0.named },
    .share("wrong", "visitors' photos named wrongly") { $0.wrong },
    .interval("wrong_interval") { $0.wrongInterval },
    .share("promised", "target for wrong names") { $0.target },
  ]

  var sentence: String {
    // Training records only odds.
    let basis =
      source == .photos
      ? ""
      : " Estimated from training photos whose building was held out, from the image alone"
        + (hasNameThreshold
          ? " and without the name threshold, which can reject more of them." : ".")
    let about = source == .photos ? "" : "about "
    let visits =
      "Assuming that \(FigureText.percent(unknownShare)) of visitors' photos show unknown buildings (--unknown-visits), "
      + "\(about)\(FigureText.percent(named)) of all get a name and \(about)\(FigureText.percent(wrong)) "
      + "a wrong one" + FigureText.inBrackets(wrongInterval)
    guard meetsTarget else {
      return visits
        + ". This is more than \(FigureText.percent(target)), because that target is only for photos of the model's "
        + "buildings, and an unknown building has no right name." + basis
    }
    let few = wrongInterval[1] > target ? ", but there are too few photos to be certain" : ""
    return visits + ". This meets the target of \(FigureText.percent(target))\(few)." + basis
  }
}
