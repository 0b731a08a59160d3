internal import Cupola
internal import CupolaCampus

// The metrics of a whole model; each is declared once.
// 1. Define a metric's name, path in the JSON report, title, value and interval (Figure).
// 2. Compute all metrics of a model from an evaluation, or read them from a report (Figures).
// 3. Parse a bound on a metric for --require (FigureRequirement).

struct Figure: Sendable {
  enum Photos: Sendable { case known, background, unknown, leaks }

  let name: String
  /// The path in the JSON report; the interval is stored next to it, with the suffix `_interval`.
  let path: [String]
  let title: String
  /// The title up to its first comma, for lists that contain only one kind of photo.
  var shortTitle: String { title.split(separator: ",").first.map(String.init) ?? title }
  let photos: Photos
  let bound: FigureRequirement.Bound?
  let isOptional: Bool
  /// The largest value that `--require` accepts; the smallest is 0.
  let most: Int
  let value: @Sendable (Evaluation) -> Double?
  let format: @Sendable (Double?) -> Value
  let interval: (@Sendable (Evaluation) -> [Double]?)?

  private init(
    _ name: String, at path: [String], _ title: String, of photos: Photos = .known,
    _ bound: FigureRequirement.Bound? = .atLeast,
    as format: @escaping @Sendable (Double?) -> Value = { .share($0) },
    isOptional: Bool = false, most: Int = 1,
    interval: (@Sendable (Evaluation) -> [Double]?)? = nil,
    value: @escaping @Sendable (Evaluation) -> Double?
  ) {
    (self.name, self.path, self.title, self.photos, self.bound) = (name, path, title, photos, bound)
    (self.format, self.isOptional, self.most) = (format, isOptional, most)
    (self.value, self.interval) = (value, interval)
  }

  private static let count: @Sendable (Double?) -> Value = { value in
    .count(value.map { Int(saturating: $0) })
  }
  private static let decimal: @Sendable (Double?) -> Value = { .decimal($0, digits: 3) }

  static let all: [Figure] = ofKnown + ofOthers + ofLeaks

  private static let ofKnown = [
    Figure("photos", at: ["photos"], "photos of known buildings", nil, as: count) {
      Double($0.known.count)
    },
    Figure(
      "sessions", at: ["sessions"], "sessions of these photos", nil, as: count, isOptional: true
    ) {
      $0.named.sessions < $0.known.count && !$0.known.areVisitsUnknown
        ? Double($0.named.sessions) : nil
    },
    Figure("top1", at: ["top1"], "top-1", interval: { $0.named.interval.ends }) { $0.top1 },
    Figure(
      "fused", at: ["place", "top1_fused"], "top-1 with position",
      interval: { $0.namedWithPlace.interval.ends }
    ) { $0.top1WithPlace },
    Figure("top3", at: ["top3"], "top-3") { $0.top3 },
    Figure("macro_f1", at: ["macro_f1"], "macro F1") { $0.confusion.macroF1 },
    Figure("least_recall", at: ["least_recall"], "lowest recall of a building") {
      $0.confusion.perLabel.compactMap(\.recall).min()
    },
    Figure(
      "ece", at: ["calibration", "ece"], "calibration error (ECE)", .atMost, as: decimal
    ) { $0.calibration.ece },
    Figure("brier", at: ["calibration", "brier"], "Brier score", .atMost, as: decimal, most: 2) {
      $0.calibration.brier
    },
    Figure(
      "coverage", at: ["risk_coverage", "operating_point", "coverage"],
      "named"
    ) {
      $0.operatingPoint?.coverage
    },
    Figure(
      "risk", at: ["risk_coverage", "operating_point", "risk"],
      "wrong names among them", .atMost
    ) {
      $0.operatingPoint?.risk
    },
    Figure(
      "left_out_named", at: ["left_out_named"], "held-out buildings named in training, at most",
      .atMost,
      isOptional: true
    ) { $0.point.unknownNamed },
    Figure(
      "risk_area", at: ["risk_coverage", "area"], "area under risk-coverage", .atMost,
      as: { .decimal($0, digits: 4) }
    ) { $0.riskCoverage.area },
  ]

  private static let ofOthers = [
    Figure(
      "not_buildings", at: ["rejection", "photos"], "non-building photos", of: .background, nil,
      as: count
    ) { Double($0.background.count) },
    Figure(
      "auroc", at: ["rejection", "auroc"], "AUROC of the odds, non-building photos",
      of: .background,
      as: decimal
    ) { $0.backgroundRejection.area },
    Figure(
      "final_auroc", at: ["rejection", "final_auroc"],
      "AUROC of the final answer, non-building photos",
      of: .background, as: decimal
    ) { $0.finalRejection(of: $0.background).area },
    Figure(
      "fpr_at_95_tpr", at: ["rejection", "fpr_at_95_tpr"], "FPR at 95% TPR, non-building photos",
      of: .background, .atMost
    ) { $0.backgroundRejection.falsePositiveRate(atTruePositiveRate: 0.95) },
    Figure(
      "unknown_buildings", at: ["rejection", "unknown_buildings"], "photos of unknown buildings",
      of: .unknown, nil, as: count
    ) { Double($0.unknown.count) },
    Figure(
      "unknown_buildings_auroc", at: ["rejection", "unknown_buildings_auroc"],
      "AUROC of the largest logit, unknown buildings", of: .unknown, as: decimal
    ) { $0.unknownRejection.area },
    Figure(
      "unknown_buildings_final_auroc", at: ["rejection", "unknown_buildings_final_auroc"],
      "AUROC of the final answer, unknown buildings", of: .unknown, as: decimal
    ) { $0.finalRejection(of: $0.unknown).area },
    Figure(
      "unknown_named", at: ["rejection", "unknown_named"], "unknown buildings named, test photos",
      of: .unknown,
      .atMost, interval: { $0.unknownNamed.interval.ends }
    ) { $0.unknownNamed.accuracy },
    Figure(
      "unknown_named_by_picture", at: ["rejection", "unknown_named_by_picture"],
      "named by the image alone, unknown buildings", of: .unknown, .atMost,
      isOptional: true, interval: { $0.unknownNamedByPicture?.interval.ends }
    ) { $0.unknownNamedByPicture?.accuracy },
  ]

  private static let ofLeaks = [
    Figure(
      "top1_leak_free", at: ["leaks", "top1_leak_free"], "top-1 without leaks", of: .leaks, nil,
      interval: { LeakReport($0)?.free.interval.ends }
    ) { LeakReport($0)?.free.accuracy },
    Figure(
      "top1_leaking", at: ["leaks", "top1_leaking"], "top-1 of the leaks", of: .leaks, nil,
      interval: { LeakReport($0)?.leaking.interval.ends }
    ) { LeakReport($0)?.leaking.accuracy },
    Figure(
      "top1_difference", at: ["leaks", "top1_difference"], "leaks minus the others", of: .leaks,
      nil,
      interval: { LeakReport($0)?.difference.map { [$0.lower, $0.upper] } }
    ) { LeakReport($0)?.difference?.difference },
  ]
}

struct Figures: Sendable {
  private var values: [String: Double] = [:]
  private var intervals: [String: [Double]] = [:]

  init(_ evaluation: Evaluation) {
    for figure in Figure.all {
      values[figure.name] = figure.value(evaluation)
      guard values[figure.name] != nil else { continue }
      intervals[figure.name] = figure.interval?(evaluation)
    }
  }

  init(from report: any Decoder) throws {
    for figure in Figure.all {
      var object = try report.container(keyedBy: JSONObject.Name.self)
      guard let last = figure.path.last, object.enter(figure.path.dropLast()) else { continue }
      values[figure.name] = try object.decodeIfPresent(Double.self, forKey: .init(last))
      intervals[figure.name] = try object.decodeIfPresent(
        [Double].self, forKey: .init(last + "_interval"))
    }
  }

  subscript(name: String) -> Double? { values[name] }

  subscript(figure: Figure) -> Value { figure.format(values[figure.name]) }
  func interval(_ name: String) -> [Double]? { intervals[name] }

  var json: JSONObject {
    var object: JSONObject = [:]
    add(to: &object) { [$0.name] }
    return object
  }

  /// Adds all metrics to a report, at their own paths unless `place` returns others.
  func add(to report: inout JSONObject, at place: (Figure) -> [String] = \.path) {
    for figure in Figure.all {
      let path = place(figure)
      report[path] = self[figure].json
      report[path.dropLast() + path.suffix(1).map { $0 + "_interval" }] = intervals[figure.name]
    }
  }
}

extension KeyedDecodingContainer<JSONObject.Name> {
  fileprivate mutating func enter(_ path: ArraySlice<String>) -> Bool {
    for name in path {
      guard let inner = try? nestedContainer(keyedBy: JSONObject.Name.self, forKey: .init(name))
      else { return false }
      self = inner
    }
    return true
  }
}

package struct FigureRequirement: Equatable, Sendable {
  package enum Bound: String, Sendable {
    case atLeast = "at least"
    case atMost = "at most"
  }

  package let name: String
  package let bound: Bound
  package let value: Double

  /// The names of all metrics that `--require` accepts; the suffix `_lower` selects the lower end of an interval.
  package static var names: [String] {
    wanted.flatMap { $0.interval == nil ? [$0.name] : [$0.name, $0.name + lowerEnd] }
  }

  private static var wanted: [Figure] { Figure.all.filter { $0.bound != nil } }
  private static let lowerEnd = "_lower"

  /// Parses `NAME=VALUE`, which uses the metric's usual direction, `NAME>=VALUE` or `NAME<=VALUE`.
  ///
  /// Returns `nil` for an unknown name, an invalid number, or a number outside the metric's range, because that
  /// requirement would always, or never, be met.
  package init?(_ text: String) {
    guard let parts = Self.parts(of: text), let value = Double(parts.number),
      (0...Double(parts.figure.most)).contains(value), let usual = parts.figure.bound
    else { return nil }
    name = parts.name
    self.value = value
    bound = parts.sign == ">=" ? .atLeast : parts.sign == "<=" ? .atMost : usual
  }

  package static func problem(with text: String) -> String {
    guard let parts = parts(of: text) else {
      return
        "--require takes FIGURE=VALUE, FIGURE>=VALUE or FIGURE<=VALUE, not \"\(text)\". FIGURE is one of "
        + "\(names.joined(separator: ", "))."
    }
    return "--require \(text): \(parts.name) is a number from 0 to \(parts.figure.most); write "
      + "0.95 for 95%."
  }

  private static func parts(
    of text: String
  ) -> (name: String, figure: Figure, sign: String, number: Substring)? {
    let name = String(text.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    let rest = text.dropFirst(name.count)
    guard names.contains(name),
      let figure = wanted.first(where: { $0.name == name || $0.name + lowerEnd == name }),
      let sign = ["<=", ">=", "="].first(where: { rest.hasPrefix($0) })
    else { return nil }
    return (name, figure, sign, rest.dropFirst(sign.count))
  }

  package func failure(in report: EvaluationReport) -> String? {
    let wish = "\(name) must be \(bound.rawValue) \(value)"
    guard let figure = Self.value(of: name, in: report.figures) else {
      return "\(wish), but there are no photos to compute it from"
    }
    return isMet(by: figure) ? nil : "\(wish), but it is \(text(of: figure))"
  }

  private func isMet(by figure: Double) -> Bool {
    bound == .atLeast ? figure >= value : figure <= value
  }

  /// The value with enough digits to show that it does not meet the requirement.
  private func text(of figure: Double) -> String {
    (4...8).map { FigureText.decimal(figure, digits: $0) }
      .first { text in Double(text).map { !isMet(by: $0) } ?? true } ?? "\(figure)"
  }

  private static func value(of name: String, in figures: Figures) -> Double? {
    guard name.hasSuffix(lowerEnd) else { return figures[name] }
    let share = String(name.dropLast(lowerEnd.count))
    return figures[share].flatMap { _ in figures.interval(share)?.first }
  }
}
