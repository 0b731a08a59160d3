import CupolaTestSupport
import CupolaCampus
import CupolaSupport
import Cupola
import Testing
@testable import CupolaGuide
@testable import CupolaTours

@Suite("Tour files")
struct TourTests {
  @Test("Reads the documentation's example")
  func example() throws {
    let tour = try Tour(json: Array(TestTour.example.utf8), path: "tour.json")
    #expect(tour.id == "old-campus" && tour.order == .fixed && tour.needsPasskey)
    #expect(tour.text(tour.title, in: "el") == "Η παλιά")
    #expect(tour.text(tour.title, in: "el-CY") == "Η παλιά")
    #expect(tour.text(tour.title, in: "fr") == "The old campus")
    #expect(tour.stops.map(\.id) == ["gate", "library"])
    #expect(tour.stops[0].place == .point(latitude: 37.9681, longitude: 23.7787))
    let library = tour.stops[1]
    #expect(library.place == .named("way/4711") && library.radius == 30)
    #expect(library.beacon == .init(zone: "library hall", level: .near))
    #expect(library.questions.map(\.id) == ["year", "2", "3"])
    #expect(library.questions[0].points == 10 && library.questions[1].points == 1)
    let days = [(2, 28), (3, 1), (10, 31), (11, 1)].compactMap {
      LocalDate(year: 2026, month: $0.0, day: $0.1)
    }
    #expect(days.map(tour.isOpen) == [false, true, true, false])
  }

  @Test("The default beacon level is near")
  func beacons() throws {
    let text = TestTour.example.replacing(", \"level\": \"near\"", with: "")
    let tour = try Tour(json: Array(text.utf8), path: "tour.json")
    #expect(tour.stops[1].beacon == .init(zone: "library hall", level: .near))
  }

  @Test("Tours round-trip with the same bytes")
  func roundTrip() throws {
    let example = try Tour(json: Array(TestTour.example.utf8), path: "tour.json")
    #expect(try Tour(json: example.json, path: "") == example)
    var random = SplitMix64(seed: 1)
    for _ in 0..<Verification.count(60, of: 300) {
      let tour = TestTour.any(using: &random)
      let read = try Tour(json: tour.json, path: "")
      #expect(read == tour)
      #expect(read.json == tour.json)
      #expect(read.digest == tour.digest)
    }
  }

  @Test("Ignores case and accents in answers and applies tolerances")
  func answers() {
    let text = TourQuestion(
      id: "1", text: LocalizedText(["en": "Who?"]), form: .text(["Auguste Rodin", "Ρήγας"]))
    #expect(text.isRight(.text("  auguste   RODIN! ")) == true)
    #expect(text.isRight(.text("ρηγας")) == true)
    #expect(text.isRight(.text("Rodin")) == false)
    #expect(text.isRight(.text(" - ")) == nil)
    #expect(text.isRight(.number(1)) == nil)
    let number = TestTour.year
    #expect(number.isRight(.number(1931)) == true && number.isRight(.number(1930.9)) == false)
    #expect(number.isRight(.number(.nan)) == nil && number.isRight(.number(.infinity)) == nil)
    for tenths in 1...300 {
      let meters = TourQuestion(
        id: "1", text: LocalizedText(["en": "How high?"]),
        form: .number(Double(tenths) / 10, tolerance: 0.1))
      for (away, isRight) in [(-2, false), (-1, true), (1, true), (2, false)] {
        #expect(meters.isRight(.number(Double(tenths + away) / 10)) == isRight)
      }
    }
    let choices = TourQuestion(
      id: "1", text: LocalizedText(["en": "?"]),
      form: .choices([true, false, true].map { .init(LocalizedText(["en": "c"]), isRight: $0) }))
    #expect(choices.isRight(.choices([2, 0])) == true && choices.isRight(.choices([0])) == false)
    #expect(choices.isRight(.choices([0, 1, 2])) == false)
    #expect(choices.isRight(.choices([])) == nil && choices.isRight(.choices([3])) == nil)
    #expect(choices.isRight(.choices([-1])) == nil)
  }
}

@Suite("Unreadable tours")
struct TourFaultTests {
  private func problem(_ text: String) -> String? {
    do throws(GuideError) {
      _ = try Tour(json: Array(text.utf8), path: "t.json")
      return nil
    } catch {
      if case .badFile("t.json", let problem) = error { return problem }
      return "another error: \(error)"
    }
  }

  private func changed(_ old: String, _ new: String) -> String? {
    let text = TestTour.example
    #expect(text.contains(old))
    return problem(text.replacing(old, with: new))
  }

  @Test(
    "Reports each fault on one line with its location",
    arguments: [
      ("\"id\": \"old-campus\"", "\"id\": \"old campus\"", "id: invalid identifier"),
      ("\"order\": \"fixed\"", "\"order\": \"any\"", "order: must be one of \"fixed\", \"free\""),
      ("\"radius\": 20", "\"radius\": 4.9", "stops[0].radius: must be a number from 5 to 500"),
      ("\"radius\": 20", "\"radius\": \"20\"", "stops[0].radius: must be a number"),
      ("\"radius\": 20", "\"radus\": 20", "stops[0]: unknown member \"radus\""),
      (
        "\"latitude\": 37.9681", "\"latitude\": 91",
        "stops[0].latitude: must be a number from -90 to 90"
      ),
      ("\"latitude\": 37.9681, ", "", "stops[0]: missing \"latitude\""),
      (
        "\"latitude\": 37.9681, \"longitude\": 23.7787, \"radius\": 20", "\"radius\": 20",
        "stops[0]: stop without a location"
      ),
      (
        "\"place\": \"way/4711\"", "\"place\": \"a\", \"latitude\": 1",
        "stops[1].place: both a place and coordinates"
      ),
      ("\"place\": \"way/4711\", ", "", "stops[1].radius: radius without a place"),
      (
        "\"id\": \"library\"", "\"id\": \"gate\"",
        "stops[1]: duplicate ID \"gate\", also used by stops[0]"
      ),
      ("[\"gate\"]", "[\"gat\"]", "stops[1].after: unknown stop \"gat\""),
      ("[\"gate\"]", "[\"gate\", \"gate\"]", "stops[1].after[1]: duplicate stop \"gate\""),
      ("[\"gate\"]", "[\"library\"]", "library -> library"),
      (
        "\"radius\": 20", "\"after\": [\"library\"]",
        "stops[0].after: \"library\" comes later in the fixed order"
      ),
      ("\"level\": \"near\"", "\"level\": \"here\"", "stops[1].beacon.level: must be one of"),
      ("Built in 1932.", "Built in\\u0007 1932.", "stops[1].text: control character"),
      ("Main gate", "Main\\ngate", "stops[0].title: control character or line break"),
      ("\"Main gate\"", "\" \"", "stops[0].title: empty"),
      ("\"Main gate\"", "{\"fr\": \"Porte\"}", "stops[0].title.fr: not a language of the tour"),
      ("\"Main gate\"", "{}", "stops[0].title: no text in any language"),
      ("[\"en\", \"el\"]", "[\"en\", \"en\"]", "languages[1]: duplicate language en"),
      ("[\"en\", \"el\"]", "[\"en\", \"e l\"]", "languages[1]: invalid language"),
      ("[\"en\", \"el\"]", "[]", "languages: must have 1 to 20 elements, not 0"),
      ("2026-03-01", "2026-02-29", "from: invalid date"),
      ("2026-03-01", "2026-3-1", "from: invalid date"),
      ("2026-03-01", "2027-03-01", "until: earlier than \"from\""),
      ("\"passkey\": true", "\"passkey\": 1", "passkey: must be true or false"),
      ("media/library.jpg", "../library.jpg", "stops[1].media[0].path: path leaves"),
      ("\"kind\": \"image\"", "\"kind\": \"film\"", "stops[1].media[0].kind: must be one of"),
      (
        "\"number\": 1932", "\"number\": \"1932\"", "stops[1].questions[0].number: must be a number"
      ),
      ("\"number\": 1932, ", "", "stops[1].questions[0]: must have exactly one of"),
      (
        "\"points\": 10", "\"points\": -1",
        "stops[1].questions[0].points: must be a whole number from 0 to 1000"
      ),
      ("\"tries\": 3", "\"tries\": 0", "stops[1].questions[0].tries: must be a whole number"),
      ("\"id\": \"year\"", "\"id\": \"2\"", "stops[1].questions[1]: duplicate ID"),
      (
        "[\"Rodin\", \"Auguste Rodin\"]", "[\"?!\"]",
        "stops[1].questions[1].answers[0]: answer without letters or digits"
      ),
      (
        "{\"text\": \"A\", \"right\": true}, ", "",
        "stops[1].questions[2].choices: must have 2 to 20 elements, not 1"
      ),
      (
        "\"right\": true", "\"right\": \"yes\"",
        "stops[1].questions[2].choices[0].right: must be true or false"
      ),
      ("cupola.tour/1", "cupola.guide/1", "missing or wrong \"format\""),
      ("\"stops\": [", "\"stops\": 5, \"x\": [", "unknown member \"x\""),
    ])
  func faults(old: String, new: String, fault: String) throws {
    let problem = try #require(changed(old, new))
    #expect(problem.contains(fault), "\(problem)")
    #expect(!problem.contains("\n"))
  }

  @Test("Rejects media paths that could leave the folder")
  func paths() {
    let bad = [
      "", "/etc/passwd", "../a", "a/../b", "a/..", "a//b", "a/", "./a", "~/a", "a\\..\\b", "C:/a",
      "http://host/a", "data:x", "a/%2e%2e/b", "a?b", "a#b", ".hidden", "a/.git/b", "a.", "a ",
      "/\u{301}a", "a\\\u{301}b", String(repeating: "a", count: 256),
      String(repeating: "a/", count: 600) + "a",
    ]
    for path in bad { #expect(TourMedia.problem(ofPath: path) != nil, "\(path)") }
    for path in ["a", "media/a b.jpg", "ά/β.mp3", "a..b/c"] {
      #expect(TourMedia.problem(ofPath: path) == nil)
    }
  }

  @Test("Reports a newer format")
  func newer() {
    let text = TestTour.example.replacing("cupola.tour/1", with: "cupola.tour/2")
    #expect(throws: GuideError.newerFormat("cupola.tour/2")) {
      try Tour(json: Array(text.utf8), path: "")
    }
  }

  @Test("Reports stops that wait for each other")
  func cycles() throws {
    func tour(_ stops: [TourStop]) -> String {
      String(decoding: TestTour.tour(stops).json, as: UTF8.self)
    }
    let three = problem(
      tour([
        TestTour.stop("free", 0, 0), TestTour.stop("a", 0, 0, after: ["free", "b"]),
        TestTour.stop("b", 0, 0, after: ["c"]), TestTour.stop("c", 0, 0, after: ["a"]),
      ]))
    #expect(try #require(three).contains("a -> b -> c -> a"))
    // A cycle of a thousand stops must not cause deep recursion.
    let ring = problem(
      tour((0..<1000).map { TestTour.stop("s\($0)", 0, 0, after: ["s\(($0 + 1) % 1000)"]) }))
    #expect(try #require(ring).contains("s0 -> s1 -> "))
    #expect(try #require(ring).count < 300)
    // A graph that has many paths but no cycle is valid and can be checked quickly.
    let wide = problem(
      tour(
        (0..<200).map { number in
          TestTour.stop("s\(number)", 0, 0, after: (0..<number).map { "s\($0)" })
        }))
    #expect(wide == nil)
  }

  @Test("Rejects truncated files")
  func cut() {
    let bytes = Array(TestTour.example.utf8)
    for count in bytes.indices {
      #expect(throws: GuideError.self) { try Tour(json: Array(bytes[..<count]), path: "") }
    }
  }

  @Test("Changed files are rejected or round-trip")
  func mutations() throws {
    let bytes = Array(TestTour.example.utf8)
    let parts = [
      "[", "]", "{", "}", "null", "1e999", "-1", "\"\"", "[[", "9223372036854775807", "1e308",
    ]
    var random = SplitMix64(seed: 2)
    var read = 0
    let rounds = Verification.count(1000, of: 6000)
    for _ in 0..<rounds {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<changed.count, using: &random)
        let end = min(changed.count, place + Int.random(in: 0...6, using: &random))
        let part =
          Bool.random(using: &random)
          ? Array((parts.randomElement(using: &random) ?? "").utf8)
          : [UInt8.random(in: 0...255, using: &random)]
        changed.replaceSubrange(place..<end, with: part)
      }
      guard let tour = try? Tour(json: changed, path: "") else { continue }
      read += 1
      #expect(try Tour(json: tour.json, path: "") == tour)
    }
    #expect(read > rounds / 200)
  }

  @Test("Rejects deep nesting, too many stops and long texts quickly")
  func bounds() throws {
    let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
    #expect(try #require(changed("\"Built in 1932.\\nOpen every day.\"", deep)).contains("nested"))
    let objects =
      String(repeating: "{\"a\":", count: 10_000) + "1" + String(repeating: "}", count: 10_000)
    #expect(try #require(problem(objects)).contains("nested"))
    let many =
      "{\"format\":\"cupola.tour/1\",\"stops\":[\(String(repeating: "{},", count: 1_100_000)){}]}"
    #expect(try #require(problem(many)).contains("more than 1000000 values"))
    let long = String(repeating: "x", count: 50_001)
    #expect(
      try #require(changed("Built in 1932.", long)).contains("stops[1].text: longer than 50000"))
    let huge = [UInt8](repeating: 0x20, count: (16 << 20) + 1)
    #expect(
      throws: GuideError.badFile(
        path: "", problem: "larger than 16 MB; store media in separate files")
    ) {
      try Tour(json: huge, path: "")
    }
    let stops = (0..<1001).map { TestTour.stop("s\($0)", 0, 0) }
    let tour = String(decoding: TestTour.tour(stops).json, as: UTF8.self)
    #expect(try #require(problem(tour)).contains("stops: must have 1 to 1000 elements, not 1001"))
  }
}
