import Cupola
import CupolaGuide
import CupolaTestSupport
import Foundation
import Testing
@testable import CupolaJournal

@Suite("cupola journal") struct JournalCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String..., input: String? = nil) throws -> Tool.Output {
    try Tool.run(["journal"] + arguments, in: folder, input: input)
  }

  @discardableResult
  private func add(_ arguments: String...) throws -> String {
    let output = try Tool.run(["journal", "add"] + arguments, in: folder)
    expectSuccess(output)
    return output.stdout.trimmingCharacters(in: .newlines)
  }

  private func samplePhoto() throws -> String {
    let photos = Repository.sampleCampus + "/gate_house"
    let names = try FileManager.default.contentsOfDirectory(atPath: photos).sorted()
    return photos + "/" + (try #require(names.first { $0.hasSuffix(".jpg") }))
  }

  @Test("Adds, lists, confirms and deletes entries by id")
  func entries() throws {
    let first = try add(
      "visit", "--title", "The stairs", "--text", "worn round", "--rating", "4", "--photo",
      try samplePhoto(), "--position", "48.3005,10.8984", "--at", "2026-11-23T14:30:00Z",
      "--device", "phone")
    #expect(first == "phone-1")
    let second = try add(
      "visit", "--kind", "favorite", "--building", "old_library", "--at", "1795444300", "--device",
      "phone")
    let all = try run("list", "visit", "--json")
    expectSuccess(all)
    let entries = try #require(try all.json() as? [[String: Any]])
    #expect(entries.map { $0["id"] as? String } == [first, second])
    #expect(entries[0]["rating"] as? Int == 4 && (entries[0]["photos"] as? [String])?.count == 1)
    #expect(entries[0]["time"] as? Double == 1_795_444_200)
    #expect(try run("list", "visit", "--text", "STAIR").stdout.hasPrefix("phone-1  "))
    let none = try run("list", "visit", "--kind", "question")
    #expect(none.status == 1 && none.stderr == "no entries found\n")
    let empty = try run("list", "visit", "--kind", "question", "--json")
    #expect(empty.status == 1 && empty.stdout.filter { !$0.isWhitespace } == "[]")
    expectSuccess(try run("confirm", "visit", first, "gate_house", "--device", "phone"))
    let photos = try run("photos", "visit", "-o", "photos")
    #expect(photos.stdout == "1 photo copied, 0 already present, 0 without a confirmed label\n")
    #expect(
      try run("photos", "visit", "-o", "photos").stdout
        == "0 photos copied, 1 already present, 0 without a confirmed label\n")
    #expect(try folder.contents().keys.contains { $0.hasPrefix("photos/gate_house/journal-") })
    expectSuccess(try run("delete", "visit", first, "--device", "phone"))
    #expect(try run("check", "visit").stdout == "1 entry\n")
    #expect(try !folder.contents().keys.contains { $0.hasPrefix("visit/media/") })
  }

  @Test("Lines become notes, except empty ones")
  func lines() throws {
    let input = "one\n\n \t\r\ntwo\n"
    let output = try run("add", "visit", "--lines", "--device", "phone", input: input)
    expectSuccess(output)
    #expect(output.stdout == "phone-1\nphone-2\n")
    #expect(try run("check", "visit").stdout == "2 entries\n")
  }

  @Test("A journal gets a device name, and merged journals are equal")
  func merging() throws {
    let first = try add("a", "--text", "one")
    #expect(first.hasPrefix("cupola-") && first.hasSuffix("-1"))
    #expect(try add("a", "--text", "two") == first.dropLast() + "2")
    let other = try add("b", "--text", "three")
    #expect(other.dropLast(2) != first.dropLast(2))
    expectSuccess(try run("merge", "a", "b"))
    expectSuccess(try run("delete", "a", other))
    #expect(try run("merge", "b", "a").stdout == "a: 3 entries changed, 0 files copied\n")
    #expect(try run("list", "a", "--json").stdout == run("list", "b", "--json").stdout)
    #expect(try run("merge", "b", "a").stdout == "a: 0 entries changed, 0 files copied\n")
    #expect(try run("merge", "b", "nowhere").status == 66)
  }

  @Test("Exports GeoJSON, Markdown and a page that can be imported")
  func exports() throws {
    expectSuccess(
      try Tool.run(["guide", "build", Repository.sampleMap, "-o", "campus.guide"], in: folder))
    try add(
      "visit", "--title", "Gate", "--photo", try samplePhoto(), "--position", "48.2998,10.8975",
      "--at", "1795444200", "--device", "phone")
    try add(
      "visit", "--kind", "seen", "--label", "old_library", "--confidence", "0.93", "--at",
      "1795444300", "--device", "phone", "--position", "48.3005,10.8984")
    try add(
      "visit", "--kind", "question", "--text", "Open?", "--email", "a@b.example", "--at",
      "1795444400", "--device", "phone")
    expectSuccess(try run("export", "visit", "-o", "pages/today", "--guide", "campus.guide"))
    let page = String(decoding: try folder.bytes("pages/today/index.html"), as: UTF8.self)
    #expect(page.contains("<svg") && page.contains("Old Library") && page.contains("#phone-2"))
    #expect(!page.replacing("http://www.w3.org/2000/svg", with: "").contains(/<script|:\/\//))
    #expect(
      try String(decoding: folder.bytes("pages/today/journal.md"), as: UTF8.self)
        .hasPrefix("# Journal\n"))
    #expect(try !folder.bytes("pages/today/questions.json").isEmpty)
    let imported = try run("import", "again", "pages/today/journal.geojson")
    #expect(imported.stdout == "3 entries added, 0 already present, 1 file copied\n")
    #expect(try run("list", "again", "--json").stdout == run("list", "visit", "--json").stdout)
    #expect(
      try run("import", "again", "pages/today/journal.geojson").stdout
        == "0 entries added, 3 already present, 0 files copied\n")
  }

  @Test("An export replaces only earlier exports")
  func otherFiles() throws {
    try add("visit", "--text", "a", "--photo", try samplePhoto())
    for name in ["index.html", "journal.geojson", "arch/1.jpg"] {
      try folder.write(#"{"type":"FeatureCollection","features":[]}"#, to: "mine/\(name)")
      let before = try folder.contents()
      expectFailure(
        try run("export", "visit", "-o", "mine"), 73,
        "mine: contains files that are not a journal export; choose another folder")
      #expect(try folder.contents() == before)
      try FileManager.default.removeItem(atPath: folder.path("mine"))
    }
    try folder.touch("pages/media/ab/x.part-1")
    expectSuccess(try run("export", "visit", "-o", "pages"))
    try folder.touch("pages/style.css")
    try add("visit", "--text", "the second")
    expectSuccess(try run("export", "visit", "-o", "pages"))
    #expect(
      String(decoding: try folder.bytes("pages/journal.md"), as: UTF8.self).contains("the second"))
    #expect(try folder.contents().keys.contains("pages/style.css"))
  }

  @Test("A failed export keeps all files")
  func failedExport() throws {
    try add("visit", "--text", "a")
    expectSuccess(try run("export", "visit", "-o", "pages"))
    try FileManager.default.removeItem(atPath: folder.path("pages/index.html"))
    try folder.touch("pages/index.html/mine")
    try add("visit", "--text", "the second")
    let before = try folder.contents()
    expectFailure(
      try run("export", "visit", "-o", "pages"), 73,
      "pages/index.html: cannot be written: Is a directory")
    #expect(try folder.contents() == before)
    // An interrupted export leaves temporary files and keeps old ones.
    try FileManager.default.removeItem(atPath: folder.path("pages/index.html"))
    try folder.touch("pages/journal.geojson.part-0123456789abcdef")
    expectSuccess(try run("export", "visit", "-o", "pages"))
    #expect(
      String(decoding: try folder.bytes("pages/journal.md"), as: UTF8.self).contains("the second"))
  }

  @Test("An interrupted export is repeated")
  func killedExport() throws {
    try add("visit", "--text", "a")
    try folder.write(#"{"type":"#, to: "pages/journal.geojson.part-1f")
    try folder.touch(
      "pages/media/ab/x.part-1", "pages/journal.md.part-0123456789abcdef",
      "pages/index.html.part-0123456789abcdef")
    expectSuccess(try run("export", "visit", "-o", "pages"))
    let names = Set(try folder.contents().keys)
    #expect(names.contains("pages/journal.geojson"))
    #expect(!names.contains("pages/journal.geojson.part-1f"))
    try folder.touch("mine/journal.geojson.part-1f", "mine/index.html")
    expectFailure(try run("export", "visit", "-o", "mine"), 73, "not a journal export")
  }

  @Test("A smaller export removes old files and follows no links")
  func narrowerExport() throws {
    try add("visit", "--text", "a", "--photo", try samplePhoto(), "--device", "phone")
    try add(
      "visit", "--kind", "question", "--text", "Open?", "--email", "a@b.example", "--device",
      "phone")
    let media = try #require(
      try folder.contents().keys.first { $0.hasPrefix("visit/media/") }
    ).dropFirst("visit/".count)
    expectSuccess(try run("export", "visit", "-o", "pages"))
    let kept = ["pages/media/mine.txt", "pages/media/ab/mine.jpg", "pages/style.css"]
    for name in kept + ["pages/questions.json.part-1f", "pages/\(media).part-1f"] {
      try folder.touch(name)
    }
    var names = Set(try folder.contents().keys)
    #expect(names.isSuperset(of: kept + ["pages/questions.json", "pages/\(media)"]))
    expectSuccess(try run("export", "visit", "-o", "pages", "--kind", "note"))
    names = Set(try folder.contents().keys)
    #expect(names.isSuperset(of: kept + ["pages/\(media)"]))
    #expect(!names.contains { $0.contains("questions.json") || $0.contains(".part-") })
    expectSuccess(try run("export", "visit", "-o", "pages", "--kind", "question"))
    names = Set(try folder.contents().keys)
    #expect(names.isSuperset(of: kept + ["pages/questions.json"]))
    #expect(!names.contains("pages/\(media)"))
    // A link to the media of the journal itself.
    try FileManager.default.removeItem(atPath: folder.path("pages/media"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("pages/media"), withDestinationPath: folder.path("visit/media"))
    expectSuccess(try run("export", "visit", "-o", "pages", "--kind", "question"))
    #expect(try folder.contents().keys.contains("visit/\(media)"))
  }

  @Test("Faults print one line and lose no entry")
  func faults() throws {
    #expect(try run("list", "nowhere").status == 66)
    #expect(try run("add", "visit").status == 64)
    #expect(try run("add", "visit", "--text", "a", "--rating", "6").status == 64)
    #expect(try run("add", "visit", "--text", "a", "--device", "A b").status == 65)
    try folder.write("no photo", to: "x.jpg")
    let wrong = try run("add", "visit", "--photo", "x.jpg")
    #expect(wrong.status == 65 && wrong.stderr.hasPrefix("cupola: x.jpg: "))
    #expect(wrong.messages.count == 1)
    try add("visit", "--text", "kept")
    // Reading needs no device name.
    #expect(try run("list", "visit", "--device", "phone").status == 64)
    for arguments in [["delete", "visit", "phone-9"], ["confirm", "visit", "phone-9", "hall"]] {
      expectFailure(
        try Tool.run(["journal"] + arguments, in: folder), 65,
        "visit: unknown entry phone-9; list the IDs with cupola journal list")
    }
    try folder.write("{", to: "bad.geojson")
    let bad = try run("import", "visit", "bad.geojson")
    #expect(bad.status == 65 && bad.stderr.hasPrefix("cupola: bad.geojson: "))
    #expect(try run("check", "visit").stdout == "1 entry\n")
    let name = try #require(try folder.contents().keys.first { $0.hasSuffix(".jsonl") })
    var bytes = try folder.bytes(name)
    bytes.removeLast(3)
    try folder.write(bytes, to: name)
    let cut = try run("check", "visit")
    #expect(cut.status == 65 && cut.stdout == "0 entries\n" && cut.stderr.contains("is truncated"))
  }

  @Test("Another folder is rejected, an empty or missing one is used")
  func foreign() throws {
    try folder.touch("DCIM/1.jpg")
    try FileManager.default.createDirectory(
      atPath: folder.path("empty"), withIntermediateDirectories: false)
    try folder.write(#"{"type":"FeatureCollection","features":[]}"#, to: "none.geojson")
    for arguments in [
      ["list"], ["check"], ["export", "-o", "pages"], ["photos", "-o", "photos"],
      ["delete", "phone-1"], ["confirm", "phone-1", "gate_house"],
    ] {
      for name in ["DCIM", "empty"] {
        expectFailure(
          try Tool.run(["journal", arguments[0], name] + arguments.dropFirst(), in: folder), 65,
          "\(name): not a journal folder (no device-NAME.jsonl); choose another folder")
      }
    }
    for arguments in [
      ["add", "DCIM", "--text", "a"], ["add", "DCIM", "--text", "a", "--device", "phone"],
      ["import", "DCIM", "none.geojson"], ["merge", "DCIM", "empty"], ["merge", "new", "DCIM"],
      ["merge", "new", "none.geojson"],
    ] {
      expectFailure(
        try Tool.run(["journal"] + arguments, in: folder), 65, ": not a journal folder")
    }
    expectFailure(
      try Tool.run(["journal", "merge", "new", "missing"], in: folder), 66,
      "missing: cannot be read")
    #expect(try folder.contents().keys.sorted() == ["DCIM/1.jpg", "none.geojson"])
    try add("empty", "--text", "a")
    #expect(try run("check", "empty").stdout == "1 entry\n")
    // Interrupted between a photo and its entry.
    try FileManager.default.createDirectory(
      atPath: folder.path("begun/media"), withIntermediateDirectories: true)
    try folder.touch("begun/device-phone.jsonl.part-0123456789abcdef")
    try add("begun", "--text", "a", "--device", "phone")
  }

  @Test("A killed process loses no acknowledged entry")
  func killed() throws {
    let lines = (0..<5000).map { "note \($0)" }.joined(separator: "\n") + "\n"
    let input = try folder.write(lines, to: "lines")
    var generator = SplitMix64(seed: 11)
    var acknowledged: Set<String> = []
    let moments = Verification.isFull ? 200 : 20
    for _ in 0..<moments {
      let process = try Tool.process(
        ["journal", "add", "visit", "--lines", "--device", "phone"], in: folder)
      let out = try folder.write([], to: "out")
      let output = try FileHandle(forWritingTo: URL(filePath: out))
      process.standardInput = try FileHandle(forReadingFrom: URL(filePath: input))
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      // Most processes are killed while writing, some earlier.
      let isEarly = Int.random(in: 0..<8, using: &generator) == 0
      for _ in 0..<2000 where try !isEarly && folder.bytes("out").isEmpty { usleep(1000) }
      usleep(UInt32.random(in: 0...10_000, using: &generator))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      try output.close()
      // The last line may be incomplete.
      let text = String(decoding: try folder.bytes("out"), as: UTF8.self)
      acknowledged.formUnion(
        text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1).map(String.init))
    }
    let journal = try Journal(at: folder.path("visit"), device: "phone")
    let kept = Set(journal.entries.map(\.id.description))
    #expect(acknowledged.count > moments / 4 && acknowledged.isSubset(of: kept))
  }
}

@Suite("cupola journal add") struct JournalAddTests {
  @Test(
    "Options that do not fit the kind are rejected",
    arguments: [
      ("favorite", ["--text", "a"], "--text"), ("favorite", ["--rating", "3"], "--rating"),
      ("note", ["--text", "a", "--label", "hall"], "--label"),
      ("seen", ["--label", "hall", "--title", "a"], "--title"),
      ("question", ["--text", "a", "--photo", "x.jpg", "--title", "b"], "--title, --photo"),
      ("seen", ["--label", "hall", "--photo", "x.jpg", "--photo", "y.jpg"], "one --photo"),
      ("seen", ["--label", "hall", "--confidence", "2"], "--confidence must be 0 to 1"),
      ("note", ["--lines", "--rating", "3"], "--rating"),
    ])
  func unkept(kind: String, options: [String], words: String) throws {
    let folder = try TemporaryFolder()
    let output = try Tool.run(["journal", "add", "visit", "--kind", kind] + options, in: folder)
    #expect(output.status == 64 && output.stderr.contains(words))
    #expect(try folder.contents().isEmpty)
  }

  @Test("Titles and texts may begin with a dash", arguments: ["- steep", "-5 steps", "-q"])
  func dash(words: String) throws {
    let folder = try TemporaryFolder()
    let add = ["journal", "add", "visit", "--title", words, "--text", words, "--rating", "4"]
    expectSuccess(try Tool.run(add, in: folder))
    let list = try Tool.run(["journal", "list", "visit"], in: folder)
    #expect(list.stdout.contains("  \(words): \(words)  4 of 5"), "\(list.stdout)")
  }

  @Test("Lines that are not UTF-8 are skipped, and the BOM is removed")
  func brokenLines() throws {
    let folder = try TemporaryFolder()
    let add = ["journal", "add", "visit", "--lines"]
    // The replacement character stands for invalid bytes.
    let some = try Tool.run(add, in: folder, input: "\u{FEFF}one\nB\u{FFFD}r\n\ntwo\n")
    expectFailure(some, 1, "stdin:2: skipped because it is not valid UTF-8")
    #expect(some.stdout.count { $0 == "\n" } == 2)
    let list = try Tool.run(["journal", "list", "visit", "--json"], in: folder)
    #expect(list.stdout.contains("\"text\" : \"one\"") && list.stdout.contains(": \"two\""))
    expectFailure(try Tool.run(add, in: folder, input: "B\u{FFFD}r\n"), 65, "stdin:1: ")
  }

  @Test(
    "Invalid positions and times are reported with examples",
    arguments: [
      (["add", "visit", "--text", "a", "--position", "91,0"], "did you mean 0.0000,91.0000?"),
      (["list", "visit", "--near", "48"], "must be LAT,LON in degrees"),
      (["add", "visit", "--text", "a", "--at", "2026-02-29"], "such as 2026-11-23"),
      (["list", "visit", "--since", "yesterday"], "such as 2026-11-23"),
      (["list", "visit", "--until", "2026-13-01"], "such as 2026-11-23"),
      (["list", "visit", "--since", "2026"], "such as 2026-11-23"),
      (["list", "visit", "--until", "20261123"], "such as 2026-11-23"),
      (["list", "visit", "--within", "50"], "requires --near"),
    ])
  func unreadable(arguments: [String], words: String) throws {
    let folder = try TemporaryFolder()
    let output = try Tool.run(["journal"] + arguments, in: folder)
    #expect(output.status == 64 && output.stderr.contains(words))
  }
}

@Suite("cupola journal delete") struct JournalDeleteTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) throws -> Tool.Output {
    try Tool.run(["journal"] + arguments, in: folder)
  }

  @Test("An unknown id prevents deletion, and repeated ids count once")
  func several() throws {
    for text in ["one", "two", "three"] {
      expectSuccess(try run("add", "visit", "--text", text, "--device", "phone"))
    }
    let output = try run("delete", "visit", "phone-1", "phone-9", "--device", "phone")
    #expect(output.status == 65 && output.stderr.contains("unknown entry phone-9"))
    #expect(try run("check", "visit").stdout == "3 entries\n")
    expectSuccess(
      try run("delete", "visit", "phone-1", "phone-2", "phone-1", "--device", "phone"))
    #expect(try run("check", "visit").stdout == "1 entry\n")
  }

  @Test("Deletion and compaction remove the text from all files")
  func compact() throws {
    let added =
      "{\"kind\":\"note\",\"ms\":1,\"op\":1,\"set\":\"phone-1\",\"text\":\"secret\",\"tick\":0,\"time\":1}"
    let deleted = "{\"delete\":\"phone-1\",\"ms\":2,\"op\":2,\"tick\":0}"
    let header = "{\"device\":\"phone\",\"format\":\"cupola.journal/1\"}"
    try folder.write("\(header)\n\(added)\n\(deleted)\n", to: "visit/device-phone.jsonl")
    let output = try run("compact", "visit")
    #expect(output.stdout == "visit: 1 line cleared, 0 files removed\n")
    #expect(
      try String(decoding: folder.bytes("visit/device-phone.jsonl"), as: UTF8.self)
        == "\(header)\n{\"delete\":\"phone-1\",\"ms\":1,\"op\":1,\"tick\":0}\n\(deleted)\n")
    #expect(try run("compact", "visit").stdout == "visit: 0 lines cleared, 0 files removed\n")
    expectFailure(try run("compact", "none"), 66)
  }
}

@Suite("Journal folder") struct JournalFolderTests {
  @Test("All files have mode 0600")
  func modes() throws {
    let folder = try TemporaryFolder()
    expectSuccess(try Tool.run(["journal", "add", "visit", "--text", "one"], in: folder))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("visit"))
    #expect(names.contains("own-device"))
    for name in names {
      #expect(try folder.mode("visit/" + name) == 0o600, "\(name)")
    }
  }
}

@Suite("cupola journal photos") struct JournalPhotosTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for number in 1...3 {
      try folder.write(try TinyCampus.jpeg(.arch, seed: UInt64(number)), to: "\(number).jpg")
      let added = try run("add", "visit", "--photo", "\(number).jpg", "--device", "phone")
      expectSuccess(added)
      let id = added.stdout.split(separator: "\n").joined()
      expectSuccess(try run("confirm", "visit", id, "arch", "--device", "phone"))
    }
  }

  private func run(_ arguments: String...) throws -> Tool.Output {
    try Tool.run(["journal"] + arguments, in: folder)
  }

  @Test("A folder that cannot be written is reported once")
  func unwritable() throws {
    try folder.touch("file", "photos/arch")
    for (output, name) in [("file", "file"), ("photos", "photos/arch")] {
      expectFailure(
        try run("photos", "visit", "-o", output), 73,
        "cupola: \(name): cannot be written: Not a directory; choose another folder")
    }
    #expect(
      try run("photos", "visit", "-o", "new").stdout.hasPrefix("3 photos copied, 0 already present")
    )
  }

  @Test("A label that cannot name a folder is reported")
  func identifier() throws {
    try folder.write(try TinyCampus.jpeg(.arch, seed: 4), to: "4.jpg")
    let added = try run("add", "visit", "--photo", "4.jpg", "--device", "phone")
    let id = added.stdout.split(separator: "\n").joined()
    expectSuccess(try run("confirm", "visit", id, "way/101", "--device", "phone"))
    let photos = try run("photos", "visit", "-o", "photos")
    expectFailure(
      photos, 1, "\"way/101\" cannot be a folder name; confirm the building's name on the map",
      "cupola journal confirm visit \(id) NAME")
    #expect(photos.stdout.hasPrefix("3 photos copied"))
    expectSuccess(try run("confirm", "visit", id, "_unfamiliar", "--device", "phone"))
    expectFailure(
      try run("photos", "visit", "-o", "photos"), 1, "the label \"_unfamiliar\" is reserved")
    expectSuccess(try run("confirm", "visit", id, "Old Arch", "--device", "phone"))
    expectSuccess(try run("photos", "visit", "-o", "photos"))
    #expect(try folder.contents().keys.contains { $0.hasPrefix("photos/Old Arch/journal-") })
  }
}
