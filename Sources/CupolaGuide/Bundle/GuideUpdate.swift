internal import CupolaSupport

// 1. The published `guide.json` is fetched, unless its tag says that it is the same.
// 2. Parts that are missing or differ are downloaded.
// 3. The folder becomes the new guide.

/// Brings a guide up to date: only the parts that changed are fetched, each is verified, and whatever interrupts it
/// leaves the old guide, and what was fetched for the next time.
///
/// The app fetches, over the network or from wherever its guides come. No order of versions is assumed: the guide
/// becomes what is published.
public struct GuideUpdate: Sendable {
  /// Gets a file of the newer guide, or a piece of it.
  public typealias Fetch = @Sendable (GuideRequest) async throws -> GuideResponse

  /// How an update ended.
  public enum Outcome: Equatable, Sendable {
    /// The guide was what is published, and whole.
    case upToDate(version: String)
    /// The guide is another one now, or was mended.
    case updated(version: String, parts: [String], fetchedBytes: Int)
  }

  private let path: String
  private let source: GuideSource

  /// An update of a folder.
  ///
  /// - Parameters:
  ///   - path: of the guide; a missing folder is made, the one above must be there.
  ///   - fetch: fetches a file of the guide that is published.
  public init(of path: String, fetching fetch: @escaping Fetch) {
    self.path = path
    source = GuideSource(fetch: fetch)
  }

  /// Updates the guide.
  ///
  /// - Parameter progress: is given the bytes that are there, of those of all parts that changed.
  /// - Throws: ``GuideError/fetchFailed(part:problem:)``, ``GuideError/unusable(name:problem:)``,
  ///   ``GuideError/canceled``;
  ///   ``GuideError/inTheWay(path:)`` when the folder is no guide, ``GuideError/busy(path:)`` while another update
  ///   runs; what reading a ``GuideBundle`` throws, of the newer `guide.json`; ``GuideError/file(_:)``.
  public func run(
    reporting progress: (_ bytes: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws(GuideError) -> Outcome {
    let folder = try GuideFolder(path)
    defer { folder.close() }
    let latest = try await latest(for: folder)
    let new = latest.manifest
    folder.clearStage(keepingFor: new)
    let missing = new.parts.filter { !folder.has($0) }
    let total = missing.reduce(0) { $0 + $1.bytes }
    var (done, fetched) = (0, 0)
    for part in missing {
      var download = try PartDownload(part, from: source, in: folder)
      try await download.run { progress(done + $0, total) }
      done += part.bytes
      fetched += download.fetched
    }
    let isUpToDate = missing.isEmpty && folder.manifest == new
    if isUpToDate {
      folder.tidy()
    } else {
      try folder.publish(new, json: latest.json)
    }
    folder.keep(etag: latest.etag)
    return isUpToDate
      ? .upToDate(version: new.version)
      : .updated(version: new.version, parts: missing.map(\.name), fetchedBytes: fetched)
  }

  private typealias Latest = (manifest: GuideManifest, json: [UInt8], etag: String?)

  private func latest(for folder: GuideFolder) async throws(GuideError) -> Latest {
    let (name, limit, etag) = (GuideManifest.file, GuideManifest.mostBytes, folder.etag)
    let request = GuideRequest(name: name, file: name, offset: 0, limit: limit, etag: etag)
    switch try await source.answer(to: request) {
    case .whole(let json, let tag):
      guard json.count <= limit else { throw .downloadTooLarge(part: name, limit: limit) }
      return (try GuideManifest(json: json, path: name), json, tag)
    case .notModified:
      guard let manifest = folder.manifest, let etag else { throw .wrongDownload(part: name) }
      return (manifest, manifest.json, etag)
    case .partial: throw .wrongDownload(part: name)
    }
  }
}

/// What ``GuideUpdate`` wants of a file of the newer guide.
///
/// Over HTTP: `GET` of ``file`` below the guide's address. With an ``offset`` also `Range: bytes=OFFSET-`, and
/// `If-Range` with the ``etag``; without one, `If-None-Match` with the ``etag``.
public struct GuideRequest: Equatable, Sendable {
  /// What is wanted: the name of a part, such as `paths.bin`, or `guide.json`.
  public let name: String
  /// The name of its file in the guide's folder.
  public let file: String
  /// Bytes that are there from an earlier time: the answer begins behind them, or is the whole file.
  public let offset: Int
  /// Bytes behind the offset that are accepted; more end the update with an error.
  public let limit: Int
  /// What the server called the file when it was fetched last, or in part (HTTP's `ETag`).
  public let etag: String?
}

/// What came of a ``GuideRequest``.
public enum GuideResponse: Equatable, Sendable {
  /// The file from its first byte on (HTTP 200), whatever offset was asked for.
  case whole([UInt8], etag: String? = nil)
  /// What follows the offset, or the beginning of that: the rest is asked for again (HTTP 206).
  case partial([UInt8], etag: String? = nil)
  /// The file is the one that the etag names (HTTP 304); only of `guide.json`.
  case notModified
}

/// Where an update comes from: the app's closure, whose errors become those of this module.
struct GuideSource: Sendable {
  let fetch: GuideUpdate.Fetch

  func answer(to request: GuideRequest) async throws(GuideError) -> GuideResponse {
    guard !Task.isCancelled else { throw .canceled }
    do {
      return try await fetch(request)
    } catch let error as GuideError {
      throw error
    } catch {
      if Task.isCancelled || error is CancellationError { throw .canceled }
      throw .fetchFailed(part: request.name, problem: "\(error)")
    }
  }
}

extension GuideUpdate {
  /// Fetches from another guide's folder, in pieces of 4 MB.
  ///
  /// - Parameter folder: a path, or a `file:` URL. What is neither is refused when the update runs, with
  ///   ``GuideError/fetchFailed(part:problem:)``.
  public static func fetcher(fromFolder folder: String) -> Fetch {
    { request throws(GuideError) in
      guard let folder = path(of: folder) else {
        throw .fetchFailed(
          part: folder, problem: "neither a folder nor a file: URL of this machine")
      }
      do throws(FileError) {
        return request.name == GuideManifest.file
          ? try manifest(request, in: folder) : try piece(request, in: folder)
      } catch .tooLarge(_, let limit) {
        throw .downloadTooLarge(part: request.name, limit: limit)
      } catch { throw .file(error) }
    }
  }

  private static func manifest(
    _ request: GuideRequest, in folder: String
  ) throws(FileError) -> GuideResponse {
    let bytes = try FileAccess.read(folder + "/" + request.file, limit: request.limit)
    let etag = SHA256.hexadecimal(of: bytes)
    return request.etag == etag ? .notModified : .whole(bytes, etag: etag)
  }

  /// Without an etag: the digest in the name of a part's file tells more.
  private static func piece(
    _ request: GuideRequest, in folder: String
  ) throws(FileError) -> GuideResponse {
    let file = folder + "/" + request.file
    let size = try FileAccess.size(of: file)
    let start = min(request.offset, size)
    let count = min(size - start, request.limit, 4 << 20)
    return .partial(try FileAccess.read(file, bytes: start..<start + count))
  }

  /// The path that a `file:` URL means (RFC 8089), or a path itself; `nil` for URLs of other kinds.
  static func path(of text: String) -> String? {
    guard let colon = colon(of: text) else { return text }
    guard text[..<colon].lowercased() == "file" else { return nil }
    var rest = text[text.index(after: colon)...]
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != "/" }
      guard host.isEmpty || host.lowercased() == "localhost" else { return nil }
      rest = rest.dropFirst(host.count)
    }
    guard rest.hasPrefix("/") else { return nil }
    // No path has a zero.
    return PercentEncoding.decoded(rest).flatMap { $0.utf8.contains(0) ? nil : $0 }
  }

  /// The end of a URL's scheme: letters, before `//` or, in `file:/path`, a slash.
  private static func colon(of text: String) -> String.Index? {
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+") }
    let rest = text[scheme.endIndex...]
    let isURL = rest.hasPrefix("://") || scheme.lowercased() == "file" && rest.hasPrefix(":/")
    return isURL && !scheme.isEmpty ? scheme.endIndex : nil
  }
}
