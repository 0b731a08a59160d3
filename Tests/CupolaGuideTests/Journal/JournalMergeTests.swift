import CupolaCampus
import CupolaSupport
import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaGuide
@testable import CupolaJournal

@Suite("Journal merges") struct JournalMergeTests {
  private struct Device {
    let name: String
    var state = JournalState()
    var number = 0
    var lines: [JournalOperation] = []

    /// Adds, changes or deletes an entry; the clock may be wrong.
    mutating func act(_ generator: inout SplitMix64, now: Double) {
      let known = state.entries
      var id = JournalID(checkedDevice: name, number: number + 1)
      var entry: JournalEntry? = JournalEntry(
        id: id, time: now, content: .note(JournalNote(text: "\(name) \(number)")))
      if let one = known.randomElement(using: &generator), Bool.random(using: &generator) {
        id = one.id
        entry = one
        entry?.content = .note(JournalNote(text: "changed by \(name) \(number)"))
        if Bool.random(using: &generator) { entry = nil }
      }
      number += 1
      guard let clock = state.clock.next(now: now) else { return }
      let stamp = JournalStamp(clock: clock, device: name, number: number)
      let line = JournalOperation(stamp: stamp, id: id, entry: entry)
      lines.append(line)
      state.apply(line)
    }

    mutating func take(_ other: Device) {
      for line in other.lines { state.apply(line) }
    }
  }

  @Test("Histories of five devices converge in any order")
  func histories() {
    var generator = SplitMix64(seed: 1)
    for _ in 0..<Verification.count(300, of: 10_000) {
      var devices = ["a", "b", "c", "d", "e"].map { Device(name: $0) }
      for step in 0..<12 {
        let number = Int.random(in: 0..<5, using: &generator)
        if Int.random(in: 0..<4, using: &generator) == 0 {
          let other = devices[Int.random(in: 0..<5, using: &generator)]
          devices[number].take(other)
        } else {
          let wrong = Double.random(in: -3...3, using: &generator)
          devices[number].act(&generator, now: 1000 + Double(step) + wrong)
        }
      }
      var states: [[JournalEntry]] = []
      for _ in 0..<6 {
        var merged = JournalState()
        for line in devices.flatMap(\.lines).shuffled(using: &generator) { merged.apply(line) }
        for line in devices.flatMap(\.lines).shuffled(using: &generator) { merged.apply(line) }
        states.append(merged.entries)
      }
      #expect(states.allSatisfy { $0 == states[0] })
      // The reference: for each entry, the line with the latest stamp wins.
      var last: [JournalID: JournalOperation] = [:]
      for line in devices.flatMap(\.lines)
      where last[line.id].map({ $0.stamp < line.stamp }) ?? true {
        last[line.id] = line
      }
      #expect(Set(states[0].map(\.id)) == Set(last.values.compactMap(\.entry?.id)))
    }
  }

  @Test("Any merge order of five folders gives the same entries")
  func folders() throws {
    let folder = try TemporaryFolder()
    var generator = SplitMix64(seed: 7)
    let names = ["a", "b", "c", "d", "e"]
    for name in names {
      var journal = try Journal(at: folder.path(name), device: name)
      for number in 0..<4 {
        try journal.append(.note(JournalNote(text: "\(name) \(number)")), at: Double(number))
      }
      if let before = names.firstIndex(of: name).flatMap({ $0 > 0 ? names[$0 - 1] : nil }) {
        _ = try journal.merge(from: folder.path(before))
        let entries = journal.entries.shuffled(using: &generator)
        try journal.delete(entries[0].id)
        var entry = entries[1]
        entry.content = .favorite
        try journal.replace(entry)
      }
    }
    var all: Set<[String]> = []
    let orders = Self.orders(names)
    for number in stride(from: 0, to: orders.count, by: Verification.count(7, of: 1)) {
      let order = orders[number]
      var journal = try Journal(at: folder.path("all" + order.joined()), device: "z")
      for name in order { _ = try journal.merge(from: folder.path(name)) }
      let again = try journal.merge(from: folder.path(order[2]))
      #expect(again.lines == 0 && again.entries == 0)
      let opened = try Journal(at: folder.path("all" + order.joined()), device: "z")
      #expect(opened.entries == journal.entries && opened.findings.isEmpty)
      all.insert(opened.entries.map { "\($0)" })
    }
    #expect(all.count == 1)
  }

  private static func orders(_ names: [String]) -> [[String]] {
    guard !names.isEmpty else { return [[]] }
    return names.flatMap { name in orders(names.filter { $0 != name }).map { [name] + $0 } }
  }

  @Test("Two merged devices agree; a deleted entry stays deleted")
  func agreement() throws {
    let folder = try TemporaryFolder()
    var phone = try Journal(at: folder.path("phone"), device: "phone")
    var tablet = try Journal(at: folder.path("tablet"), device: "tablet")
    let photo = try phone.add(media: [0xFF, 0xD8, 0xFF, 5], fileExtension: "jpg")
    var entry = try phone.append(.note(JournalNote(text: "a", photos: [photo])), at: 1)
    let merge = try tablet.merge(from: phone.path)
    #expect(merge == JournalMerge(lines: 1, entries: 1, media: 1))
    #expect(try tablet.bytes(of: photo).count == 4)
    try tablet.delete(entry.id)
    _ = try phone.merge(from: tablet.path)
    #expect(phone.count == 0)
    entry.content = .favorite
    #expect(throws: GuideError.self) { try phone.replace(entry) }
    _ = try tablet.merge(from: phone.path)
    #expect(tablet.entries == phone.entries)
  }

  @Test("No byte of deleted content remains on merged devices, and no old copy restores it")
  func deletedContent() throws {
    let folder = try TemporaryFolder()
    func expectGone(_ names: String..., location: SourceLocation = #_sourceLocation) throws {
      let secrets = ["secret", "ada@", "hidden"].map { Data($0.utf8) }
      for (name, bytes) in try folder.contents() where names.contains(where: name.hasPrefix) {
        #expect(!name.contains(".jpg"), "\(name)", sourceLocation: location)
        for secret in secrets {
          #expect(bytes.range(of: secret) == nil, "\(name)", sourceLocation: location)
        }
      }
    }
    var phone = try Journal(at: folder.path("phone"), device: "phone")
    let photo = try phone.add(media: [0xFF, 0xD8, 0xFF, 5], fileExtension: "jpg")
    var note = try phone.append(
      .note(JournalNote(title: "hidden", text: "secret", photos: [photo])), at: 1)
    let question = try phone.append(
      .question(JournalQuestion(text: "secret?", email: "ada@b.example")), at: 2)
    let kept = try phone.append(.note(JournalNote(text: "kept")), at: 3)
    var tablet = try Journal(at: folder.path("tablet"), device: "tablet")
    _ = try tablet.merge(from: phone.path)
    note.content = .note(JournalNote(text: "secret, changed", photos: [photo]))
    try tablet.replace(note)
    _ = try phone.merge(from: tablet.path)
    var old = try Journal(at: folder.path("old"), device: "old")
    _ = try old.merge(from: phone.path)

    try phone.delete(note.id)
    try phone.delete(question.id)
    try expectGone("phone/")
    _ = try tablet.merge(from: phone.path)
    try expectGone("phone/", "tablet/")
    // A copy from before the deletion restores nothing, in any order of devices.
    for device in ["a", "z"] {
      var new = try Journal(at: folder.path("new-" + device), device: device)
      _ = try new.merge(from: tablet.path)
      _ = try new.merge(from: old.path)
      #expect(new.entries == [kept])
    }
    let again = try phone.merge(from: old.path)
    #expect(again.lines == 0 && again.entries == 0 && again.media == 0)
    try expectGone("phone/", "tablet/", "new-")
    _ = try old.merge(from: tablet.path)
    try expectGone("old/")
    for name in ["phone", "tablet", "old"] {
      let opened = try Journal(at: folder.path(name), device: name)
      #expect(opened.entries == [kept] && opened.findings.isEmpty)
    }
  }

  @Test("Media that another entry uses, and later changes, survive a deletion")
  func keptContent() throws {
    let folder = try TemporaryFolder()
    var phone = try Journal(at: folder.path("phone"), device: "phone")
    let photo = try phone.add(media: [0xFF, 0xD8, 0xFF, 5], fileExtension: "jpg")
    let note = try phone.append(.note(JournalNote(text: "alpha", photos: [photo])), at: 1)
    let other = try phone.append(.note(JournalNote(text: "two", photos: [photo])), at: 2)
    var tablet = try Journal(at: folder.path("tablet"), device: "tablet")
    _ = try tablet.merge(from: phone.path)
    try phone.delete(note.id)
    #expect(try phone.bytes(of: photo).count == 4)
    #expect(phone.entries == [other])
    // The tablet changes the note later, without knowing about its deletion.
    var changed = note
    changed.content = .note(JournalNote(text: "three"))
    try tablet.replace(changed)
    _ = try phone.merge(from: tablet.path)
    _ = try tablet.merge(from: phone.path)
    #expect(phone.entries == [changed, other] && tablet.entries == phone.entries)
    for bytes in try folder.contents().values {
      #expect(bytes.range(of: Data("alpha".utf8)) == nil)
    }
  }

  @Test("Compacting removes content deleted by earlier versions, and keeps invalid lines")
  func compact() throws {
    let folder = try TemporaryFolder()
    let header = #"{"device":"phone","format":"cupola.journal/1"}"# + "\n"
    func set(_ op: Int, _ id: String) -> String {
      #"{"kind":"note","ms":\#(op),"op":\#(op),"set":"\#(id)","text":"secret","tick":0,"time":1}"#
        + "\n"
    }
    let rest = #"{"kind":"later","op":3}"# + "\n"
    try folder.write(
      header + set(1, "phone-1") + rest + set(4, "phone-4"), to: "j/device-phone.jsonl")
    try folder.write(
      header.replacing("phone", with: "tablet") + #"{"delete":"phone-1","ms":9,"op":1,"tick":0}"#,
      to: "j/device-tablet.jsonl")
    var journal = try Journal(at: folder.path("j"), device: "phone")
    #expect(try journal.compact() == 1)
    let blank = #"{"delete":"phone-1","ms":1,"op":1,"tick":0}"# + "\n"
    #expect(
      try folder.bytes("j/device-phone.jsonl")
        == Array((header + blank + rest + set(4, "phone-4")).utf8))
    #expect(try journal.compact() == 0)
    #expect(journal.count == 1)
    #expect(try journal.append(.favorite, at: 5).id.number == 5)
    #expect(try Journal(at: folder.path("j"), device: "phone").count == 2)
  }

  @Test("Importing an old export neither restores nor reverts entries")
  func oldExport() throws {
    let folder = try TemporaryFolder()
    var phone = try Journal(at: folder.path("phone"), device: "phone")
    let deleted = try phone.append(.favorite, at: 1)
    var changed = try phone.append(.note(JournalNote(text: "a")), at: 2)
    let kept = try phone.append(.note(JournalNote(text: "b")), at: 3)
    let export = JournalGeoJSON.bytes(of: phone.entries)
    try phone.delete(deleted.id)
    changed.confirmedLabel = "gate"
    try phone.replace(changed)
    var tablet = try Journal(at: folder.path("tablet"), device: "tablet")
    #expect(try tablet.importGeoJSON(export).entries == 3)
    #expect(try Journal(at: folder.path("tablet"), device: "tablet").count == 3)
    _ = try phone.merge(from: tablet.path)
    _ = try tablet.merge(from: phone.path)
    #expect(phone.entries == [changed, kept] && tablet.entries == phone.entries)
    var own = kept
    own.content = .note(JournalNote(text: "c"))
    try tablet.replace(own)
    _ = try phone.merge(from: tablet.path)
    #expect(phone.entries == [changed, own] && tablet.entries == phone.entries)
    var again = try Journal(at: folder.path("again"), device: "phone")
    _ = try again.importGeoJSON(export)
    _ = try again.merge(from: tablet.path)
    #expect(again.entries == phone.entries)
  }

  @Test("A device that lost its file recovers it and reuses no number")
  func recoversLostFile() throws {
    let folder = try TemporaryFolder()
    var phone = try Journal(at: folder.path("phone"), device: "phone")
    for number in 0..<5 { try phone.append(.favorite, at: Double(number)) }
    var tablet = try Journal(at: folder.path("tablet"), device: "tablet")
    _ = try tablet.merge(from: phone.path)
    var empty = try Journal(at: folder.path("new"), device: "phone")
    try empty.append(.note(JournalNote(text: "before it knew")), at: 9)
    _ = try empty.merge(from: tablet.path)
    #expect(try empty.append(.favorite, at: 10).id.number == 6)
    // Two lines of a device have the same number; both devices keep the same one of them.
    _ = try tablet.merge(from: empty.path)
    _ = try phone.merge(from: empty.path)
    #expect(tablet.entries == phone.entries && phone.entries == empty.entries)
  }

  @Test("Rejects lines with extreme clocks or numbers and other files")
  func extremeLines() throws {
    let folder = try TemporaryFolder()
    func line(_ op: Int, _ ms: Int, _ tick: Int) -> String {
      #"{"kind":"favorite","ms":\#(ms),"op":\#(op),"set":"evil-\#(op)","tick":\#(tick),"time":1}"#
        + "\n"
    }
    let header = #"{"device":"evil","format":"cupola.journal/1"}"# + "\n"
    try folder.write(
      header + line(1, 1000, 0) + line(2, 1 << 45, 0) + line(1 << 45, 1000, 0)
        + line(3, 1000, 1 << 45) + line(4, 1000, 1), to: "evil/device-evil.jsonl")
    try folder.write(
      "{\"device\":\"other\",\"format\":\"cupola.journal/1\"}\n", to: "evil/device-x.jsonl")
    try folder.write([0, 1, 2, 0x0A, 0xFF, 0x0A], to: "evil/device-y.jsonl")
    try folder.write("{}", to: "evil/device-../../z.jsonl")
    var journal = try Journal(at: folder.path("j"), device: "phone")
    let merge = try journal.merge(from: folder.path("evil"), now: 2_000_000_000)
    #expect(merge.lines == 2 && journal.count == 2)
    #expect(merge.findings.count == 3)
    try journal.append(.favorite, at: 1)
    #expect(throws: GuideError.self) { try journal.merge(from: folder.path("nothing")) }
    #expect(try Journal(at: folder.path("j"), device: "phone").entries == journal.entries)
  }
}
