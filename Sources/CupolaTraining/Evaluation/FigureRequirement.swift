/// A figure and how good it must be, such as `top1=0.95`: a gate for continuous integration.
public struct FigureRequirement: Equatable, Sendable {
  /// Which way is good.
  public enum Bound: String, Sendable {
    /// The figure may not be lower.
    case atLeast = "at least"
    /// The figure may not be higher.
    case atMost = "at most"
  }

  /// The figure's name.
  public let name: String
  /// Which way is good.
  public let bound: Bound
  /// What it is compared with.
  public let value: Double

  private struct Figure {
    let name: String
    let usual: Bound
    let read: @Sendable (EvaluationReport) -> Double?
  }

  private static let figures: [Figure] = [
    Figure(name: "top1", usual: .atLeast) { $0.top1 },
    Figure(name: "top1_lower", usual: .atLeast) { $0.top1 == nil ? nil : $0.top1Interval[0] },
    Figure(name: "top3", usual: .atLeast) { $0.top3 },
    Figure(name: "macro_f1", usual: .atLeast) { $0.macroF1 },
    Figure(name: "fused", usual: .atLeast) { $0.place.top1Fused },
    Figure(name: "least_recall", usual: .atLeast) { $0.perLabel.compactMap(\.recall).min() },
    Figure(name: "auroc", usual: .atLeast) { $0.rejection.auroc },
    Figure(name: "unknown_buildings_auroc", usual: .atLeast) { $0.rejection.unknownBuildingsAUROC },
    Figure(name: "coverage", usual: .atLeast) { $0.riskCoverage.operatingPoint?.coverage },
    Figure(name: "risk", usual: .atMost) { $0.riskCoverage.operatingPoint?.risk },
    Figure(name: "fpr_at_95_tpr", usual: .atMost) { $0.rejection.fprAt95TPR },
    Figure(name: "ece", usual: .atMost) { $0.calibration.ece },
    Figure(name: "brier", usual: .atMost) { $0.calibration.brier },
  ]

  /// The names of all figures that can be required.
  public static var names: [String] { figures.map(\.name) }

  /// Reads `NAME=VALUE`, the figure's own way, or `NAME>=VALUE` and `NAME<=VALUE`.
  ///
  /// `nil` for an unknown name and for what is no number.
  public init?(_ text: String) {
    let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    let rest = text.dropFirst(name.count)
    guard let figure = Self.figures.first(where: { $0.name == name }),
      let sign = ["<=", ">=", "="].first(where: { rest.hasPrefix($0) }),
      let value = Double(rest.dropFirst(sign.count)), value.isFinite
    else { return nil }
    self.name = figure.name
    self.value = value
    bound = sign == ">=" ? .atLeast : sign == "<=" ? .atMost : figure.usual
  }

  /// What is wrong, in one line; `nil` when the figure is good enough.
  public func failure(in report: EvaluationReport) -> String? {
    let wish = "\(name) must be \(bound.rawValue) \(value)"
    guard let figure = Self.figures.first(where: { $0.name == name })?.read(report) else {
      return "\(wish), but there are no photos to tell it by"
    }
    let isMet = bound == .atLeast ? figure >= value : figure <= value
    return isMet ? nil : "\(wish), but it is \(FigureText.decimal(figure, digits: 4))"
  }
}
