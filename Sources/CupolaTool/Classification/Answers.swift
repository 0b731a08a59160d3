import Cupola
import CupolaTraining

// 1. Print the answers as text, as a JSON array or as JSON lines.
// 2. Format the headline of an answer.

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
      Console.print(try JSONObject.text(JSONObject(answering: path, result, top: top)))
    case .array: answers.append(JSONObject(answering: path, result, top: top))
    case .text:
      if case .success(let answer) = result { Console.print(text(path, answer)) }
    }
  }

  func finish() throws {
    if style == .array { try Console.print(json: answers) }
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
        "  note: the image alone indicates \(name(of: seen)) "
          + "(\(FigureText.percent(candidate.imageProbability))); use --no-place to ignore the position"
      )
    }
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

extension JSONObject {
  /// An answer, or an error, for a photo: schema `cupola.classification/1`.
  init(answering photo: String, _ result: Result<Recognition, CupolaError>, top: Int) {
    switch result {
    case .failure(let failure):
      self = ["schema": "cupola.classification/1", "photo": photo, "error": failure.problem]
    case .success(let answer):
      let timing = answer.timing.milliseconds.map { stage, milliseconds in
        (stage.rawValue, Self.rounded(milliseconds, to: 1000))
      }
      self = [
        "schema": "cupola.classification/1", "photo": photo, "verdict": answer.verdict,
        "label": answer.label, "building": answer.building, "probability": answer.probability,
        "candidates": answer.candidates.prefix(top).map(Self.candidate),
        "reason": answer.reason.code, "position": answer.position, "heading": answer.heading,
        "fence": answer.fence, "place": answer.place,
        "timing_ms": Dictionary(uniqueKeysWithValues: timing),
      ]
    }
  }

  private static func candidate(_ candidate: Recognition.Candidate) -> JSONObject {
    [
      "label": candidate.label, "probability": candidate.probability,
      "image_probability": candidate.imageProbability,
      "trained": candidate.isTrained ? nil : false,
      // Round to centimeters and hundredths of a degree, which is finer than any position.
      "distance_m": candidate.distance.map { rounded($0, to: 100) },
      "bearing_deg": candidate.bearing.map {
        rounded($0, to: 100).truncatingRemainder(dividingBy: 360)
      },
    ]
  }

  private static func rounded(_ value: Double, to parts: Double) -> Double {
    (value * parts).rounded() / parts
  }
}

extension CupolaError {
  /// The message without the file's path, for JSON that contains the path in another member.
  var problem: String {
    guard case .file(let error) = self else { return message }
    return error.problem
  }
}

extension Recognition.Reason {
  fileprivate var code: String {
    switch self {
    case .recognized: "recognised"
    case .outsideGeofence: "outside_geofence"
    case .background: "background"
    case .unknownBuilding: "unknown_building"
    case .tooClose: "too_close"
    case .unfamiliar: "unfamiliar"
    case .noBuildings: "no_buildings"
    case .byPlaceOnly: "by_place"
    case .contradicted: "contradicted"
    }
  }
}

extension Recognition {
  func headline(in campus: Campus?) -> String {
    switch reason {
    case .recognized:
      return "\(campus.name(of: label ?? "")) (\(FigureText.percent(probability)))"
    case .outsideGeofence:
      let place = position.map {
        FigureText.decimal($0.latitude, digits: 5) + ","
          + FigureText.decimal($0.longitude, digits: 5)
      }
      return "Not on Campus (\(place ?? "its position") is outside the fence)"
    case .tooClose:
      let names = candidates.prefix(2).map { candidate in
        "\(campus.name(of: candidate.label)) (\(FigureText.percent(candidate.probability)))"
      }
      return "Unsure: \(names.joined(separator: " or "))"
    case .background(let probability):
      return "Not a Campus Building (\(FigureText.percent(probability)) background)"
    case .unknownBuilding(let probability):
      return "Not a Campus Building (\(FigureText.percent(probability)) unknown building)"
    case .unfamiliar(let share, let needed):
      let (best, least) = FigureText.apart(share, needed)
      return "Not a Campus Building (best building \(best); at least \(least) required)"
    case .byPlaceOnly:
      return "Probably \(campus.name(of: label ?? "")) (no training photos; based on position"
        + (heading == nil ? " only)" : " and heading only)")
    case .contradicted(let picture, let place):
      return "Unsure: the image indicates \(campus.name(of: picture)), but the position "
        + "indicates \(campus.name(of: place))"
    case .noBuildings: return "Not a Campus Building (the model has no buildings)"
    }
  }
}
