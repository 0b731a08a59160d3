internal import CupolaGuide
internal import CupolaSupport

extension TourSimulation {
  /// The walk as lines: the time since the start, what happened, and what is said.
  ///
  /// - Parameters:
  ///   - language: as of ``Tour/text(_:in:)``.
  ///   - all: whether to show events to which nothing is said, too.
  package func lines(in language: String? = nil, all: Bool = false) -> [String] {
    var lines: [String] = []
    for step in steps {
      let sentences = step.signals.compactMap { $0.sentence(of: visit.tour, in: language) }
      guard all || !sentences.isEmpty else { continue }
      lines += WrappedText.lines(
        Self.line(step.event), indent: 10, first: "\(Self.clock(step.seconds))  ")
      for sentence in sentences {
        lines += WrappedText.lines(sentence, indent: 12, first: "          > ")
      }
    }
    let passed = visit.progress.count(where: \.isPassed)
    lines.append(
      "\(passed) of \(visit.progress.count) stops passed, \(visit.score) of \(visit.mostScore) points"
    )
    return lines
  }

  /// Hours, minutes and seconds.
  private static func clock(_ seconds: Double) -> String {
    let seconds = Int(exactly: seconds.rounded()) ?? 0
    return [seconds / 3600, seconds / 60 % 60, seconds % 60]
      .map { Digits.padded(max($0, 0), to: 2) }.joined(separator: ":")
  }

  private static func line(_ event: TourEvent) -> String {
    switch event {
    case .position(let latitude, let longitude, let accuracy, _):
      "at \(degrees(latitude)),\(degrees(longitude)), error \(DistanceText.text(meters: accuracy))"
    case .zone(let zone, let level, _):
      "beacon \(VisibleText.line(zone)): \(level?.rawValue ?? "gone")"
    case .tick: "time passes"
    case .answer(let stop, let question, let answer):
      "answer to \(stop), question \(question): \(line(answer))"
    case .skip(let stop): "skip \(stop)"
    case .restart: "restart"
    }
  }

  private static func line(_ answer: TourAnswer) -> String {
    switch answer {
    case .choices(let numbers):
      "choice \(numbers.map { String($0 &+ 1) }.joined(separator: ", "))"
    case .text(let text): VisibleText.line(text)
    case .number(let number): NumberText.short(number)
    }
  }

  /// To 1e-6 degrees, so that libraries of other systems, which round otherwise, give the same line.
  private static func degrees(_ value: Double) -> String { String((value * 1e6).rounded() / 1e6) }
}
