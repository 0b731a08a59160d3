import Cupola
import CupolaTraining

/// Prints the answers to photos as text or JSON, in the order in which they are added.
struct AnswerPrinter {
  enum Style { case text, array, lines }

  let style: Style
  let top: Int
  /// One photo only: its building's record is shown too.
  let single: Bool
  /// Where the buildings' names stand.
  let campus: Campus?
  private var answers: [JSONObject] = []

  init(style: Style, top: Int, single: Bool, campus: Campus?) {
    self.style = style
    self.campus = campus
    self.top = top
    self.single = single
  }

  mutating func add(_ path: String, _ result: Result<Recognition, CupolaError>) throws {
    switch style {
    case .lines:
      Console.print(try JSONObject.text(JSONObject(answering: path, result, top: top)))
    case .array: answers.append(JSONObject(answering: path, result, top: top))
    case .text:
      if case .success(let answer) = result { Console.print(text(path, answer)) }
    }
  }

  func finish() throws {
    if style == .array { Console.print(try JSONObject.text(answers, pretty: true)) }
  }

  private func text(_ path: String, _ answer: Recognition) -> String {
    var lines = ["\(path): \(answer.headline(in: campus))"]
    if single, let building = answer.building { lines += record(building) }
    let others = answer.candidates.prefix(top).filter {
      $0.label != answer.label && $0.probability >= FigureText.leastPercent
    }
    if single, !others.isEmpty {
      let names = others.map { "\(name(of: $0.label)) \(FigureText.percent($0.probability))" }
      let start = answer.label == nil ? "  nearest" : "  otherwise"
      lines.append("\(start): \(names.joined(separator: ", "))")
    }
    if case .contradicted(let seen, _) = answer.reason, seen != answer.label,
      let candidate = answer.candidates.first(where: { $0.label == seen })
    {
      lines.append(
        "  note: by the picture alone it is \(name(of: seen)) "
          + "(\(FigureText.percent(candidate.imageProbability))); --no-place goes by that")
    }
    if answer.fence == .tooClose {
      lines.append("  note: taken too close to the fence to tell whether it is on the campus")
    }
    for fault in answer.faults.prefix(1) {
      lines.append("  note: damaged EXIF (\(fault)); what can be read of it is used")
    }
    return lines.map(VisibleText.line).joined(separator: "\n")
  }

  private func name(of label: String) -> String { campus.name(of: label) }

  private func record(_ building: Building) -> [String] {
    let fields: [(String, String?)] = [
      ("short", building.abbreviation), ("category", building.category),
      ("built", building.yearBuilt), ("address", building.address),
      ("about", building.description),
    ]
    return fields.compactMap { name, value in value.map { "  \(name): \($0)" } }
  }
}
