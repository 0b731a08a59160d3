import CupolaCampus
import CupolaSupport

@testable import CupolaGuide
@testable import CupolaJournal

/// Targets for journal lines, folders of other devices and exports of other programs.
extension FuzzTarget {
  static let journals: [FuzzTarget] = [
    FuzzTarget("journal-lines") { bytes in
      var entries: [JournalEntry] = []
      var failure: FuzzFailure?
      _ = try? JournalFile.read(bytes, of: "phone") { operation, _ in
        if let entry = operation.entry { entries.append(entry) }
        let line = operation.line
        var again: JournalOperation?
        _ = try? JournalFile.read(line, of: "phone", isWhole: false) { read, _ in again = read }
        if again?.line != line { failure = FuzzFailure("the line changed after reading it again") }
      }
      if let failure { throw failure }
      export(entries)
    },
    FuzzTarget("journal-import") { bytes in
      var intake = JournalImportReader(now: 1_795_417_200)
      let members = try? JSONReader.members(of: bytes, lists: ["features"]) { _, feature in
        intake.take(feature)
        return intake.count < 1000
      }
      guard members != nil else { return }
      _ = intake.findings
      export(intake.entries)
    },
    FuzzTarget("journal") { bytes in
      let files = FuzzFiles(
        bytes, names: ["device-a.jsonl", "device-b.jsonl", "device-phone.jsonl"])
      let other = FuzzFolder()
      let own = FuzzFolder()
      defer {
        other.remove()
        own.remove()
      }
      try other.fill(files.contents)
      try own.fill(files.contents.filter { $0.key == "device-phone.jsonl" })
      guard var journal = try? Journal(at: own.path, device: "phone"),
        let theirs = try? Journal(at: other.path, device: "tablet")
      else { return }
      _ = theirs.findings.map { "\($0)" }
      guard (try? journal.merge(from: other.path, now: 1_795_417_200)) != nil else { return }
      let once = journal.entries
      guard (try? journal.merge(from: other.path, now: 1_795_417_200)) != nil else {
        throw FuzzFailure("the journal cannot be merged again")
      }
      try FuzzFailure.unless(once == journal.entries, "the entries changed after merging again")
      let reopened = try? Journal(at: own.path, device: "phone")
      try FuzzFailure.unless(reopened?.entries == once, "the entries changed after opening again")
    },
  ]

  private static func export(_ entries: [JournalEntry]) {
    _ = JournalGeoJSON.bytes(of: entries)
    _ = JournalQuestions.bytes(of: entries)
    _ = JournalMarkdown.text(of: entries, title: "Journal")
    _ = JournalPage.html(of: entries, title: "Journal")
    _ = JournalTraining.choice(of: entries)
  }
}
