public import ArgumentParser
import Cupola
internal import CupolaGuide
public import CupolaJournal

// 1. Define the journal subcommands.
// 2. Open a journal, and choose a name for the device that writes to it.

struct JournalCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal",
    abstract: "Record, merge and export visitors' notes.",
    discussion: """
      A journal contains favorites, sightings, notes and questions. It is a folder with one append-only file for \
      each device, photos, and voice recordings. See Documentation/Journal.md.

      EXAMPLES
        cupola journal add visit --title "The stairs" --text "worn round" \\
          --rating 4 --photo stairs.jpg
        cupola journal list visit --text stairs
        cupola journal merge visit phone-backup
        cupola journal export visit -o pages --guide campus.guide
        cupola journal photos visit -o photos
      """,
    subcommands: [
      JournalAdd.self, JournalList.self, JournalDelete.self, JournalConfirm.self,
      JournalMergeCommand.self, JournalExport.self, JournalImportCommand.self, JournalPhotos.self,
      JournalCheck.self, JournalCompact.self,
    ])
}

struct JournalFolder: ParsableArguments {
  @Argument(help: "Journal folder.", completion: .directory)
  var journal: String

  private var nameFile: String { journal + "/" + Self.ownName }
  private static let ownName = "own-device"
  private static let mostBytes = 200

  static func check(_ folder: String, isNew: Bool = false) throws {
    if isNew, !Directory.exists(folder) { return }
    let names = try Directory.entries(of: folder).map(\.name)
    // An interrupted first write leaves media without an entry, or temporary files.
    let isBegun =
      isNew && names.allSatisfy { $0 == JournalMedia.folder || FileAccess.isTemporary($0) }
    let isNamed = names.contains { $0.hasPrefix(ownName) }
    guard isBegun || isNamed || Journal.hasDevice(among: names) else {
      throw GuideError.badFile(
        path: folder,
        problem: "not a journal folder (no device-NAME.jsonl); choose another folder")
    }
  }

  func open() throws -> Journal { try open(device: nil) }

  func open(device: String?, isNew: Bool = false) throws -> Journal {
    try Self.check(journal, isNew: isNew)
    let opened = try Journal(at: journal, device: device ?? deviceName() ?? "reader")
    for finding in opened.findings { Console.note(finding.message) }
    return opened
  }

  func deviceName() -> String? {
    guard let bytes = try? FileAccess.read(nameFile, limit: Self.mostBytes) else { return nil }
    let name = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    return JournalID.isDevice(name) ? name : nil
  }

  func storeDeviceName(_ device: String) throws {
    try FileAccess.write(Array((device + "\n").utf8), to: nameFile, isPrivate: true)
  }
}

struct JournalOptions: ParsableArguments {
  @OptionGroup var folder: JournalFolder

  @Option(
    help: ArgumentHelp(
      "Device name (a-z, 0-9, -). (default: from the folder)", valueName: "name"))
  var device: String?

  func openForWriting(isNew: Bool = false) throws -> Journal {
    if device == nil, folder.deviceName() == nil {
      try JournalFolder.check(folder.journal, isNew: isNew)
      if isNew { try FileAccess.createPrivateFolder(folder.journal) }
      try folder.storeDeviceName("cupola-" + String(UInt64.random(in: 0 ... .max), radix: 36))
      return try folder.open(device: nil)
    }
    return try folder.open(device: device, isNew: isNew)
  }

  /// Runs `body`. In errors about files, replaces the journal's path with `path`.
  func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch GuideError.badFile(_, let problem) {
      throw GuideError.badFile(path: path, problem: problem)
    }
  }
}

struct JournalTime {
  let seconds: Double

  static func parsed(_ argument: String) throws -> JournalTime {
    if let time = JournalTime(argument: argument) { return time }
    throw ValidationError(
      "must be a time such as 2026-11-23, 2026-11-23T14:30, 2026-11-23T14:30:00Z, or seconds since 1970"
    )
  }

  init?(argument: String) {
    if Clock.isDate(argument) { return nil }
    if let seconds = Double(argument), seconds.isFinite {
      self.seconds = seconds
    } else if let seconds = JournalMoment.seconds(argument) {
      self.seconds = seconds
    } else if let seconds = (LocalTime(argument) ?? LocalTime(argument + "T00:00"))?
      .secondsSince1970(timeZone: LocalTime.deviceTimeZone)
    {
      self.seconds = seconds
    } else {
      return nil
    }
  }
}

extension JournalID: ExpressibleByArgument {
  /// Parses an ID in the form printed by `cupola journal list`.
  public init?(argument: String) { self.init(argument) }
}

extension JournalKind: ExpressibleByArgument {}
