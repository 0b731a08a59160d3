public import CupolaSupport

// 1. The cases hold facts.
// 2. `message` turns a case into one line for people: where, what is wrong, and what to do.
// 3. Errors of files become errors of guides; a lock that stays taken becomes `busy`.

/// What can be wrong with a guide, its parts and its updates.
///
/// The cases hold facts; the sentences for people are in ``message``. New cases may come with any
/// version.
public enum GuideError: Error, Equatable, Sendable {
  /// A file or folder cannot be read or written.
  case file(FileError)

  // MARK: - Guides

  /// A file, or a folder without `guide.json`, where a guide is to be.
  case noGuide(path: String)
  /// A guide of a format that came after this version.
  case newerFormat(String)
  /// A `guide.json`, a part or a download that cannot be used: another size or digest than expected,
  /// or more than is accepted.
  case unusable(name: String, problem: String)
  /// What stands where a guide is to be written is no guide.
  case inTheWay(path: String)
  /// Somebody else is changing the guide.
  case busy(path: String)

  // MARK: - Updates

  /// The app's closure, or what it asked, failed.
  case fetchFailed(part: String, problem: String)
  /// The task was canceled; the guide is as it was.
  case canceled

  // MARK: - Places and ways

  /// A part whose bytes mean nothing.
  case badPart(name: String, problem: String)
  /// No way of the mode is near a place.
  case nothingNear(String)
  /// No way leads from one place to another.
  case noWay(from: String, to: String)
  /// No place, no open place or no stop fits a text.
  case nothingFits(problem: String)

  // MARK: - Transit, tours and journals

  /// A guide that was built without a schedule.
  case noTimetable
  /// A schedule, a message about it, a tour, a file of passkeys, a map of beacons or a journal that
  /// cannot be read.
  case badFile(path: String, problem: String)
  /// A passkey that opens nothing; why is not told.
  case passkeyRefused
}

extension GuideError: CustomStringConvertible {
  /// The same as ``message``.
  public var description: String { message }

  /// One line for people: what is wrong and what to do.
  public var message: String {
    guard let (place, problem) = placed else { return unplaced }
    return "\(VisibleText.line(place)): \(problem)"
  }

  private var placed: (place: String, problem: String)? {
    let line = { VisibleText.line($0) }
    return switch self {
    case .noGuide(let path):
      (path, "no guide, which is a folder with guide.json; cupola guide build makes one of maps")
    case .unusable(let name, let problem), .badFile(let name, let problem): (name, line(problem))
    case .inTheWay(let path):
      (path, "no guide stands there, and it is not replaced; name another folder")
    case .busy(let path):
      (path, "another program is changing this guide; try again when it is done")
    case .fetchFailed(let part, let problem):
      (part, "cannot fetch it: \(line(problem)); try again later")
    case .badPart(let name, let problem):
      (name, "not a usable part of a guide: \(line(problem)); build the guide again")
    case .nothingNear(let place): (place, "no way of this mode is near; see cupola guide check")
    default: nil
    }
  }

  private var unplaced: String {
    let line = { VisibleText.line($0) }
    return switch self {
    case .file(let error): error.message
    case .newerFormat(let format):
      "a guide of the format \(line(format)), which this version does not know; "
        + "update the program, or build the guide with this version"
    case .canceled: "the update was canceled; the guide is as it was"
    case .noWay(let from, let to):
      "no way leads from \(line(from)) to \(line(to)); see cupola guide check"
    case .nothingFits(let problem): line(problem)
    case .noTimetable:
      "this guide has no timetable; build it with --gtfs and the feed of the bus company"
    case .passkeyRefused: "this passkey opens nothing; ask who gave it to you for another"
    default: ""
    }
  }

  /// A `guide.json` that is none.
  static func badManifest(path: String, problem: String) -> Self {
    .unusable(
      name: path,
      problem: "not a usable guide: \(problem); build the guide again, or copy it again")
  }

  static func wrongPart(path: String, name: String) -> Self {
    .unusable(
      name: path,
      problem: "the part \(name) is not what guide.json says; update the guide, or copy it again")
  }

  static func partTooLarge(name: String, bytes: Int, limit: Int) -> Self {
    .unusable(
      name: name,
      problem: "\(bytes) bytes, more than the \(limit >> 20) MB accepted of a part; "
        + "build the guide of smaller maps")
  }

  package static func tooManyValues(part: String, limit: Int) -> Self {
    .unusable(
      name: part,
      problem: "more than \(limit) values, with which nobody could read it; "
        + "build the guide of smaller maps")
  }

  static func downloadTooLarge(part: String, limit: Int) -> Self {
    .unusable(
      name: part,
      problem: "more was sent than the \(limit) bytes expected; "
        + "correct what is published, or try again later")
  }

  /// Less was sent than the newer `guide.json` says, and no more comes.
  static func downloadTooSmall(part: String) -> Self {
    .unusable(
      name: part, problem: "less was sent than expected; try again, which goes on from there")
  }

  static func wrongDownload(part: String) -> Self {
    .unusable(
      name: part,
      problem: "what was sent is not what was asked for; "
        + "correct what is published, or try again later")
  }

  package static func unknownPlace(_ text: String) -> Self {
    .nothingFits(problem: "no place fits \"\(text)\"; cupola guide poi lists what there is")
  }

  package static func nothingOpen(_ text: String) -> Self {
    .nothingFits(problem: "no \"\(text)\" is open then; leave out --open")
  }

  package static func unknownStop(_ text: String) -> Self {
    .nothingFits(problem: "no stop fits \"\(text)\"; cupola guide stops lists what there is")
  }

  /// Errors of files as errors of this module.
  package static func files<Result>(
    _ body: () throws(FileError) -> Result
  ) throws(GuideError) -> Result {
    do throws(FileError) { return try body() } catch { throw .file(error) }
  }
}

extension FolderLock {
  /// Does something while nobody else changes the files of a folder; waits up to ten seconds for it.
  package static func hold<Result>(
    _ folder: String, for path: String, _ body: () throws(GuideError) -> Result
  ) throws(GuideError) -> Result {
    let lock = try GuideError.files { () throws(FileError) in try FolderLock.waiting(for: folder) }
    guard let lock else { throw .busy(path: path) }
    defer { lock.release() }
    return try body()
  }
}
