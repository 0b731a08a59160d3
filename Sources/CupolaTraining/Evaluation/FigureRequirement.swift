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
  /// What it is compared with: 0...1, of `brier` 0...2.
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
  /// `nil` for an unknown name, for what is no number, and for a number that the figure cannot be: such a gate would be
  /// open or closed whatever the model is.
  public init?(_ text: String) {
    guard let parts = Parts(text), let value = Double(parts.number),
      (0...Double(parts.figure.most)).contains(value), let usual = parts.figure.bound
    else { return nil }
    name = parts.name
    self.value = value
    bound = parts.sign == ">=" ? .atLeast : parts.sign == "<=" ? .atMost : usual
  }

  /// Why a text is no requirement, for people.
  package static func problem(with text: String) -> String {
    guard let parts = Parts(text) else {
      return
        "--require takes FIGURE=VALUE, FIGURE>=VALUE or FIGURE<=VALUE, not \"\(text)\"; FIGURE "
        + "is one of \(names.joined(separator: ", "))."
    }
    return "--require \(text): \(parts.name) is a number from 0 to \(parts.figure.most); write "
      + "0.95 for 95 %."
  }

  /// A text divided; `nil` for an unknown name, and without a sign behind it.
  private struct Parts {
    let name: String
    let figure: Figure
    let sign: String
    let number: Substring

    init?(_ text: String) {
      let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      let rest = text.dropFirst(name.count)
      guard FigureRequirement.names.contains(String(name)),
        let figure = wanted.first(where: { $0.name == name || $0.name + lowerEnd == name }),
        let sign = ["<=", ">=", "="].first(where: { rest.hasPrefix($0) })
      else { return nil }
      (self.name, self.figure, self.sign) = (String(name), figure, sign)
      number = rest.dropFirst(sign.count)
    }
  }

  /// What is wrong, in one line; `nil` when the figure is good enough.
  public func failure(in report: EvaluationReport) -> String? {
    let wish = "\(name) must be \(bound.rawValue) \(value)"
    guard let figure = Self.value(of: name, in: report.figures) else {
      return "\(wish), but there are no photos to tell it by"
    }
    return isMet(by: figure) ? nil : "\(wish), but it is \(text(of: figure))"
  }

  private func isMet(by figure: Double) -> Bool {
    bound == .atLeast ? figure >= value : figure <= value
  }

  /// With as many digits as it takes to see that it is missed.
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
