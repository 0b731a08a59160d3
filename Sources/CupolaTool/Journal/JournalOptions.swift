import ArgumentParser
import Cupola
import CupolaGuide

/// The journal that a command writes to, and who writes.
struct JournalOptions: ParsableArguments {
  @OptionGroup var folder: JournalFolder

  @Option(
    help: ArgumentHelp(
      "Who writes, a-z, 0-9 and - (default: a name that this folder got when it was first written to).",
      valueName: "name"))
  var device: String?

  /// Opens it, with a name for the device.
  ///
  /// - Parameter isNew: whether it may be missing.
  func openForWriting(isNew: Bool = false) throws -> Journal {
    if device == nil, folder.own() == nil {
      try JournalFolder.check(folder.journal, isNew: isNew)
      if isNew { try FileAccess.createPrivateFolder(folder.journal) }
      try folder.name("cupola-" + String(UInt64.random(in: 0 ... .max), radix: 36))
      return try folder.open(device: nil)
    }
    return try folder.open(device: device, isNew: isNew)
  }

  /// What is wrong with a file, told of that file and not of the journal.
  func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch GuideError.badJournal(_, let problem) {
      throw GuideError.badJournal(path: path, problem: problem)
    }
  }
}

/// A moment on the command line: seconds since 1970, RFC 3339, or what the clocks here showed.
struct JournalTime {
  let seconds: Double

  /// From the command line, with what is wrong told.
  static func parsed(_ argument: String) throws -> JournalTime {
    if let time = JournalTime(argument: argument) { return time }
    throw ValidationError(
      "it must be a moment, such as 2026-11-23, 2026-11-23T14:30, 2026-11-23T14:30:00Z, or seconds since 1970"
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
