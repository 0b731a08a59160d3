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
  /// A `guide.json` that is none.
  case badManifest(path: String, problem: String)
  /// A guide of a format that came after this version.
  case newerFormat(String)
  /// A part whose size or digest is not what `guide.json` says.
  case wrongPart(path: String, name: String)
  /// A part of more bytes than are accepted.
  case partTooLarge(name: String, bytes: Int, limit: Int)
  /// A part of JSON of more values than are read.
  case tooManyValues(part: String, limit: Int)
  /// What stands where a guide is to be written is no guide.
  case inTheWay(path: String)
  /// Somebody else is changing the guide.
  case busy(path: String)

  // MARK: - Updates

  /// The app's closure, or what it asked, failed.
  case fetchFailed(part: String, problem: String)
  /// More was sent than the newer `guide.json` says.
  case downloadTooLarge(part: String, limit: Int)
  /// Less was sent than the newer `guide.json` says, and no more comes.
  case downloadTooSmall(part: String)
  /// What was sent is not what was asked for.
  case wrongDownload(part: String)
  /// The task was canceled; the guide is as it was.
  case canceled

  // MARK: - Places and ways

  /// A part whose bytes mean nothing.
  case badPart(name: String, problem: String)
  /// No way of the mode is near a place.
  case nothingNear(String)
  /// No way leads from one place to another.
  case noWay(from: String, to: String)
  /// No place fits a text.
  case unknownPlace(String)
  /// No place of those that fit a text is open.
  case nothingOpen(String)

  // MARK: - Transit, tours and journals

  /// A schedule, or a message about it, that cannot be read.
  case badFeed(path: String, problem: String)
  /// A guide that was built without a schedule.
  case noTimetable
  /// No stop fits a text.
  case unknownStop(String)
  /// A tour, a file of passkeys or a map of beacons that cannot be read.
  case badTour(path: String, problem: String)
  /// A journal, or one that was to be imported, that cannot be read.
  case badJournal(path: String, problem: String)
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
    case .badManifest(let path, let problem):
      (path, "not a usable guide: \(line(problem)); build the guide again, or copy it again")
    case .wrongPart(let path, let name):
      (
        path,
        "the part \(line(name)) is not what guide.json says; update the guide, or copy it again"
      )
    case .partTooLarge(let name, let bytes, let limit):
      (
        name,
        "\(bytes) bytes, more than the \(limit >> 20) MB accepted of a part; "
          + "build the guide of smaller maps"
      )
    case .tooManyValues(let part, let limit):
      (
        part,
        "more than \(limit) values, with which nobody could read it; "
          + "build the guide of smaller maps"
      )
    case .inTheWay(let path):
      (path, "no guide stands there, and it is not replaced; name another folder")
    case .busy(let path):
      (path, "another program is changing this guide; try again when it is done")
    case .fetchFailed(let part, let problem):
      (part, "cannot fetch it: \(line(problem)); try again later")
    case .downloadTooLarge(let part, let limit):
      (
        part,
        "more was sent than the \(limit) bytes expected; "
          + "correct what is published, or try again later"
      )
    case .downloadTooSmall(let part):
      (part, "less was sent than expected; try again, which goes on from there")
    case .wrongDownload(let part):
      (
        part,
        "what was sent is not what was asked for; correct what is published, or try again later"
      )
    case .badPart(let name, let problem):
      (name, "not a usable part of a guide: \(line(problem)); build the guide again")
    case .nothingNear(let place): (place, "no way of this mode is near; see cupola guide check")
    case .badFeed(let path, let problem), .badTour(let path, let problem),
      .badJournal(let path, let problem):
      (path, line(problem))
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
    case .unknownPlace(let text):
      "no place fits \"\(line(text))\"; cupola guide poi lists what there is"
    case .nothingOpen(let text): "no \"\(line(text))\" is open then; leave out --open"
    case .noTimetable:
      "this guide has no timetable; build it with --gtfs and the feed of the bus company"
    case .unknownStop(let text):
      "no stop fits \"\(line(text))\"; cupola guide stops lists what there is"
    case .passkeyRefused: "this passkey opens nothing; ask who gave it to you for another"
    default: ""
    }
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
