import Cupola
import CupolaTraining

// 1. Replay recorded sessions.
// 2. Print how stable and how accurate the displayed names are.

struct SequenceReport {
  private let options: Evaluate
  private let recognizer: Recognizer

  init(_ options: Evaluate, _ model: Model) {
    self.options = options
    var recognizer = Recognizer(model: model, maximumError: options.error.maxError)
    recognizer.decoder = options.common.decoder
    self.recognizer = recognizer
    LiveErrorOption.explain(
      options.error.maxError, recognizer.point, effect: "only affects single frames")
  }

  func print(of path: String) throws {
    let sessions = try SessionFolder.all(in: path)
    guard sessions.contains(where: { !$0.frames.isEmpty }) else {
      Console.error("\(path): contains no frames")
      throw ExitStatus.noInput
    }
    Self.noteMissingTruth(in: sessions)
    let truths = Set(sessions.flatMap(\.frames).compactMap(\.truth)).subtracting(Self.nothing)
    let labels = recognizer.model.labels
    try TrainingError.check(truths, in: path, against: labels.buildings.map { labels.names[$0] })
    var evaluation = SequenceEvaluation()
    let progress = Progress("sequences", total: sessions.count, quiet: options.common.quiet)
    for (number, session) in sessions.enumerated() {
      evaluation.add(session, by: recognizer, usingPlace: !options.noPlace)
      progress.update(number + 1)
    }
    let figures = evaluation.figures
    let isEmpty = figures.sessions + figures.unknownSessions == 0
    if !isEmpty {
      if options.json {
        try Console.print(json: figures.json)
      } else {
        Console.print(Self.text(figures))
      }
    }
    for (file, error) in evaluation.failures {
      Console.error(ExitStatus.line(error, about: file))
    }
    guard let first = evaluation.failures.first else { return }
    throw isEmpty ? ExitStatus.code(of: first.error) : ExitStatus.someFailed
  }

  /// Values of `truth` that mean no building, even if they are similar to a label.
  private static let nothing = ["nothing", "none", "unknown"]

  private static func noteMissingTruth(in sessions: [SessionFolder]) {
    let unlabeled = sessions.filter { session in
      !session.frames.isEmpty && session.frames.allSatisfy { $0.truth == nil }
    }
    guard let first = unlabeled.first else { return }
    let others = unlabeled.count > 1 ? " (and \(unlabeled.count - 1) more)" : ""
    Console.note(
      "note: \(first.path)/\(SessionFolder.table)\(others): no frame has a \"truth\", so none counts as a known "
        + "building; add the label to the lines of frames that show one, see Documentation/Formats.md"
    )
  }

  static func text(_ figures: SequenceFigures) -> String {
    var lines: [String] = []
    if figures.sessions > 0 {
      lines += [
        "\(FigureText.count(figures.sessions, "sequence")) of known buildings, "
          + FigureText.count(figures.frames, "frame"),
        "  named:      " + named(figures),
        "  changes:    \(figures.nameChanges) of the displayed name, \(figures.trueChanges) of the actual building; "
          + "\(FigureText.count(figures.gaps, "name")) lost and regained",
        "  first name: " + first(figures),
      ]
      if let gone = figures.medianFramesToGo, let most = figures.framesToGo.max() {
        lines.append(
          "  last name:  \(FigureText.count(gone, "frame")) after the building (median), at most "
            + "\(most)")
      }
    }
    if let named = figures.unknownNamed, let single = figures.unknownSingleNamed {
      lines.append(
        "\(FigureText.count(figures.unknownSessions, "sequence")) without known buildings: "
          + "\(FigureText.smallPercent(named)) of the frames named; as single frames: "
          + FigureText.smallPercent(single))
    }
    return lines.joined(separator: "\n")
  }

  private static func named(_ figures: SequenceFigures) -> String {
    let named = FigureText.percent(figures.named) + " of the frames"
    guard let wrong = figures.wrong, let single = figures.singleWrong else { return named }
    return "\(named), \(FigureText.smallPercent(wrong)) of these names wrong; as single frames: "
      + "\(FigureText.smallPercent(single)) wrong"
  }

  private static func first(_ figures: SequenceFigures) -> String {
    let never = figures.framesToName.count { $0 == nil }
    let median =
      figures.medianFramesToName.map { "after " + FigureText.count($0, "frame") + " (median)" }
      ?? "none in at least half of the sequences"
    return median + (never > 0 ? ", never in \(never) of \(figures.framesToName.count)" : "")
  }
}
