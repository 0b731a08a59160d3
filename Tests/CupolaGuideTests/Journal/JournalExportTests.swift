import CupolaSupport
import Cupola
import CupolaCampus
import CupolaTestSupport
import Testing
@testable import CupolaGuide
@testable import CupolaJournal

@Suite("Journal exports") struct JournalExportTests {
  private static let photo = JournalMedia(checkedName: String(repeating: "ab", count: 32) + ".jpg")

  private static func entry(
    _ number: Int, _ time: Double, _ content: JournalContent, at position: Position? = nil,
    building: String? = nil, confirmed: String? = nil
  ) -> JournalEntry {
    JournalEntry(
      id: JournalID(checkedDevice: "phone", number: number), time: time, position: position,
      building: building, confirmedLabel: confirmed, content: content)
  }

  static func entries() throws -> [JournalEntry] {
    let here = try #require(Position(latitude: 48.3, longitude: 10.8975, horizontalError: 4))
    return [
      entry(
        1, 1_795_444_200,
        .seen(JournalSighting(label: "old_library", confidence: 0.937, photo: photo)),
        at: here, building: "old_library"),
      entry(
        2, 1_795_447_805.25,
        .note(
          JournalNote(
            title: "The *stairs*", text: "# Worn\n  1. round\n\n<b>in</b> the middle", rating: 4,
            photos: [photo])), at: here),
      entry(
        3, 1_795_530_600, .question(JournalQuestion(text: "Open on Sunday?", email: "a@b.example"))),
      entry(4, 1_795_530_700, .favorite, building: "gate"),
    ]
  }

  private static let names = JournalNames(timeZone: "Europe/Berlin") {
    ["old_library": "Old Library"][$0]
  }

  @Test("Markdown export escapes user text")
  func markdown() throws {
    let text = JournalMarkdown.text(of: try Self.entries(), title: "My & campus", names: Self.names)
    let path = "media/ab/\(Self.photo.name)"
    #expect(
      text == """
        # My \\& campus

        ## 2026-11-23

        ### 15:30 Old Library

        *seen, 93% sure; 48.30000, 10.89750*

        ![photo](\(path))

        ### 16:30 The \\*stairs\\*

        *note; ★★★★☆; 48.30000, 10.89750*

        \\# Worn\\
        1\\. round

        \\<b\\>in\\</b\\> the middle

        ![photo](\(path))

        ## 2026-11-24

        ### 15:30 Question

        *question; answer to a@b.example*

        Open on Sunday?

        ### 15:31 gate

        *favorite*

        """)
  }

  @Test("HTML export escapes user text")
  func page() throws {
    var entries = try Self.entries()
    let evil = "<script>alert(1)</script>\" onload=\"x' \u{202E}\u{0}]]>--><!--"
    entries.append(
      Self.entry(5, 1_795_530_800, .note(JournalNote(title: evil, text: evil)), building: evil))
    entries[4].place = evil
    let html = JournalPage.html(
      of: entries, title: evil, names: JournalNames(timeZone: evil) { _ in evil }, map: nil)
    #expect(!html.contains("<script") && !html.contains("\u{202E}") && !html.contains("\u{0}"))
    #expect(!html.contains("\" onload") && !html.contains("<!--"))
    #expect(html.contains("&lt;script&gt;alert(1)"))
    #expect(html.contains("# Worn\n  1. round\n\n&lt;b&gt;"))
    #expect(html.contains("id=\"phone-3\"") && html.contains("media/ab/"))
    #expect(html.contains("default-src 'none'"))
    #expect(html.ranges(of: "class=\"pin\">1<").count == 2)
    #expect(!html.contains("class=\"pin\">2<"))
    let empty = JournalPage.html(of: [], title: "Empty", names: JournalNames(), map: nil)
    #expect(empty.contains("No entries yet."))
  }

  @Test("GeoJSON round-trips without loss or duplicates")
  func geoJSON() throws {
    var generator = SplitMix64(seed: 5)
    let folder = try TemporaryFolder()
    var entries: [JournalID: JournalEntry] = [:]
    for _ in 0..<500 {
      guard let entry = try JournalLineTests.operation(&generator).entry else { continue }
      entries[entry.id] = entry
    }
    let sorted = entries.values.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
    let bytes = JournalGeoJSON.bytes(of: sorted)
    var journal = try Journal(at: folder.path("j"), device: "laptop")
    let first = try journal.importGeoJSON(bytes)
    #expect(first == JournalImport(entries: sorted.count))
    #expect(journal.entries == sorted)
    #expect(JournalGeoJSON.bytes(of: journal.entries) == bytes)
    #expect(try journal.importGeoJSON(bytes) == JournalImport(known: sorted.count))
    try journal.delete(sorted[0].id)
    #expect(try journal.importGeoJSON(bytes).known == sorted.count)
    #expect(try Journal(at: folder.path("j"), device: "laptop").count == sorted.count - 1)
  }

  @Test("Imported entries of this device reserve their numbers")
  func numbers() throws {
    let folder = try TemporaryFolder()
    let bytes = JournalGeoJSON.bytes(of: try Self.entries())
    var journal = try Journal(at: folder.path("j"), device: "phone")
    _ = try journal.importGeoJSON(bytes)
    #expect(try journal.append(.favorite, at: 1).id.number == 5)
    var again = try Journal(at: folder.path("j"), device: "phone")
    #expect(try again.append(.favorite, at: 1).id.number == 6)
    #expect(again.count == 6)
  }

  @Test("Imports points of other programs as notes and reports invalid ones")
  func foreignFeatures() throws {
    let folder = try TemporaryFolder()
    let text = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","geometry":{"type":"Point","coordinates":[10.9,48.3,200]},
       "properties":{"name":"Oak","description":"Old","time":"2026-11-23T15:30:00.5+01:00"}},
      {"type":"Feature","id":7,"geometry":null,"properties":{"name":9,"photos":["../../x.jpg",1]}},
      {"type":"Feature","id":7,"geometry":null,"properties":{"name":9,"photos":["../../x.jpg",1]}},
      {"type":"Feature","geometry":null,"properties":{"name":"ms","timestamp":1795444200500}},
      {"type":"Feature","geometry":{"type":"LineString","coordinates":[[0,0],[1,1]]},"properties":{}},
      {"type":"Feature","geometry":{"type":"Point","coordinates":[10.9,98.3]},"properties":null},
      {"type":"Feature","geometry":null,"properties":{"name":[],"kind":"note"}},
      {"type":"Feature","geometry":null,"properties":{"kind":"seen","label":"x","confidence":2}},
      {"type":"Feature","geometry":null,"properties":{"kind":"question"}}, 8]}
      """
    var journal = try Journal(at: folder.path("j"), device: "laptop")
    let result = try journal.importGeoJSON(Array(text.utf8), now: 5)
    #expect(result.entries == 4)
    #expect(
      result.findings.map(\.message) == [
        "rejected 6 features; feature 5: geometry must be a Point with valid coordinates"
      ])
    let notes = journal.entries
    #expect(notes.map(\.time) == [5, 5, 1_795_444_200.5, 1_795_444_200.5])
    #expect(notes[..<2].map(\.id.number) == [1, 2])
    #expect(Set(notes[2...].map(\.title)) == ["Oak", "ms"])
    let oak = try #require(notes.first { $0.title == "Oak" })
    #expect(oak.content == .note(JournalNote(title: "Oak", text: "Old")))
    #expect(notes[0].content == .note(JournalNote(title: "9")))
    #expect(try journal.importGeoJSON(Array(text.utf8), now: 9).known == 4)
    for text in [
      "", "[]", "{}", #"{"type":"FeatureCollection"}"#, String(repeating: "[", count: 100_000),
      #"{"type":"FeatureCollection","format":"cupola.journal.export/9","features":[]}"#,
    ] {
      #expect(throws: GuideError.self) { try journal.importGeoJSON(Array(text.utf8)) }
    }
  }

  @Test("Imports points with equal identifiers from two files")
  func equalIdentifiers() throws {
    let folder = try TemporaryFolder()
    var journal = try Journal(at: folder.path("j"), device: "laptop")
    for name in ["Oak", "Elm"] {
      let text =
        #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"point-1","#
        + #""geometry":null,"properties":{"name":"\#(name)"}}]}"#
      #expect(try journal.importGeoJSON(Array(text.utf8), now: 5) == JournalImport(entries: 1))
      #expect(try journal.importGeoJSON(Array(text.utf8), now: 6) == JournalImport(known: 1))
    }
    #expect(Set(journal.entries.map(\.title)) == ["Oak", "Elm"])
  }

  @Test(
    "A time without a zone is local time",
    arguments: [
      ("2026-11-23 15:30", "T15:30", 0.0), ("2026-11-23T15:30:05", "T15:30", 5),
      ("2026-11-23", "T00:00", 0),
    ])
  func localTimes(text: String, clock: String, seconds: Double) throws {
    let folder = try TemporaryFolder()
    var journal = try Journal(at: folder.path("j"), device: "laptop")
    let file =
      #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null,"#
      + #""properties":{"name":"Oak","time":"\#(text)"}}]}"#
    _ = try journal.importGeoJSON(Array(file.utf8), now: 5)
    let here = LocalTime("2026-11-23" + clock)?.secondsSince1970(timeZone: LocalTime.deviceTimeZone)
    #expect(try journal.entries.first?.time == #require(here) + seconds)
  }

  @Test("Ignores placeholder values of other programs")
  func placeholders() throws {
    let folder = try TemporaryFolder()
    var journal = try Journal(at: folder.path("j"), device: "laptop")
    let text =
      #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","#
      + #""coordinates":[10.9,48.3]},"properties":{"name":"Oak","accuracy":-1,"building":"","#
      + #""place":""}}]}"#
    #expect(try journal.importGeoJSON(Array(text.utf8)) == JournalImport(entries: 1))
    let oak = try #require(journal.entries.first)
    #expect(oak.position == Position(latitude: 48.3, longitude: 10.9))
    #expect(oak.title == "Oak" && oak.building == nil && oak.place == nil)
  }

  @Test("Moments are written and parsed as RFC 3339")
  func moments() throws {
    #expect(JournalMoment.text(0) == "1970-01-01T00:00:00Z")
    #expect(JournalMoment.text(1_795_447_805.25) == "2026-11-23T15:30:05.250Z")
    #expect(JournalMoment.text(253_402_300_799) == "9999-12-31T23:59:59Z")
    var generator = SplitMix64(seed: 6)
    for _ in 0..<300 {
      let seconds = Double(Int.random(in: 0...4_000_000_000_000, using: &generator)) / 1000
      let read = try #require(JournalMoment.seconds(JournalMoment.text(seconds)))
      #expect(abs(read - seconds) < 0.0011)
    }
    #expect(JournalMoment.seconds("2026-11-23T15:30:05-01:30") == 1_795_453_205)
    #expect(JournalMoment.seconds("2026-11-23 15:30:60z") == 1_795_447_859)
    for text in [
      "", "2026-11-23", "2026-11-23T15:30:05", "2026-13-23T15:30:05Z", "2026-11-23T24:00:00Z",
      "2026-11-23T15:30:05.Z", "2026-11-23T15:30:05+1:00", "２026-11-23T15:30:05Z",
      "2026-11-23T15:30:05Zx", "-026-11-23T15:30:05Z",
    ] {
      #expect(JournalMoment.seconds(text) == nil, "\(text)")
    }
  }

  @Test("Exports unusual entries and omits invalid numbers")
  func unusualEntries() throws {
    let numbers: [Double] = [.nan, .infinity, -.infinity, 1e308, -1e308]
    var entries = numbers.flatMap { number in
      [
        Self.entry(1, number, .question(JournalQuestion(text: "When?"))),
        Self.entry(
          2, 1_795_444_200, .seen(JournalSighting(label: "old_library", confidence: number))),
      ]
    }
    for rating in [6, -1, .max, .min] {
      entries.append(Self.entry(3, 1_795_444_200, .note(JournalNote(title: "N", rating: rating))))
    }
    let text = JournalMarkdown.text(of: entries, title: "Odd")
    #expect(text.contains("seen, 0% sure") && text.contains("★★★★★") && text.contains("☆☆☆☆☆"))
    let html = JournalPage.html(of: entries, title: "Odd", names: JournalNames(), map: nil)
    #expect(html.contains("★★★★★"))
    let bytes = JournalGeoJSON.bytes(of: entries)
    let json = String(decoding: bytes, as: UTF8.self)
    #expect(json.contains("\"time\":\"9999-12-31T23:59:59Z\"") && !json.contains("nan"))
    #expect(!JournalQuestions.bytes(of: entries).isEmpty)
    #expect(JournalMoment.text(.nan) == "1970-01-01T00:00:00Z")
  }

  @Test("Exports questions as JSON")
  func questions() throws {
    let bytes = JournalQuestions.bytes(of: try Self.entries())
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        {"questions":[{"email":"a@b.example","id":"phone-3","text":"Open on Sunday?",\
        "time":"2026-11-24T14:30:00Z"}],"schema":"cupola.questions/1"}

        """)
  }

  @Test("Uses only photos with one confirmed label for training")
  func training() throws {
    func media(_ digit: String) -> JournalMedia {
      JournalMedia(checkedName: String(repeating: digit, count: 64) + ".jpg")
    }
    func note(_ number: Int, _ photos: [JournalMedia], _ label: String?) -> JournalEntry {
      Self.entry(number, Double(number), .note(JournalNote(photos: photos)), confirmed: label)
    }
    let choice = JournalTraining.choice(of: [
      note(1, [media("1"), media("2")], "gate"), note(2, [media("2"), media("3")], nil),
      note(3, [media("4")], "gate"), note(4, [media("4")], "hall"), note(5, [media("1")], "gate"),
    ])
    #expect(choice.photos.map(\.media) == [media("1"), media("2")])
    #expect(choice.photos.allSatisfy { $0.label == "gate" })
    #expect((choice.unconfirmed, choice.contradicted) == (1, 1))
  }
}

@Suite("Journal entries from GeoJSON features") struct JournalFeatureTests {
  @Test("Uses a date only if no other member has a time")
  func daysAndTimes() throws {
    let folder = try TemporaryFolder()
    var journal = try Journal(at: folder.path("j"), device: "laptop")
    let file =
      #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null,"properties":"#
      + #"{"name":"Oak","date":"2026-11-23","datetime":"2026-11-23T15:30:05Z"}},{"type":"Feature","#
      + #""geometry":null,"properties":{"name":"Hall","date":"1892-05-01"}}]}"#
    _ = try journal.importGeoJSON(Array(file.utf8), now: 5)
    #expect(journal.entries.map(\.time) == [5, 1_795_447_805])
  }
}
