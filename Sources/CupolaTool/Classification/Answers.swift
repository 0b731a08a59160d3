import Cupola
import CupolaTraining

// 1. Print the answers as text, as a JSON array or as JSON lines.
// 2. Add the building's record, other candidates and notes to the text for a single photo.

struct AnswerPrinter {
  enum Style { case text, array, lines }

  let style: Style
  let top: Int
  /// Whether there is only one photo. Its answer is printed with more details.
  let single: Bool
  let campus: Campus?
  private(set) var answers: [JSONObject] = []

  mutating func add(_ path: String, _ result: Result<Recognition, CupolaError>) throws {
    switch style {
    case .lines:
      Console.print(try JSONObject.text(json(path, result)))
    case .array: answers.append(json(path, result))
    case .text:
      if case .success(let answer) = result { Console.print(text(path, answer)) }
    }
  }

  func finish() throws {
    if style == .array { try Console.print(json: answers) }
  }

  private func json(_ path: String, _ result: Result<Recognition, CupolaError>) -> JSONObject {
    JSONObject(answering: path, result, top: top, campus: campus)
  }

  private func text(_ path: String, _ answer: Recognition) -> String {
    var lines = ["\(path): \(answer.text(in: campus).line)"]
    if single, let building = answer.building { lines += record(building) }
    let others = answer.shownCandidates.prefix(top).filter { $0.label != answer.label }
    if single, !others.isEmpty {
      let names = others.map { other in
        name(of: other.label)
          + (answer.showsProbabilities ? " " + FigureText.percent(other.probability) : "")
      }
      let noun = others.count == 1 ? "building" : "buildings"
      let start =
        answer.label != nil
        ? "otherwise" : answer.showsProbabilities ? "most probable \(noun)" : "most similar \(noun)"
      lines.append("  \(start): \(names.joined(separator: ", "))")
    }
    if let seen = imageNote(answer) {
      lines.append("  note: \(seen); use --no-place to ignore it")
    }
    if single, let note = thresholdNote(answer) { lines.append("  note: " + note) }
    if single, let note = placeNote(answer) { lines.append("  note: " + note) }
    if answer.fence == .tooClose {
      lines.append("  note: too close to the fence to tell whether the photo was taken on campus")
    }
    for fault in answer.faults.prefix(1) {
      lines.append(
        "  note: \(fault.isDamage ? "damaged" : "unusual") EXIF data (\(fault)); "
          + "only the readable part is used")
    }
    return lines.map(VisibleText.line).joined(separator: "\n")
  }

  /// The building that the image shows, if only the position led to another answer.
  private func imageNote(_ answer: Recognition) -> String? {
    if case .contradicted(let seen, _) = answer.reason {
      return answer.candidates.first { $0.label == seen }?.imageNote(in: campus)
    }
    return single ? answer.imageNote(in: campus) : nil
  }

  /// The figures that are compared with the name threshold, which differ from the printed probabilities.
  private func thresholdNote(_ answer: Recognition) -> String? {
    switch answer.reason {
    case .tooClose(let share, let needed), .unfamiliar(let share, let needed):
      guard needed <= 1, let best = answer.candidates.first else { return nil }
      let texts = (1...4).map { digits in
        [share, needed].map { FigureText.decimal(100 * $0, digits: digits) + "%" }
      }
      let shown = texts.first { $0[0] != $0[1] } ?? texts[0]
      return
        "\(name(of: best.label)) has \(shown[0]) of the probability of all buildings together; a name requires "
        + shown[1]
    default: return nil
    }
  }

  /// The reason why a known position does not support the most probable building; `nil` if it does, or contradicts it.
  private func placeNote(_ answer: Recognition) -> String? {
    guard answer.position != nil, let best = answer.candidates.first else { return nil }
    let name = name(of: best.label)
    if answer.place == nil {
      let lack = campus == nil ? "the model has no map" : "\(name) is not on the map"
      return
        "position not used: \(lack), and the positions of training photos are missing or did not help; "
        + "train with --campus"
    }
    // The names of the most similar buildings are no answer that a position could support.
    guard answer.place == .unclear, answer.verdict != .notACampusBuilding else { return nil }
    if let distance = best.distance {
      return distance < Self.farAway
        ? nil
        : "the position does not support \(name), which is "
          + "\(FigureText.decimal(distance, digits: 0)) m away"
    }
    let lack = campus == nil ? "the model has no map" : "it is not on the map"
    return
      "the position does not support \(name): most of its training photos are from elsewhere, and \(lack); add "
      + "photos from here, or train with --campus"
  }

  /// Meters from which a building is rarely photographed.
  private static let farAway = 100.0

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
