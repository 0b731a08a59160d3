package import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Define a photo with its label, split and group (`LabeledPhoto`).
// 2. Read many photos in parallel and collect failures (`reading`, `SkippedFile`).
// 3. Store the traits by which photos are compared (`PhotoTraits`).

/// The use of a photo: training or evaluation.
public enum Split: String, Codable, CaseIterable, Sendable {
  /// Used for training.
  case train
  /// Also used for training, because settings are chosen by cross-validation.
  case val
  /// Held out for evaluation.
  case test
  /// A building without a label, held out to evaluate the rejection of unknown buildings.
  case testUnknown = "test_unknown"
}

/// A photo and the information about it that is available before it is opened.
public struct LabeledPhoto: Equatable, Sendable {
  package let path: String
  /// The bytes of ``path``; as strings, Swift would treat canonically equivalent paths as equal.
  var file: [UInt8] { Array(path.utf8) }
  /// The name in messages and reports, relative to the photo folder.
  public internal(set) var name: String
  /// The building's label, or a background label with prefix `_`.
  public internal(set) var label: String
  /// The split of the photo; `nil` if the photos are not split.
  public internal(set) var split: Split?
  /// The group, such as a session; a split never divides it.
  public internal(set) var group: String?
  package var attributes: [String: String] = [:]
  var contents: [UInt8]?
  /// Whether a table lists the photo, with its label.
  package var isListed = false
  /// Whether the file is on another machine, so that its features are only available in a shard.
  var isElsewhere = false

  func bytes(limit: Int) throws(CupolaError) -> [UInt8] {
    guard !Task.isCancelled else { throw .file(.cannotRead(path: path, code: ECANCELED)) }
    if let contents { return contents }
    // Do not open paths that come from a shard.
    guard !isElsewhere else { throw .file(.cannotRead(path: path, code: ENOENT)) }
    do { return try FileAccess.read(path, limit: limit) } catch { throw .file(error) }
  }

  /// Opens the photo if a model was trained with this file under this label; `nil` for other and unreadable files.
  ///
  /// - Returns: The photo and its digest, as the model stores it.
  package func opened(
    asTrained model: Model, by decoder: PhotoDecoder
  ) -> (photo: Photo, digest: String)? {
    guard let digests = model.provenance.photoDigests[label]?.values,
      let bytes = try? bytes(limit: decoder.maximumBytes),
      let digest = PhotoDigests(sha256: [SHA256.hexadecimal(of: bytes)]).values.first,
      digests.contains(digest), let photo = try? decoder.open(bytes)
    else { return nil }
    return (photo, digest)
  }

  func opened(by decoder: PhotoDecoder) throws(CupolaError) -> Photo {
    var photo = try decoder.open(bytes(limit: decoder.maximumBytes))
    correctPosition(of: &photo)
    if contents == nil { photo.complete(from: path, by: decoder) }
    return photo
  }

  /// Replaces the position by that of the table, unless both are the same; the recorded one may have an accuracy.
  private func correctPosition(of photo: inout Photo) {
    guard let listed = listedPosition else { return }
    let isSame = photo.metadata.position.map { Geodesic(from: $0, to: listed).distance < 1 }
    if isSame != true { photo.correctedPosition = listed }
  }

  static let positionColumns = ["lat", "lon"]

  /// The position in the columns `lat` and `lon` of a table.
  var listedPosition: Position? {
    let degrees = Self.positionColumns.compactMap { attributes[$0].flatMap(Double.init) }
    return degrees.count == 2 ? Position(latitude: degrees[0], longitude: degrees[1]) : nil
  }
}

extension LabeledPhoto {
  /// Creates a photo from memory, for training or evaluation.
  ///
  /// - Parameters:
  ///   - contents: The bytes of the file.
  ///   - name: The name in messages and reports.
  ///   - label: The building's label, or a background label with prefix `_`.
  ///   - group: The group, such as a session; a split never divides it.
  public init(contents: [UInt8], name: String, label: String, group: String? = nil) {
    self.init(
      path: name, name: name, label: label, split: .train, group: group, contents: contents)
  }
}

extension LabeledPhoto {
  /// The named session; `nil` for groups numbered by `cupola split`, because these do not identify days.
  var namedSession: String? { group.flatMap { SplitTable.isNumbered($0) ? nil : $0 } }

  /// Whether a table assigns the photo to testing; `nil` if no table lists it, or lists it as an unknown building.
  var isGivenTest: Bool? {
    guard isListed, let split, split != .testUnknown else { return nil }
    return split == .test
  }
}

extension [LabeledPhoto] {
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

/// A file that was skipped.
public struct SkippedFile: Equatable, Sendable {
  /// The name, relative to the photo folder.
  public let name: String
  package let reason: Reason

  package enum Reason: Equatable, Sendable {
    case unusable(CupolaError)
    case reported(String)
    case nameNotUTF8
    case outsideLabelFolder
    case outsideSplitFolders
    case notDownloaded
  }

  package init(name: String, reason: Reason) {
    self.name = name
    self.reason = reason
  }

  /// Whether the file does not exist.
  var isMissing: Bool {
    if case .unusable(.file(.cannotRead(_, ENOENT))) = reason { true } else { false }
  }

  /// The problem without the recommended action.
  var problem: String {
    message.ranges(of: "; ").last.map { String(message[..<$0.lowerBound]) } ?? message
  }

  /// The problem and the recommended action, in one line.
  public var message: String {
    switch reason {
    case .unusable(.file(let error)): error.problem + hint(at: error)
    case .unusable(let error): error.message
    case .reported(let problem): problem
    case .nameNotUTF8: "its name is not valid UTF-8; rename it"
    case .outsideSplitFolders: "outside the folders train, val and test; move it into one of them"
    case .notDownloaded: FileError.notDownloaded(path: name).problem
    case .outsideLabelFolder: "not in a label folder; move it into one"
    }
  }

  private func hint(at error: FileError) -> String {
    guard case .cannotRead = error, name.contains("\\") else { return "" }
    return "; use / instead of \\ between folders"
  }
}

struct PhotoTraits: Sendable {
  let photo: LabeledPhoto
  let digest: String
  let metadata: PhotoMetadata
  var thumbnail: LumaThumbnail?
}

extension PhotoTraits {
  /// Whether this is a building photo whose visit is unknown, because it has neither a capture time nor a named session.
  var isUntimedBuilding: Bool {
    !Labels.isBackground(photo.label) && photo.namedSession == nil && metadata.captureTime == nil
  }

  /// The traits of an unreadable photo; they match no other photo.
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
