public import CupolaSupport

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

extension GuideError {
  /// Errors of files as errors of this module.
  package static func files<Result>(
    _ body: () throws(FileError) -> Result
  ) throws(GuideError) -> Result {
    do throws(FileError) { return try body() } catch { throw .file(error) }
  }
}
