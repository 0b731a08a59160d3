import CupolaSupport
import CupolaCampus
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaGuide
@testable import CupolaJournal

@Suite("Journals changed or damaged by others") struct JournalDamageTests {
  private let folder: TemporaryFolder
  private let photo: [UInt8] = [0xFF, 0xD8, 0xFF, 7]

  init() throws { folder = try TemporaryFolder() }

  private func open(_ name: String = "j", device: String = "phone") throws -> Journal {
    try Journal(at: folder.path(name), device: device)
  }

  private func tablet() throws -> Journal {
    var tablet = try open("tablet", device: "tablet")
    let media = try tablet.add(media: photo, fileExtension: "jpg")
    try tablet.append(.note(JournalNote(text: "a", photos: [media])), at: 1)
    return tablet
  }

  @Test("Reads another program's merge before writing")
  func mergedByAnother() throws {
    let tablet = try tablet()
    var first = try open()
    var second = try open()
    _ = try first.merge(from: tablet.path)
    _ = try second.merge(from: tablet.path)
    #expect(second.entries == first.entries)
    #expect(second.findings.isEmpty)
  }

  @Test("Does not prune media of entries merged by another program")
  func pruneStale() throws {
    let tablet = try tablet()
    var first = try open()
    var second = try open()
    _ = try first.merge(from: tablet.path)
    #expect(try second.prune() == 0)
    #expect(try open().checkMedia().isEmpty)
  }

  @Test(
    "Does not prune media named in unreadable lines or newer files"
  )
  func pruneUnread() throws {
    var journal = try open()
    let kept = try journal.add(media: photo, fileExtension: "jpg")
    let dropped = try journal.add(media: photo + [1], fileExtension: "jpg")
    try folder.write("{\"kind\":\"later\",\"x\":[\"\(kept.name)\"]}\n", to: "j/device-x.jsonl")
    try folder.write(
      "{\"device\":\"y\",\"format\":\"cupola.journal/2\"}\n", to: "j/device-y.jsonl")
    #expect(throws: GuideError.self) { try journal.prune() }
    #expect(try journal.bytes(of: dropped) == photo + [1])
    Directory.remove(folder.path("j/device-y.jsonl"))
    #expect(try journal.prune() == 1)
    #expect(try journal.bytes(of: kept) == photo)
    #expect(!Directory.exists(folder.path("j/" + dropped.path)))
    // Lines that are completed after a crash do not prevent pruning.
    try journal.append(.favorite, at: 1)
    try FileAccess.append(Array("{\"kind\":\"no".utf8), to: folder.path("j/device-phone.jsonl"))
    try journal.append(.favorite, at: 2)
    Directory.remove(folder.path("j/device-x.jsonl"))
    #expect(try journal.prune() == 1)
  }

  @Test("A change supersedes what another program merged before")
  func replaceStale() throws {
    var phone = try open()
    var entry = try phone.append(.favorite, at: 1)
    var tablet = try open("tablet", device: "tablet")
    _ = try tablet.merge(from: phone.path)
    let ahead = LocalTime.secondsSince1970Now * 1000 + 3_600_000
    try folder.write(
      "{\"device\":\"tablet\",\"format\":\"cupola.journal/1\"}\n"
        + "{\"kind\":\"favorite\",\"ms\":\(Int(ahead)),\"op\":1,\"place\":\"theirs\",\"set\":\"phone-1\",\"tick\":0,\"time\":1}\n",
      to: "tablet/device-tablet.jsonl")
    var other = try open()
    _ = try other.merge(from: tablet.path)
    entry.place = "mine"
    try phone.replace(entry)
    #expect(try open().entries.map(\.place) == ["mine"])
  }

  @Test("Does not merge devices beyond the limit")
  func tooManyDevices() throws {
    func write(_ number: Int, to name: String) throws {
      try folder.write(
        "{\"device\":\"d\(number)\",\"format\":\"cupola.journal/1\"}\n"
          + "{\"kind\":\"favorite\",\"ms\":1,\"op\":1,\"set\":\"d\(number)-1\",\"tick\":0,\"time\":1}\n",
        to: "\(name)/device-d\(number).jsonl")
    }
    let most = JournalLimits.devices
    for number in 2..<most { try write(number, to: "j") }
    for number in [0, 1, 5] { try write(number, to: "other") }
    var journal = try open()
    try journal.append(.favorite, at: 1)
    let merge = try journal.merge(from: folder.path("other"))
    #expect(merge.lines == 1 && merge.findings.count == 1 && journal.count == most)
    #expect(try open().entries == journal.entries)
    #expect(journal.findings.isEmpty)
    try write(1, to: "j")
    var full = try open()
    #expect(full.findings.count == 1 && full.count == most)
    try full.append(.favorite, at: 2)
    #expect(throws: GuideError.self) { try full.prune() }
    var another = try open("k")
    #expect(throws: GuideError.self) { try another.merge(from: full.path) }
  }

  @Test("Removes lines that would make a file too large to read")
  func fileSizeLimit() throws {
    let line = "{\"delete\":\"d-1\",\"ms\":1,\"op\":1,\"tick\":0}"
    for (room, kept) in [(-5, 0), (0, 0), (line.count, 0), (line.count + 1, 1), (999, 3)] {
      var lines = JournalLines()
      lines.file = Array("\(line)\n\(line)\n\(line)\n".utf8)
      _ = try lines.read(of: "d")
      #expect(lines.removeExceeding(bytes: room) == 3 - kept)
      #expect(lines.all.count == kept)
    }
  }

  @Test("A clock that was once years ahead does not block later entries")
  func wrongClock() throws {
    let ahead = Int(LocalTime.secondsSince1970Now * 1000) + 3 * JournalLimits.ahead
    try folder.write(
      "{\"device\":\"phone\",\"format\":\"cupola.journal/1\"}\n"
        + "{\"kind\":\"favorite\",\"ms\":\(ahead),\"op\":1,\"set\":\"phone-1\",\"tick\":0,\"time\":1}\n",
      to: "j/device-phone.jsonl")
    var phone = try open()
    try phone.append(.favorite, at: 2, place: "later")
    var first = try #require(phone.entries.first)
    first.place = "changed"
    try phone.replace(first)
    #expect(try open().entries.map(\.place) == ["changed", "later"])
    var tablet = try open("tablet", device: "tablet")
    let merge = try tablet.merge(from: phone.path)
    #expect(merge.findings.count == 1)
    #expect(tablet.entries.map(\.place) == ["later"])
  }

  @Test("A hostile folder cannot push clocks and numbers beyond the limits")
  func hostileClocks() throws {
    let latest = Int(LocalTime.secondsSince1970Now * 1000) + JournalLimits.ahead - 1000
    let most = JournalLimits.foreignNumber
    func line(_ ms: Int, _ tick: Int, _ op: Int, _ id: String) -> String {
      "{\"kind\":\"favorite\",\"ms\":\(ms),\"op\":\(op),\"set\":\"\(id)\",\"tick\":\(tick),\"time\":1}\n"
    }
    for device in ["evil", "phone"] {
      try folder.write(
        "{\"device\":\"\(device)\",\"format\":\"cupola.journal/1\"}\n"
          + line(latest, most, 1, "evil-1") + line(1, 0, most, "phone-\(most)")
          + line(1, most, most / 2, "phone-\(most / 2)"), to: "evil/device-\(device).jsonl")
    }
    var phone = try open()
    #expect(try phone.merge(from: folder.path("evil")).lines == 4)
    try phone.append(.favorite, at: 2, place: "mine")
    try folder.write("", to: "mine/x")
    try folder.write(
      folder.bytes("j/device-phone.jsonl"), to: "mine/device-phone.jsonl")
    var tablet = try open("tablet", device: "tablet")
    let merge = try tablet.merge(
      from: folder.path("mine"), now: LocalTime.secondsSince1970Now - 86_400)
    #expect(merge.findings.count == 1)
    #expect(tablet.entries.contains { $0.place == "mine" })
  }

  @Test("Reports write errors and does not create missing files")
  func writeErrors() throws {
    #if os(Linux)
      #expect(throws: FileError.self) { try FileAccess.appendAll([1, 2], to: "/dev/full") }
    #endif
    #expect(throws: FileError.self) { try FileAccess.appendAll([1], to: folder.path("none")) }
    #expect(!Directory.exists(folder.path("none")))
  }

  @Test("Reports a finding once when a file is read repeatedly")
  func findingsOnce() throws {
    var first = try open()
    try first.append(.favorite, at: 1)
    try FileAccess.append(Array("garbage\n".utf8), to: folder.path("j/device-phone.jsonl"))
    var second = try open()
    for number in 0..<5 {
      try first.append(.favorite, at: Double(number))
      try second.append(.favorite, at: Double(number))
    }
    #expect(first.findings.count == 1 && second.findings == first.findings)
  }

  @Test("Restores a damaged photo when it is added again")
  func restoresDamagedPhoto() throws {
    let tablet = try tablet()
    var phone = try open()
    _ = try phone.merge(from: tablet.path)
    let media = try #require(phone.entries.first?.media.first)
    try folder.write([0xFF, 0xD8, 0xFF, 8], to: "j/" + media.path)
    _ = try phone.add(media: photo, fileExtension: "jpg")
    #expect(phone.checkMedia().isEmpty)
    try folder.write([0xFF, 0xD8], to: "j/" + media.path)
    #expect(try phone.merge(from: tablet.path).media == 1)
    #expect(phone.checkMedia().isEmpty)
  }

  @Test("The first change removes temporary files of killed writers")
  func killedWriters() throws {
    var journal = try open()
    let media = try journal.add(media: photo, fileExtension: "jpg")
    let left = ["j/device-phone.jsonl", "j/" + media.path].map { $0 + ".part-0123456789abcdef" }
    for name in left {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -120)],
        ofItemAtPath: folder.write(photo, to: name))
    }
    let recent = try folder.write(photo, to: "j/device-phone.jsonl.part-fedcba9876543210")
    try journal.append(.note(JournalNote(text: "a", photos: [media])), at: 1)
    for name in left { #expect(!Directory.exists(folder.path(name))) }
    #expect(Directory.exists(recent), "a writer may not have locked it yet")
    #expect(try journal.bytes(of: media) == photo)
  }
}
