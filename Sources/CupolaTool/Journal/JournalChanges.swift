import ArgumentParser
import CupolaGuide

/// `cupola journal delete`.
struct JournalDelete: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Deletes entries, also on the devices that are merged with later.",
    discussion: """
      Photos and voice files that no entry has any more go too.

      EXAMPLE
        cupola journal delete visit phone-12 phone-14
      """)

  @OptionGroup var options: JournalOptions

  @Argument(help: "The entries' ids, as cupola journal list has them.")
  var ids: [JournalID]

  func run() async throws {
    try await ExitStatus.reporting {
      var journal = try options.openForWriting()
      // All of them before the first is deleted: of a misspelled one nothing changes.
      for id in ids where journal[id] == nil { throw journal.unknown(id) }
      for id in ids where journal[id] != nil { try journal.delete(id) }
      _ = try journal.prune()
    }
  }
}

/// `cupola journal confirm`.
struct JournalConfirm: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "confirm",
    abstract: "Says which building the photos of an entry show, so that they may be trained on.",
    discussion: """
      EXAMPLES
        cupola journal confirm visit phone-12 old_library
        cupola journal confirm visit phone-12 --none
      """)

  @OptionGroup var options: JournalOptions

  @Argument(help: "The entry's id.")
  var id: JournalID

  @Argument(help: "The label.")
  var label: String?

  @Flag(help: "Take a confirmation back.")
  var none = false

  func validate() throws {
    guard none != (label != nil) else { throw ValidationError("Say a label, or --none.") }
  }

  func run() async throws {
    try await ExitStatus.reporting {
      var journal = try options.openForWriting()
      guard var entry = journal[id] else { throw journal.unknown(id) }
      entry.confirmedLabel = label
      try journal.replace(entry)
    }
  }
}

/// `cupola journal check`.
struct JournalCheck: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Finds damaged lines and photos; the exit code is 65 when there are some.",
    discussion: """
      EXAMPLE
        cupola journal check visit
      """)

  @OptionGroup var folder: JournalFolder

  func run() async throws {
    Console.exitOnInterrupt()
    try await ExitStatus.reporting {
      let journal = try folder.open()
      let findings = journal.checkMedia()
      for finding in findings { Console.note(finding.message) }
      Console.print(Format.entries(journal.count))
      if !(findings + journal.findings).isEmpty { throw ExitStatus.badData }
    }
  }
}
