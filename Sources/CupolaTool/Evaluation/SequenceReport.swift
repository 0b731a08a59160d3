import Cupola
import CupolaTraining

// 1. Replay recorded sessions.
// 2. Print how stable and how accurate the shown names are.

struct SequenceReport {
  private let options: Evaluate
  private let recognizer: Recognizer

  init(_ options: Evaluate, _ model: Model) {
    self.options = options
    var recognizer = Recognizer(model: model, maximumError: options.error.maxError)
    recognizer.decoder = options.common.decoder
    self.recognizer = recognizer
    // Frames are named by several together; of single ones an error asks more.
    LiveErrorOption.explain(
      options.error.maxError, recognizer.point, changed: "the names of single frames only")
  }

  func print(of path: String) throws {
    let sessions = try SessionFolder.all(in: path)
    guard sessions.contains(where: { !$0.frames.isEmpty }) else {
      Console.error("\(path): no frames there")
      throw ExitStatus.noInput
    }
    Self.noteUntold(sessions)
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
    let isInVain = figures.sessions + figures.unknownSessions == 0
    if !isInVain {
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
    throw isInVain ? ExitStatus.code(of: first.error) : ExitStatus.someFailed
  }

  /// Truths that mean no building, even if a label resembles them.
  private static let nothing = ["nothing", "none", "unknown"]

  /// Prints a note about sessions without truths, which a person has to add.
  private static func noteUntold(_ sessions: [SessionFolder]) {
    let untold = sessions.filter { session in
      !session.frames.isEmpty && session.frames.allSatisfy { $0.truth == nil }
    }
    guard let first = untold.first else { return }
    let others = untold.count > 1 ? " (and \(untold.count - 1) more)" : ""
    Console.note(
      "note: \(first.path)/\(SessionFolder.table)\(others): no frame says what it shows, which is taken as "
        + "nothing that the model knows; where it shows a building, add \"truth\" with its label to the lines, see "
        + "Documentation/Formats.md")
  }

  static func text(_ figures: SequenceFigures) -> String {
    var lines: [String] = []
    if figures.sessions > 0 {
      lines += [
        "\(FigureText.count(figures.sessions, "sequence")) of buildings, "
          + FigureText.count(figures.frames, "frame"),
        "  named:     " + named(figures),
        "  changes:   \(figures.nameChanges) of the name, \(figures.trueChanges) of the building; "
          + "\(FigureText.count(figures.gaps, "time")) a name went and came back",
        "  first name: " + first(figures),
      ]
      if let gone = figures.medianFramesToGo, let most = figures.framesToGo.max() {
        lines.append(
          "  gone:      \(FigureText.count(gone, "frame")) after the building in the median, "
            + "\(most) at most")
      }
    }
    if let named = figures.unknownNamed, let single = figures.unknownSingleNamed {
      lines.append(
        "\(FigureText.count(figures.unknownSessions, "sequence")) of nothing that the model knows: "
          + "\(FigureText.smallPercent(named)) of the frames named, of single frames "
          + FigureText.smallPercent(single))
    }
    return lines.joined(separator: "\n")
  }

  private static func named(_ figures: SequenceFigures) -> String {
    let named = FigureText.percent(figures.named) + " of the frames"
    guard let wrong = figures.wrong, let single = figures.singleWrong else { return named }
    return "\(named), of these \(FigureText.smallPercent(wrong)) wrong; as many single frames "
      + FigureText.smallPercent(single)
  }

  private static func first(_ figures: SequenceFigures) -> String {
    let never = figures.framesToName.count { $0 == nil }
    let median =
      figures.medianFramesToName.map { FigureText.count($0, "frame") + " in the median" }
      ?? "none for half or more"
    return median + (never > 0 ? ", never for \(never) of \(figures.framesToName.count)" : "")
  }
}
