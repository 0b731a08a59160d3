import ArgumentParser
import Cupola
import CupolaGuide
import CupolaTraining

/// The journal that a command is about.
struct JournalOptions: ParsableArguments {
  @Argument(help: "The journal's folder.", completion: .directory)
  var journal: String

  @Option(
    help: ArgumentHelp(
      "Who writes, a-z, 0-9 and - (default: a name that this folder got when it was first written to).",
      valueName: "name"))
  var device: String?

  /// Where the name of this folder's own device stands.
  private var nameFile: String { journal + "/" + Self.ownName }
  private static let ownName = "own-device"
  private static let mostBytes = 200

  /// Refuses a folder that is no journal's, such as one of photos.
  ///
  /// - Parameter isNew: whether a journal may begin there.
  static func check(_ folder: String, isNew: Bool = false) throws {
    if isNew, !Directory.exists(folder) { return }
    let names = try Directory.entries(of: folder).map(\.name)
    // Media are kept before the entry that has them; of a name that was cut off there is a part.
    let isBegun = isNew && names.allSatisfy { $0 == JournalMedia.folder }
    let isNamed = names.contains { $0.hasPrefix(ownName) }
    guard isBegun || isNamed || Journal.hasDevice(among: names) else {
      throw GuideError.badJournal(
        path: folder,
        problem: "no folder of a journal: it has no device-NAME.jsonl; name another folder")
    }
  }

  /// Opens it; what is wrong there is told.
  ///
  /// - Parameter isNew: whether it may be missing.
  func open(isNew: Bool = false) throws -> Journal {
    try Self.check(journal, isNew: isNew)
    let opened = try Journal(at: journal, device: device ?? own() ?? "reader")
    for finding in opened.findings { Console.note(finding.message) }
    return opened
  }

  /// Opens it to be written to, with a name for the device.
  func openForWriting(isNew: Bool = false) throws -> Journal {
    guard device == nil, own() == nil else { return try open(isNew: isNew) }
    try Self.check(journal, isNew: isNew)
    if isNew { try FileAccess.createPrivateFolder(journal) }
    let name = "cupola-" + String(UInt64.random(in: 0 ... .max), radix: 36)
    try FileAccess.write(Array((name + "\n").utf8), to: nameFile)
    return try open()
  }

  /// What is wrong with a file, told of that file and not of the journal.
  func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch GuideError.badJournal(_, let problem) {
      throw GuideError.badJournal(path: path, problem: problem)
    }
  }

  private func own() -> String? {
    guard let bytes = try? FileAccess.read(nameFile, limit: Self.mostBytes) else { return nil }
    let name = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    return JournalID.isDevice(name) ? name : nil
  }
}

/// A moment on the command line: seconds since 1970, RFC 3339, or what the clocks here showed.
struct JournalTime: ExpressibleByArgument {
  let seconds: Double

  init?(argument: String) {
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
