public import CupolaSupport

// 1. Store the facts about an error in its case.
// 2. Format a case as a line with location, problem and recommended action in `message`.

/// An error related to a guide, its parts or its updates.
///
/// ``message`` describes the error for users. Later versions may add cases.
public enum GuideError: Error, Equatable, Sendable {
  /// A file or folder cannot be read or written.
  case file(FileError)

  // MARK: - Guides

  /// The path is a file, or a folder without `guide.json`.
  case noGuide(path: String)
  /// The guide's format is newer than this version supports.
  case newerFormat(String)
  /// A `guide.json`, a part or a download has an unexpected size, digest or content.
  case unusable(name: String, problem: String)
  /// The output path exists and is not a guide.
  case inTheWay(path: String)
  /// Another process is changing the guide.
  case busy(path: String)

  // MARK: - Updates

  /// The app's fetch closure failed.
  case fetchFailed(part: String, problem: String)
  /// The task was canceled; the guide is unchanged.
  case canceled

  // MARK: - Places and routes

  /// A part has invalid content.
  case badPart(name: String, problem: String)
  /// There is no path for the travel mode near the place.
  case nothingNear(String)
  /// No route exists between two places.
  case noWay(from: String, to: String)
  /// No place, no open place or no stop matches a text.
  case nothingFits(problem: String)

  // MARK: - Transit, tours and journals

  /// The guide was built without a timetable.
  case noTimetable
  /// A schedule, a realtime message, a tour, a passkey file, a beacon map or a journal cannot be read.
  case badFile(path: String, problem: String)
  /// The passkey does not unlock anything. The reason is deliberately not disclosed.
  case passkeyRefused
}

extension GuideError: CustomStringConvertible {
  /// The same as ``message``.
  public var description: String { message }

  /// The problem and the recommended action for users, in one line.
  public var message: String {
    guard let (place, problem) = placed else { return unplaced }
    return "\(VisibleText.line(place)): \(problem)"
  }

  private var placed: (place: String, problem: String)? {
    let line = { VisibleText.line($0) }
    return switch self {
    case .noGuide(let path):
      (path, "not a guide folder (missing guide.json); create one with cupola guide build")
    case .unusable(let name, let problem), .badFile(let name, let problem): (name, line(problem))
    case .inTheWay(let path):
      (path, "exists and is not a guide; choose another output folder")
    case .busy(let path):
      (path, "another process is updating this guide; try again later")
    case .fetchFailed(let part, let problem):
      (part, "download failed: \(line(problem)); try again later")
    case .badPart(let name, let problem):
      (name, "invalid guide part: \(line(problem)); build the guide again")
    case .nothingNear(let place): (place, "no path for this profile nearby; run cupola guide check")
    default: nil
    }
  }

  private var unplaced: String {
    let line = { VisibleText.line($0) }
    return switch self {
    case .file(let error): error.message
    case .newerFormat(let format):
      "unsupported guide format \(line(format)); "
        + "update Cupola, or build the guide with this version"
    case .canceled: "update canceled; the guide is unchanged"
    case .noWay(let from, let to):
      "no route from \(line(from)) to \(line(to)); run cupola guide check"
    case .nothingFits(let problem): line(problem)
    case .noTimetable:
      "this guide has no timetable; build it with --gtfs and the operator's feed"
    case .passkeyRefused: "invalid passkey; ask the issuer for another one"
    default: ""
    }
  }

  static func badManifest(path: String, problem: String) -> Self {
    .unusable(
      name: path,
      problem: "invalid guide: \(problem); build or copy the guide again")
  }

  static func wrongPart(path: String, name: String) -> Self {
    .unusable(
      name: path,
      problem: "part \(name) does not match guide.json; update or copy the guide again")
  }

  static func partTooLarge(name: String, bytes: Int, limit: Int) -> Self {
    .unusable(
      name: name,
      problem: "\(bytes) bytes exceed the limit of \(limit >> 20) MB per part; "
        + "use smaller maps")
  }

  package static func tooManyValues(part: String, limit: Int) -> Self {
    .unusable(
      name: part,
      problem: "more than \(limit) values, too many to read back; "
        + "use smaller maps")
  }

  static func downloadTooLarge(part: String, limit: Int) -> Self {
    .unusable(
      name: part,
      problem: "more than the expected \(limit) bytes received; "
        + "fix the published guide, or try again later")
  }

  /// The server sent less data than `guide.json` specifies.
  static func downloadTooSmall(part: String) -> Self {
    .unusable(
      name: part, problem: "less data received than expected; try again to resume")
  }

  static func wrongDownload(part: String) -> Self {
    .unusable(
      name: part,
      problem: "the received data does not match the request; "
        + "fix the published guide, or try again later")
  }

  package static func unknownPlace(_ text: String) -> Self {
    .nothingFits(problem: "no place matches \"\(text)\"; list places with cupola guide poi")
  }

  package static func nothingOpen(_ text: String) -> Self {
    .nothingFits(problem: "no \"\(text)\" is open at that time; omit --open")
  }

  package static func unknownStop(_ text: String) -> Self {
    .nothingFits(problem: "no stop matches \"\(text)\"; list stops with cupola guide stops")
  }

  package static func files<Result>(
    _ body: () throws(FileError) -> Result
  ) throws(GuideError) -> Result {
    do throws(FileError) { return try body() } catch { throw .file(error) }
  }
}

extension FolderLock {
  /// Runs a body while holding a folder's lock. Waits up to ten seconds for the lock.
  package static func hold<Result>(
    _ folder: String, for path: String, _ body: () throws(GuideError) -> Result
  ) throws(GuideError) -> Result {
    let lock = try GuideError.files { () throws(FileError) in try FolderLock.waiting(for: folder) }
    guard let lock else { throw .busy(path: path) }
    defer { lock.release() }
    return try body()
  }
}
