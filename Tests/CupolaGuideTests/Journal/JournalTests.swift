import CupolaSupport
import CupolaCampus
import CupolaTestSupport
import Testing
@testable import CupolaGuide
@testable import CupolaJournal

@Suite("Journals") struct JournalTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ name: String = "j", device: String = "phone") throws -> Journal {
    try Journal(at: folder.path(name), device: device)
  }

  @Test("Keeps entries of all kinds after reopening")
  func storesEntries() throws {
    var journal = try open()
    #expect(journal.entries.isEmpty && journal.findings.isEmpty)
    let photo = try journal.add(media: [0xFF, 0xD8, 0xFF, 1], fileExtension: "JPG")
    let contents: [JournalContent] = [
      .favorite, .seen(JournalSighting(label: "old_library", confidence: 0.93, photo: photo)),
      .note(
        JournalNote(title: "Ä \"quoted\"\n", text: "line\u{2028}two", rating: 5, photos: [photo])),
      .question(JournalQuestion(text: "When does it open?", email: "ada@example.org")),
    ]
    let position = Position(latitude: 48.3, longitude: 10.9, horizontalError: 4)
    for (number, content) in contents.enumerated() {
      try journal.append(
        content, at: 1000 - Double(number), position: number == 1 ? position : nil,
        building: "old_library", place: "the stairs", confirmedLabel: number == 2 ? "x" : nil)
    }
    let again = try open()
    #expect(again.entries == journal.entries && again.findings.isEmpty)
    #expect(again.entries.map(\.content) == contents.reversed())
    #expect(again.entries.map(\.id.description) == ["phone-4", "phone-3", "phone-2", "phone-1"])
    #expect(try again.bytes(of: photo) == [0xFF, 0xD8, 0xFF, 1])
  }

  @Test("Replaces and deletes existing entries only")
  func changes() throws {
    var journal = try open()
    var entry = try journal.append(.note(JournalNote(text: "a")), at: 1)
    let other = try journal.append(.favorite, at: 2, building: "x")
    entry.content = .note(JournalNote(text: "b", rating: 3))
    try journal.replace(entry)
    try journal.delete(other.id)
    #expect(try open().entries == [entry])
    #expect(throws: GuideError.self) { try journal.delete(other.id) }
    #expect(throws: GuideError.self) { try journal.replace(other) }
    #expect(try journal.append(.favorite, at: 3).id.number == 5)
  }

  @Test("Files have mode 0600 and folders 0700")
  func modes() throws {
    var journal = try open()
    let photo = try journal.add(media: [0xFF, 0xD8, 0xFF], fileExtension: "jpg")
    try journal.append(.favorite, at: 1)
    for (path, mode) in [
      ("j", 0o700), ("j/device-phone.jsonl", 0o600), ("j/media", 0o700), ("j/" + photo.path, 0o600),
    ] {
      #expect(try folder.mode(path) == mode, "\(path)")
    }
  }

  @Test("Rejects invalid entries, times and device names")
  func refuses() throws {
    var journal = try open()
    let long = String(repeating: "x", count: 100_001)
    let none: [JournalContent] = [
      .note(JournalNote(rating: 6)), .note(JournalNote(text: long)),
      .question(JournalQuestion(text: "")),
      .question(JournalQuestion(text: "a", email: "no address")),
      .seen(JournalSighting(label: "a", confidence: .nan)),
      .seen(JournalSighting(label: "", confidence: 1)),
    ]
    for content in none {
      #expect(throws: GuideError.self) { try journal.append(content, at: 1) }
    }
    for time in [-1, .nan, .infinity, 1e300] {
      #expect(throws: GuideError.self) { try journal.append(.favorite, at: time) }
    }
    for device in ["", "A", "a b", "-a", "../x", String(repeating: "a", count: 65)] {
      #expect(throws: GuideError.self) { try open(device: device) }
    }
    #expect(throws: GuideError.self) { try Journal(at: folder.path, device: "a b") }
    #expect(journal.entries.isEmpty)
    try journal.append(.favorite, at: 1)
    #expect(try open().count == 1)
  }

  @Test("A truncated file keeps its complete lines and can be extended")
  func cut() throws {
    var journal = try open()
    for number in 1...3 {
      try journal.append(.note(JournalNote(text: "note \(number)")), at: Double(number))
    }
    let whole = try folder.bytes("j/device-phone.jsonl")
    let ends = whole.indices.filter { whole[$0] == 0x0A }
    for length in 0...whole.count {
      try folder.write(Array(whole.prefix(length)), to: "j/device-phone.jsonl")
      let kept = ends.dropFirst().count { $0 <= length }
      var cut = try open()
      #expect(cut.count == kept, "\(length)")
      let isClean = length == 0 || ends.contains { $0 == length || $0 + 1 == length }
      #expect(cut.findings.isEmpty == isClean, "\(length)")
      try cut.append(.favorite, at: 9)
      let again = try open()
      #expect(again.count == kept + 1 && again.entries == cut.entries, "\(length)")
    }
  }

  @Test("Two concurrent writers see each other's entries")
  func concurrentWriters() throws {
    var first = try open()
    var second = try open()
    for number in 0..<10 {
      try first.append(.favorite, at: Double(number))
      try second.append(.favorite, at: Double(number))
    }
    try first.append(.favorite, at: 99)
    #expect(first.count == 21)
    #expect(Set(try open().entries.map(\.id.number)) == Set(1...21))
  }

  @Test("Reports unreadable lines and keeps files of a newer format")
  func damaged() throws {
    var journal = try open()
    for number in 1...3 { try journal.append(.favorite, at: Double(number)) }
    var lines = try folder.bytes("j/device-phone.jsonl").split(separator: 0x0A).map { Array($0) }
    lines[2] = Array("garbage \0 \"".utf8)
    try folder.write(Array(lines.joined(separator: [0x0A])) + [0x0A], to: "j/device-phone.jsonl")
    let damaged = try open()
    #expect(damaged.count == 2)
    #expect(
      damaged.findings.map(\.message) == [
        "device-phone.jsonl: skipped 1 invalid line; line 3: column 1: expected a value, found g"
      ])
    try folder.write(
      "{\"device\":\"phone\",\"format\":\"cupola.journal/2\"}\n", to: "j/device-phone.jsonl")
    var newer = try open()
    #expect(newer.findings.count == 1 && newer.entries.isEmpty)
    let before = try folder.bytes("j/device-phone.jsonl")
    #expect(throws: GuideError.self) { try newer.append(.favorite, at: 1) }
    #expect(try folder.bytes("j/device-phone.jsonl") == before)
  }

  @Test("Stores media once and rejects files of other types")
  func media() throws {
    var journal = try open()
    let photo = try journal.add(media: [0xFF, 0xD8, 0xFF, 9], fileExtension: "jpg")
    #expect(try journal.add(media: [0xFF, 0xD8, 0xFF, 9], fileExtension: "jpg") == photo)
    for (bytes, ending) in [([1, 2, 3], "jpg"), ([0xFF, 0xD8, 0xFF], "png"), ([0x3C], "html")] {
      #expect(throws: GuideError.self) {
        try journal.add(media: bytes.map { UInt8($0) }, fileExtension: ending)
      }
    }
    try journal.append(.note(JournalNote(photos: [photo])), at: 1)
    #expect(journal.checkMedia().isEmpty)
    try folder.write([1], to: "j/" + photo.path)
    #expect(journal.checkMedia() == [.wrongMedia(photo, of: journal.entries[0].id)])
    #expect(throws: GuideError.self) { try journal.bytes(of: photo) }
    #expect(try journal.prune() == 0)
    try journal.delete(journal.entries[0].id)
    #expect(try journal.prune() == 0)
    #expect(try folder.contents().keys.filter { $0.contains("media") }.isEmpty)
  }
}

@Suite("Journal search") struct JournalQueryTests {
  private let folder: TemporaryFolder
  private let journal: Journal

  init() throws {
    folder = try TemporaryFolder()
    var journal = try Journal(at: folder.path("j"), device: "phone")
    let near = Position(latitude: 48.3, longitude: 10.9)
    let far = Position(latitude: 48.31, longitude: 10.9)
    try journal.append(.favorite, at: 1, position: near, building: "gate", place: "Café Müller")
    try journal.append(
      .note(JournalNote(title: "Stairs", text: "worn round", rating: 4)), at: 2, position: far)
    try journal.append(
      .seen(JournalSighting(label: "gate", confidence: 0.8)), at: 3, confirmedLabel: "hall")
    try journal.append(.question(JournalQuestion(text: "Open?", email: "ada@b.example")), at: 4)
    self.journal = journal
  }

  private func found(_ change: (inout JournalQuery) -> Void) -> [Int] {
    var query = JournalQuery()
    change(&query)
    return journal.entries(matching: query).map(\.id.number)
  }

  @Test("Finds word prefixes, ignoring case and accents")
  func words() {
    #expect(found { $0.text = "CAFE mull" } == [1])
    #expect(found { $0.text = "worn sta" } == [2])
    #expect(found { $0.text = "worn gate" }.isEmpty)
    #expect(found { $0.text = "ada" } == [4])
    #expect(found { $0.text = " ?! " } == [1, 2, 3, 4])
  }

  @Test("Filters by kind, building, time, place and rating")
  func members() throws {
    #expect(found { $0.kinds = [.note, .question] } == [2, 4])
    #expect(found { $0.building = "gate" } == [1])
    // The confirmed label takes precedence over the recognized one.
    #expect(found { $0.building = "hall" } == [3])
    #expect(found { $0.since = 2 } == [2, 3, 4] && found { $0.until = 2 } == [1])
    #expect(found { $0.leastRating = 4 } == [2] && found { $0.leastRating = 5 }.isEmpty)
    let middle = try #require(Position(latitude: 48.3003, longitude: 10.9))
    #expect(found { $0.near = JournalQuery.Circle(middle, radius: 50) } == [1])
    #expect(found { $0.near = JournalQuery.Circle(middle, radius: 5000) } == [1, 2])
    #expect(found { $0.near = JournalQuery.Circle(middle, radius: .nan) }.isEmpty)
    #expect(
      found {
        $0.kinds = [.favorite]
        $0.near = JournalQuery.Circle(middle, radius: 5000)
        $0.text = "café"
      } == [1])
  }
}
