internal import CupolaGuide
internal import CupolaSupport

extension Tour {
  /// Returns the tour as plain text with at most 80 columns; `answers` marks the right answers.
  package func lines(
    in language: String? = nil, length: TourLength? = nil, answers: Bool = false
  ) -> [String] {
    let words = TourWords(self, language)
    var lines = WrappedText.lines("\(words.tourTitle) (\(id))")
    lines += WrappedText.lines(facts.joined(separator: "; "))
    if let length { lines += WrappedText.lines(length.text) }
    for (number, stop) in stops.enumerated() {
      lines.append("")
      let mark = "\(number + 1). "
      lines += WrappedText.lines(words.title(stop.id), indent: mark.utf8.count, first: mark)
      lines += Self.indented(facts(of: stop, words), 3)
      if let text = stop.text { lines += Self.indented(words.text(text), 3) }
      for media in stop.media {
        let alternative = media.alternative.map { ": " + words.text($0) } ?? ""
        let line = "\(media.kind.rawValue) \(VisibleText.line(media.path))\(alternative)"
        lines += WrappedText.lines(line, indent: 5, first: "   - ")
      }
      for question in stop.questions { lines += Self.lines(question, words, answers) }
    }
    return lines
  }

  private static func indented(_ text: String, _ indent: Int) -> [String] {
    WrappedText.lines(text, indent: indent, first: String(repeating: " ", count: indent))
  }

  private var facts: [String] {
    var facts = [
      stops.count == 1 ? "1 stop" : "\(stops.count) stops",
      order == .fixed ? "in fixed order" : "in any order",
      languages.joined(separator: ", "),
    ]
    if let from { facts.append("from \(from)") }
    if let until { facts.append("until \(until)") }
    if needsPasskey { facts.append("passkey required") }
    return facts
  }

  private func facts(of stop: TourStop, _ words: TourWords) -> String {
    var facts: [String] = []
    switch stop.place {
    case .named(let place): facts.append(VisibleText.line(place))
    case .point(let latitude, let longitude): facts.append("\(latitude),\(longitude)")
    case nil: break
    }
    if stop.place != nil { facts.append("within \(DistanceText.text(meters: stop.radius))") }
    if let beacon = stop.beacon {
      facts.append("beacon \(VisibleText.line(beacon.zone)) (\(beacon.level.rawValue))")
    }
    if !stop.after.isEmpty {
      facts.append("after " + stop.after.map(words.title).joined(separator: ", "))
    }
    return "\(stop.id): " + facts.joined(separator: "; ")
  }

  private static func lines(
    _ question: TourQuestion, _ words: TourWords, _ answers: Bool
  ) -> [String] {
    let points = question.points == 1 ? "1 point" : "\(question.points) points"
    var lines = WrappedText.lines(
      "\(words.text(question.text)) (\(points))", indent: 5, first: "   ? ")
    switch question.form {
    case .choices(let choices):
      for choice in choices {
        let mark = answers && choice.isRight ? "     * " : "     - "
        lines += WrappedText.lines(words.text(choice.text), indent: 7, first: mark)
      }
    case .text(let texts):
      if answers, !texts.isEmpty {
        let text = texts.map { VisibleText.line($0) }.joined(separator: " / ")
        lines += WrappedText.lines(text, indent: 7, first: "     * ")
      }
    case .number(let number, let tolerance):
      if answers {
        let within = tolerance > 0 ? " ± \(NumberText.short(tolerance))" : ""
        let text = NumberText.short(number) + within
        lines += WrappedText.lines(text, indent: 7, first: "     * ")
      }
    }
    return lines
  }
}

struct TourWords {
  let tour: Tour
  let language: String?

  init(_ tour: Tour, _ language: String?) { (self.tour, self.language) = (tour, language) }

  var tourTitle: String { VisibleText.line(tour.text(tour.title, in: language)) }

  func title(_ stop: String) -> String {
    VisibleText.line(tour.stop(stop).map { tour.text($0.title, in: language) } ?? stop)
  }

  func question(_ stop: String, _ question: String) -> TourQuestion? {
    tour.stop(stop)?.questions.first { $0.id == question }
  }

  func text(_ text: LocalizedText) -> String { VisibleText.lines(tour.text(text, in: language)) }

  func joined(_ sentence: String, _ text: LocalizedText?) -> String {
    text.map { sentence + " " + self.text($0) } ?? sentence
  }
}

enum NumberText {
  /// Omits the fraction of whole numbers.
  static func short(_ number: Double) -> String {
    Int(exactly: number).map { String($0) } ?? String(number)
  }
}
