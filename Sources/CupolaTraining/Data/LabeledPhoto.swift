#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

internal import Cupola

/// Which part of the work a photo is for.
public enum Split: String, Codable, CaseIterable, Sendable {
  /// Learned from.
  case train
  /// Learned from too: settings are chosen by cross-validation.
  case val
  /// Held back to measure with.
  case test
  /// A real building that is none of the labels, held back to measure refusal with.
  case testUnknown = "test_unknown"
}

/// A photo and what is known about it before it is opened.
public struct LabeledPhoto: Equatable, Sendable {
  /// Where the file is.
  public let path: String
  /// The bytes of ``path``: Swift takes some files' paths to be equal, é as one character and as two.
  var file: [UInt8] { Array(path.utf8) }
  /// Its name in messages and reports, relative to its folder of photos.
  public internal(set) var name: String
  /// The building, or a background label beginning with `_`.
  public internal(set) var label: String
  /// What it is for; `nil` when nobody divided the photos.
  public internal(set) var split: Split?
  /// Photos of one group, such as a shooting session, are never divided between training and test.
  public internal(set) var group: String?
  /// What other columns of `split.csv` say of it, by their names; nothing empty.
  public var attributes: [String: String] = [:]
  /// The file itself, where it is not on disk.
  var contents: [UInt8]?
  /// Whether a table lists it.
  var isListed = false
  /// Whether nobody here has the file: the photo was read elsewhere, and a shard tells of it.
  var isElsewhere = false

  /// The bytes of the file; none when the task was canceled.
  ///
  /// - Throws: ``CupolaError`` when it cannot be read or is larger than `limit`.
  func bytes(limit: Int) throws(CupolaError) -> [UInt8] {
    guard !Task.isCancelled else { throw .file(.cannotRead(path: path, code: ECANCELED)) }
    if let contents { return contents }
    // What a shard calls a photo is whatever somebody wrote, and as a path it would lead anywhere.
    guard !isElsewhere else { throw .file(.cannotRead(path: path, code: ENOENT)) }
    do { return try FileAccess.read(path, limit: limit) } catch { throw .file(error) }
  }

  /// The photo, opened.
  ///
  /// - Throws: ``CupolaError`` when the decoder refuses it.
  func opened(by decoder: PhotoDecoder) throws(CupolaError) -> Photo {
    try decoder.open(bytes(limit: decoder.limits.bytes))
  }
}
