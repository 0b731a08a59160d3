import CupolaCampus
import CupolaSupport
import Cupola
import CupolaTestSupport
import Foundation
import Testing
@testable import CupolaGuide
@testable import CupolaTours

@Suite("Tour checks")
struct TourCheckTests {
  @Test("Reports what the example lacks")
  func example() throws {
    let tour = try Tour(json: Array(TestTour.example.utf8), path: "")
    let check = TourCheck(of: tour, places: { _ in nil }, media: { _ in .missing })
    let kinds = check.findings.map(\.kind)
    #expect(kinds.contains("unknown_place") && kinds.contains("missing_media"))
    #expect(check.findings.contains(.unknownPlace(stop: "library", place: "way/4711")))
    #expect(
      check.findings.contains(
        .missingTranslation(item: "library: question year: hint", languages: ["el"])))
    for finding in check.findings {
      #expect(!finding.message.contains("\n") && finding.message.contains(": "))
    }
    let known = TourCheck(of: tour, places: { _ in TestTour.point(100, 0) }, media: { _ in .found })
    #expect(!known.findings.contains { !$0.isAdvice })
    #expect(known.length.isStraight && abs(known.length.meters - 100) < 1)
  }

  @Test("A name of two buildings is unknown; a name of one finds it")
  func names() throws {
    var maker = MapMaker()
    maker.building("way/1", "Library", x: 0...20, y: 0...20)
    maker.building("way/2", "Library", x: 700...720, y: 0...20)
    maker.building("way/3", "Café Uno", x: 200...220, y: 0...20)
    maker.node("node/1", (205, 5), ["amenity": "cafe", "name": "Café Uno"])
    maker.node("node/2", (300, 5), ["amenity": "bar", "name": "Bar"])
    maker.node("node/3", (400, 5), ["amenity": "bar", "name": "Bar"])
    maker.line("way/4", [(0, -10), (720, -10)], ["highway": "footway"])
    let guide = maker.guide
    let stops = ["Library", "Café Uno", "Bar", "way/2"].map {
      TourStop(
        id: "at-\($0.prefix(3))", title: LocalizedText(["en": $0, "el": $0]), place: .named($0))
    }
    let findings = guide.check(TestTour.tour(stops)).findings.filter { !$0.isAdvice }
    #expect(
      findings == [
        .unknownPlace(stop: "at-Lib", place: "Library"),
        .unknownPlace(stop: "at-Bar", place: "Bar"),
      ])
    #expect(findings.allSatisfy { $0.message.contains("unknown or ambiguous") })
    let spot = try #require(guide.spot(of: "Café Uno"))
    #expect(abs(spot.longitude - MapMaker.place(210, 0).longitude) < 3e-4)
  }

  @Test("Advises on overlaps, small radii, long legs and missing answers")
  func advice() {
    let question = TourQuestion(
      id: "q", text: LocalizedText(["en": "?", "el": ";"]), form: .text([]))
    let stops = [
      TestTour.stop("a", 0, 0), TestTour.stop("b", 40, 0, radius: 20),
      TestTour.stop("c", 2000, 0, radius: 10, questions: [question]),
      TourStop(
        id: "d", title: LocalizedText(["en": "D", "el": "Δ"]),
        beacon: .init(zone: "z", level: .far),
        media: [TourMedia(path: "d.mp3", kind: .audio)]),
      TourStop(
        id: "e", title: LocalizedText(["en": "E", "el": "Ε"]), beacon: .init(zone: "z", level: .far)
      ),
    ]
    let findings = TourCheck(of: TestTour.tour(stops, order: .fixed), places: { _ in nil }).findings
      .filter { $0.kind != "missing_translation" }
    #expect(
      findings.map(\.kind) == [
        "small_radius", "overlap", "overlap", "no_right_answer", "missing_alternative", "long_leg",
      ])
    guard case .overlap("a", "b", let meters?) = findings[1] else { Issue.record(); return }
    #expect(abs(meters - 40) < 0.2)
    #expect(findings[2] == .overlap(stop: "d", other: "e", meters: nil))
    #expect(findings[3] == .noRightAnswer(stop: "c", question: "q"))
    #expect(findings[4] == .missingAlternative(stop: "d", path: "d.mp3"))
  }

  @Test("Reports only the stop without a path")
  func unreachable() {
    let tour = TestTour.tour((0..<6).map { TestTour.stop("s\($0)", Double($0) * 100, 0) })
    let island = TestTour.point(0, 0)
    let check = TourCheck(of: tour, places: { _ in nil }) { from, to in
      let isOn = [from, to].map { abs($0.longitude - island.longitude) < 1e-4 }
      return isOn[0] == isOn[1] ? (120, 100) : nil
    }
    #expect(check.findings.filter { !$0.isAdvice } == [.unreachable(stop: "s0")])
    // Four legs of 120 m, and a straight line of 100 m.
    #expect(abs(check.length.meters - 580) < 1 && check.length.isStraight)
  }

  @Test("The length includes walking off mapped ways, there and back")
  func offTheWays() {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (200, 0), (400, 0)], ["highway": "footway"])
    let stops = [(0.0, 0.0), (200, 100), (400, 0)].map { x, y -> TourStop in
      let place = MapMaker.place(x, y)
      return TourStop(
        id: "\(Int(x))", title: LocalizedText(["en": "Stop"]),
        place: .point(latitude: place.latitude, longitude: place.longitude))
    }
    let length = maker.guide.check(TestTour.tour(stops, order: .fixed)).length
    #expect(abs(length.meters - 600) < 2 && !length.isStraight)
    #expect(abs(length.walking - length.meters / (5 / 3.6)) < 0.01)
  }

  @Test("The length in free order goes to the nearest stop each time")
  func length() {
    let stops = [0, 300, 100, 200].map { TestTour.stop("s\($0)", Double($0), 0) }
    let free = TourCheck(of: TestTour.tour(stops), places: { _ in nil }).length
    let fixed = TourCheck(of: TestTour.tour(stops, order: .fixed), places: { _ in nil }).length
    #expect(abs(free.meters - 300) < 1 && abs(fixed.meters - 600) < 1)
    #expect(
      free.text == "at least 300 m on foot, about 4 min including 1 min at the stops"
        || free.text == "at least 300 m on foot, about 5 min including 1 min at the stops")
    let nowhere = TourLength(meters: 0, walking: 0, stays: 90, isStraight: true)
    #expect(nowhere.text == "unknown distance, about 2 min including 2 min at the stops")
  }

  @Test("Reports missing files and links that lead outside")
  func media() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "secret")
    try folder.write("x", to: "tour/media/a.jpg")
    let tour = folder.path("tour")
    try FileManager.default.createSymbolicLink(
      atPath: tour + "/media/out.jpg", withDestinationPath: "../../secret")
    try FileManager.default.createSymbolicLink(
      atPath: tour + "/media/in.jpg", withDestinationPath: "a.jpg")
    let states = ["media/a.jpg", "media/in.jpg", "media/out.jpg", "media/no.jpg", "media"]
      .map { TourMediaState.of($0, in: tour) }
    #expect(states == [.found, .found, .outside, .missing, .missing])
  }

  @Test("A tour with 1,000 stops at one point has few findings")
  func large() {
    let tour = TestTour.tour((0..<1000).map { TestTour.stop("s\($0)", 0, 0) })
    #expect(TourCheck(of: tour, places: { _ in nil }).findings.count < 10_000)
  }
}

@Suite("Tour texts")
struct TourTextTests {
  @Test("Shows the example in 80 columns")
  func shown() throws {
    let tour = try Tour(json: Array(TestTour.example.utf8), path: "")
    let lines = tour.lines(answers: true)
    #expect(
      lines == [
        "The old campus (old-campus)",
        "2 stops; in fixed order; en, el; from 2026-03-01; until 2026-10-31; passkey",
        "required",
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
        "     * 1932 ± 1",
        "   ? Who built it? (1 point)",
        "     * Rodin / Auguste Rodin",
        "   ? Which is true? (1 point)",
        "     * A",
        "     - B",
      ])
    #expect(tour.lines(in: "el")[0] == "Η παλιά (old-campus)")
  }

  @Test("Lines have at most 80 columns and no control characters")
  func width() {
    var random = SplitMix64(seed: 8)
    for _ in 0..<50 {
      let tour = TestTour.any(using: &random)
      for line in tour.lines(answers: true) {
        #expect(WrappedText.width(line) <= 80 && !line.contains("\n"))
      }
    }
    let stop = TourStop(
      id: "a", title: LocalizedText(["en": String(repeating: "図書館", count: 40)]),
      place: .named("\u{202E}x"),
      text: LocalizedText(["en": String(repeating: "long ", count: 100)]))
    let lines = TestTour.tour([stop]).lines()
    #expect(lines.allSatisfy { WrappedText.width($0) <= 80 })
    #expect(!lines.joined().contains("\u{202E}"))
  }

  @Test("Chooses the closest parent language of the visitor's language")
  func languages() {
    let text = LocalizedText(["en": "e", "zh-Hans": "s", "zh-Hant": "t", "pt": "p"])
    func said(_ language: String?) -> String { text.text(in: language, fallback: ["en"]) }
    #expect(said("zh-Hant-TW") == "t" && said("zh-Hans") == "s" && said("pt-BR") == "p")
    #expect(said("zh") == "e" && said("fr-CH") == "e" && said(nil) == "e" && said("-") == "e")
    let tour = Tour(
      id: "t", title: text, languages: ["en", "zh-Hant"], stops: [TestTour.stop("a", 0, 0)])
    #expect(tour.speaks("zh-Hant-TW") && !tour.speaks("zh-Hans-CN"))
  }

  @Test("Signals have a sentence or none")
  func sentences() throws {
    let tour = TestTour.tour([TestTour.stop("a", 0, 0, questions: [TestTour.year])])
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
      (.left(stop: "a", unanswered: 1), "You left Stop a; one question is unanswered there."),
      (.answered(stop: "a"), "All questions at Stop a are answered."),
      (.done(stop: "a"), nil), (.skipped(stop: "a"), "Stop a is skipped."),
      (.finished(score: 10, of: 10), "The tour Made is over. You have 10 of 10 points."),
      (.refused(.notOpen), "Visit the other stops first."), (.opened(stop: "x"), "x is now open."),
      (.restarted, "The tour Made starts again."),
    ]
    for (signal, sentence) in sentences { #expect(signal.sentence(of: tour) == sentence) }
  }
}
