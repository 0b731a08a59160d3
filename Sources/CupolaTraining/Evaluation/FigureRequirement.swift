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

  /// The names of all figures that can be required.
  ///
  /// The lower end of an interval has `_lower` behind its figure's.
  public static var names: [String] {
    wanted.flatMap { $0.interval == nil ? [$0.name] : [$0.name, $0.name + lowerEnd] }
  }

  private static var wanted: [Figure] { Figure.all.filter { $0.bound != nil } }
  private static let lowerEnd = "_lower"

  /// Reads `NAME=VALUE`, the figure's own way, or `NAME>=VALUE` and `NAME<=VALUE`.
  ///
  /// `nil` for an unknown name and for what is no number.
  public init?(_ text: String) {
    let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    let rest = text.dropFirst(name.count)
    guard Self.names.contains(String(name)),
      let figure = Self.wanted.first(where: { $0.name == name || $0.name + Self.lowerEnd == name }),
      let sign = ["<=", ">=", "="].first(where: { rest.hasPrefix($0) }),
      let value = Double(rest.dropFirst(sign.count)), value.isFinite, let usual = figure.bound
    else { return nil }
    self.name = String(name)
    self.value = value
    bound = sign == ">=" ? .atLeast : sign == "<=" ? .atMost : usual
  }

  /// What is wrong, in one line; `nil` when the figure is good enough.
  public func failure(in report: EvaluationReport) -> String? {
    let wish = "\(name) must be \(bound.rawValue) \(value)"
    guard let figure = Self.value(of: name, in: report.figures) else {
      return "\(wish), but there are no photos to tell it by"
    }
    let isMet = bound == .atLeast ? figure >= value : figure <= value
    return isMet ? nil : "\(wish), but it is \(FigureText.decimal(figure, digits: 4))"
  }

  private static func value(of name: String, in figures: Figures) -> Double? {
    guard name.hasSuffix(lowerEnd) else { return figures[name] }
    let share = String(name.dropLast(lowerEnd.count))
    return figures[share].flatMap { _ in figures.interval(share)?.first }
  }
}
