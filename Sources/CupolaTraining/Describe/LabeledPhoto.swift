package import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. `LabeledPhoto` is a file, or bytes, with its label, part and group.
// 2. `reading` maps many photos on several threads and collects the failures as `SkippedFile`.
// 3. `PhotoTraits` is what a photo is compared by after it was read.

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
  package let path: String
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
  package var attributes: [String: String] = [:]
  var contents: [UInt8]?
  var isListed = false
  /// Whether nobody here has the file: the photo was read elsewhere, and a shard tells of it.
  var isElsewhere = false

  /// The bytes of the file; none when the task was canceled.
  func bytes(limit: Int) throws(CupolaError) -> [UInt8] {
    guard !Task.isCancelled else { throw .file(.cannotRead(path: path, code: ECANCELED)) }
    if let contents { return contents }
    // What a shard calls a photo is whatever somebody wrote, and as a path it would lead anywhere.
    guard !isElsewhere else { throw .file(.cannotRead(path: path, code: ENOENT)) }
    do { return try FileAccess.read(path, limit: limit) } catch { throw .file(error) }
  }

  func opened(by decoder: PhotoDecoder) throws(CupolaError) -> Photo {
    try decoder.open(bytes(limit: decoder.limits.bytes))
  }
}

extension LabeledPhoto {
  /// A photo in memory, to be trained on or evaluated.
  ///
  /// - Parameters:
  ///   - contents: the bytes of a whole file.
  ///   - name: what messages and reports call it.
  ///   - label: the building, or a background label beginning with `_`.
  ///   - group: what a shooting session has in common; photos of one are never divided.
  public init(contents: [UInt8], name: String, label: String, group: String? = nil) {
    self.init(
      path: name, name: name, label: label, split: .train, group: group, contents: contents)
  }
}

extension LabeledPhoto {
  /// The shooting session that somebody named.
  ///
  /// Groups that `cupola split` numbered keep photos together that show nearly the same: of days they
  /// say nothing.
  var namedSession: String? { group.flatMap { SplitTable.isNumbered($0) ? nil : $0 } }
}

extension [LabeledPhoto] {
  /// Reads every photo by a function of the caller's, at most `threads` at a time.
  func reading<Value: Sendable>(
    threads: Int, progress: (@Sendable (Int) -> Void)? = nil,
    _ read: @escaping @Sendable (LabeledPhoto) throws(CupolaError) -> Value
  ) async -> (values: [Value], skipped: [SkippedFile]) {
    let results = await parallelMap(self, threads: threads, progress: progress) { photo in
      Result { () throws(CupolaError) in try read(photo) }
    }
    var values: [Value] = []
    var skipped: [SkippedFile] = []
    for (photo, result) in zip(self, results) {
      switch result {
      case .success(let value): values.append(value)
      case .failure(let error):
        skipped.append(SkippedFile(name: photo.name, reason: .unusable(error)))
      }
    }
    return (values, skipped)
  }
}

/// A file that was left out.
public struct SkippedFile: Equatable, Sendable {
  /// Its name, relative to its folder of photos.
  public let name: String
  package let reason: Reason

  package enum Reason: Equatable, Sendable {
    case unusable(CupolaError)
    case told(String)
    /// A name that other systems could not read.
    case nameNotUTF8
    /// A photo beside the label folders.
    case outsideLabelFolder
    /// A photo in a folder beside those of the parts.
    case besidePartFolders
  }

  package init(name: String, reason: Reason) {
    self.name = name
    self.reason = reason
  }

  /// One line for people: what is wrong and what to do.
  public var message: String {
    switch reason {
    case .unusable(.file(let error)): error.problem + hint(at: error)
    case .unusable(let error): error.message
    case .told(let problem): problem
    case .nameNotUTF8: "its name is not valid UTF-8; rename it"
    case .besidePartFolders: "in a folder beside train, val and test; move it into one of them"
    case .outsideLabelFolder: "a photo outside the label folders; move it into one"
    }
  }

  /// What tables that were written on Windows get wrong.
  private func hint(at error: FileError) -> String {
    guard case .cannotRead = error, name.contains("\\") else { return "" }
    return "; write / between folders, not \\"
  }
}

struct PhotoTraits: Sendable {
  let photo: LabeledPhoto
  let digest: String
  let metadata: PhotoMetadata
  var thumbnail: LumaThumbnail?
}

extension PhotoTraits {
  /// Of a photo that cannot be read: nothing shows that another is like it.
  init(unread photo: LabeledPhoto) {
    self.init(
      photo: photo, digest: "unread " + photo.path, metadata: photo.metadata(PhotoMetadata()),
      thumbnail: nil)
  }

  init(reading photo: LabeledPhoto, with decoder: PhotoDecoder) throws(CupolaError) {
    let opened = try photo.opened(by: decoder)
    let side = LumaThumbnail.side
    let image = try opened.image(minimumWidth: side, minimumHeight: side)
    self.init(
      photo: photo, digest: SHA256.hexadecimal(of: opened.bytes),
      metadata: photo.metadata(of: opened), thumbnail: LumaThumbnail(image))
  }
}
