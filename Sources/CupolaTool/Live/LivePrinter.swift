import Cupola
import CupolaTraining

/// Prints the steady answers to frames: as lines of JSON, as one line that changes, or a line for each change.
struct LivePrinter {
  enum Style { case jsonLines, oneLine, changes }

  let style: Style
  let campus: Campus?
  private var last: String?

  init(style: Style, campus: Campus?) {
    self.style = style
    self.campus = campus
  }

  mutating func add(_ seen: WatchedFrame) throws {
    switch style {
    case .jsonLines: Console.print(try JSONObject.text(JSONObject(watching: seen)))
    case .oneLine: Console.rewrite(text(seen))
    case .changes:
      let headline = headline(seen)
      guard headline != last else { return }
      last = headline
      Console.print(line(seen))
    }
  }

  func finish() { Console.endLine() }

  /// A change, on one line whatever names are in it.
  func line(_ seen: WatchedFrame) -> String {
    VisibleText.line("\(Format.decimal(seen.time, digits: 1)) s: \(text(seen))")
  }

  private func text(_ seen: WatchedFrame) -> String {
    var text = headline(seen)
    if let probability = seen.answer.probability { text += " (\(FigureText.percent(probability)))" }
    if let hint = seen.answer.hint { text += "; \(hint.words)" }
    return text
  }

  func headline(_ seen: WatchedFrame) -> String {
    switch seen.answer.verdict {
    case .looking: "Looking"
    case .building: campus.name(of: seen.answer.label ?? "")
    case .unsure: "Unsure: \(choice(seen.candidates.map { campus.name(of: $0.label) }))"
    case .notACampusBuilding: "Not a Campus Building"
    case .notOnCampus: "Not on Campus"
    }
  }
}

/// What it is unsure between, by their names.
private func choice(_ names: [String]) -> String {
  // A model of one building can be contradicted by the place, too.
  names.count == 1 ? names[0] + " or something else" : names.prefix(2).joined(separator: " or ")
}

/// A frame that was looked at.
struct WatchedFrame {
  /// From 1 on.
  let number: Int
  /// What messages call it.
  let name: String
  /// Seconds.
  let time: Double
  let answer: LiveAnswer
  /// Two at least, where there are: people read which two it is unsure between.
  let candidates: [(label: String, probability: Double)]
  /// How many of these JSON tells.
  let top: Int
  /// How long it took.
  let milliseconds: Double
}

extension LiveHint {
  /// What to do, for people.
  var words: String {
    switch self {
    case .holdStill: "hold still"
    case .moreLight: "too dark"
    case .lessLight: "too bright"
    case .stepBack: "step back"
    case .stepNearer: "step nearer"
    case .moveLeft: "move left"
    case .moveRight: "move right"
    }
  }
}

extension JSONObject {
  /// The answer to a frame: schema `cupola.live/1`.
  init(watching seen: WatchedFrame) {
    let answer = seen.answer
    self = [
      "schema": "cupola.live/1", "frame": seen.number, "name": seen.name,
      "time": (seen.time * 1000).rounded() / 1000, "verdict": answer.verdict,
      "label": answer.label, "building": answer.building, "probability": answer.probability,
      "frame_label": answer.frameLabel, "frame_probability": answer.frameProbability,
      "candidates": seen.candidates.prefix(seen.top).map { candidate -> JSONObject in
        ["label": candidate.label, "probability": candidate.probability]
      },
      "hint": answer.hint, "fence": answer.fence, "cut": answer.isCut,
      "milliseconds": (seen.milliseconds * 1000).rounded() / 1000,
    ]
  }

  /// The answer to a frame that could not be looked at.
  init(watching number: Int, name: String, failed error: CupolaError) {
    self = ["schema": "cupola.live/1", "frame": number, "name": name, "error": error.problem]
  }
}
