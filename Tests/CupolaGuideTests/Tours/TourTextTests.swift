import Cupola
import Testing

@testable import CupolaGuide

@Suite("Tours as text")
struct TourTextTests {
  @Test("the example is shown in 80 columns")
  func shown() throws {
    let tour = try Tour(json: Array(MadeTour.example.utf8), path: "")
    let lines = tour.lines(answers: true)
    #expect(
      lines == [
        "The old campus (old-campus)",
        "2 stops; in this order; en, el; from 2026-03-01; until 2026-10-31; opens with a",
        "passkey",
        "",
        "1. Main gate",
        "   gate: 37.9681,23.7787; within 20 m",
        "",
        "2. Old Library",
        "   library: way/4711; within 30 m; beacon library hall (near); after Main gate",
        "   Built in 1932.",
        "   Open every day.",
        "   - image media/library.jpg: The reading room",
        "   ? When was it built? (10 points)",
        "     * 1932, 1 more or less",
        "   ? Who built it? (1 point)",
        "     * Rodin / Auguste Rodin",
        "   ? Which is true? (1 point)",
        "     * A",
        "     - B",
      ])
    #expect(tour.lines(in: "el")[0] == "Η παλιά (old-campus)")
  }

  @Test("no line of any tour is wider than 80 columns, nor steers a terminal")
  func width() {
    var random = SplitMix64(seed: 8)
    for _ in 0..<50 {
      let tour = MadeTour.any(using: &random)
      for line in tour.lines(answers: true) {
        #expect(WrappedText.width(line) <= 80 && !line.contains("\n"))
      }
    }
    let stop = TourStop(
      id: "a", title: LocalizedText(["en": String(repeating: "図書館", count: 40)]),
      place: .named("\u{202E}x"),
      text: LocalizedText(["en": String(repeating: "long ", count: 100)]))
    let lines = MadeTour.tour([stop]).lines()
    #expect(lines.allSatisfy { WrappedText.width($0) <= 80 })
    #expect(!lines.joined().contains("\u{202E}"))
  }

  @Test("of the languages that a visitor's is a kind of the nearest is taken")
  func languages() {
    let text = LocalizedText(["en": "e", "zh-Hans": "s", "zh-Hant": "t", "pt": "p"])
    func said(_ language: String?) -> String { text.text(in: language, fallback: ["en"]) }
    #expect(said("zh-Hant-TW") == "t" && said("zh-Hans") == "s" && said("pt-BR") == "p")
    #expect(said("zh") == "e" && said("fr-CH") == "e" && said(nil) == "e" && said("-") == "e")
    let tour = Tour(
      id: "t", title: text, languages: ["en", "zh-Hant"], stops: [MadeTour.stop("a", 0, 0)])
    #expect(tour.speaks("zh-Hant-TW") && !tour.speaks("zh-Hans-CN"))
  }

  @Test("every signal is a sentence, or nothing")
  func sentences() throws {
    let tour = MadeTour.tour([MadeTour.stop("a", 0, 0, questions: [MadeTour.year])])
    let sentences: [(TourSignal, String?)] = [
      (.arrived(stop: "a"), "You are at Stop a. About a."),
      (.near(stop: "a", meters: 41.7), "Stop a is near, 42 m from here."),
      (
        .wrong(stop: "a", question: "year", triesLeft: 1),
        "That is not right. You have one more try. Look up."
      ),
      (.wrong(stop: "a", question: "year", triesLeft: 0), "That is not right. In 1932."),
      (.right(stop: "a", question: "year", points: 10), "Right: 10 points. In 1932."),
      (.right(stop: "a", question: "year", points: 0), "Thank you. In 1932."),
      (.left(stop: "a", unanswered: 1), "You left Stop a; one question is open there."),
      (.answered(stop: "a"), "All questions at Stop a are answered."),
      (.done(stop: "a"), nil), (.skipped(stop: "a"), "Stop a is left out."),
      (.finished(score: 10, of: 10), "The tour Made is over. You have 10 of 10 points."),
      (.refused(.notOpen), "Other stops come first."), (.opened(stop: "x"), "x is open now."),
      (.restarted, "The tour Made begins again."),
    ]
    for (signal, sentence) in sentences { #expect(signal.sentence(of: tour) == sentence) }
    for refusal in TourRefusal.allCases { #expect(refusal.sentence.hasSuffix(".")) }
  }
}
