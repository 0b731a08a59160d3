internal import CupolaSupport

// 1. Fetch the published `guide.json` unless its ETag is unchanged, and download missing parts.
// 2. Switch the folder to the new guide.

/// Updates a guide by downloading and verifying only the parts that changed.
///
/// If an update is interrupted, the old guide stays, and the next update resumes the download. The app supplies the
/// closure that fetches files. Versions are not ordered: the published guide replaces the local one even if it is
/// older.
public struct GuideUpdate: Sendable {
  /// Fetches a file of the published guide, or part of it.
  public typealias Fetch = @Sendable (GuideRequest) async throws -> GuideResponse

  /// The result of an update.
  public enum Outcome: Equatable, Sendable {
    /// The local guide was complete and matched the published one.
    case upToDate(version: String)
    /// The guide was replaced or repaired.
    case updated(version: String, parts: [String], fetchedBytes: Int)
  }

  private let path: String
  private let source: GuideSource

  /// Creates an update of a guide folder.
  ///
  /// - Parameters:
  ///   - path: The folder. It is created if needed; its parent must exist.
  ///   - fetch: Fetches a file of the published guide.
  public init(of path: String, fetching fetch: @escaping Fetch) {
    self.path = path
    source = GuideSource(fetch: fetch)
  }

  /// Updates the guide.
  ///
  /// - Parameter progress: Called with the number of bytes downloaded so far and the total for all changed parts.
  /// - Throws: ``GuideError/fetchFailed(part:problem:)``, ``GuideError/unusable(name:problem:)``,
  ///   ``GuideError/canceled``, ``GuideError/file(_:)``; ``GuideError/inTheWay(path:)`` if the folder is not a guide;
  ///   ``GuideError/busy(path:)`` while another update runs; for the published `guide.json`, the errors of
  ///   ``GuideBundle``.
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

/// A request by ``GuideUpdate`` for a file of the published guide.
///
/// Over HTTP, send `GET` for ``file`` below the guide's address. If ``offset`` is above 0, add `Range: bytes=OFFSET-`
/// and `If-Range` with the ``etag``; otherwise add `If-None-Match` with the ``etag``.
public struct GuideRequest: Equatable, Sendable {
  /// The name of the part, such as `paths.bin`, or `guide.json`.
  public let name: String
  /// The file name in the guide folder.
  public let file: String
  /// The number of bytes already downloaded. The response must start at this offset or contain the whole file.
  public let offset: Int
  /// The maximum number of bytes to accept after the offset. A larger response ends the update with an error.
  public let limit: Int
  /// The HTTP `ETag` of the last complete or partial download.
  public let etag: String?
}

/// The response to a ``GuideRequest``.
public enum GuideResponse: Equatable, Sendable {
  /// The whole file (HTTP 200), even if an offset was requested.
  case whole([UInt8], etag: String? = nil)
  /// Some or all of the bytes after the offset (HTTP 206). Missing bytes are requested again.
  case partial([UInt8], etag: String? = nil)
  /// The file still has the requested etag (HTTP 304). Valid only for `guide.json`.
  case notModified
}

/// Calls the app's fetch closure and converts its errors.
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
  /// Returns a closure that fetches from another guide folder in chunks of 4 MB.
  ///
  /// - Parameter folder: A path or a `file:` URL. Other URLs make the update throw
  ///   ``GuideError/fetchFailed(part:problem:)``.
  public static func fetcher(fromFolder folder: String) -> Fetch {
    { request throws(GuideError) in
      guard let folder = path(of: folder) else {
        throw .fetchFailed(
          part: folder, problem: "not a folder or a local file: URL")
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

  /// No ETag is needed, because the file name contains the digest.
  private static func piece(
    _ request: GuideRequest, in folder: String
  ) throws(FileError) -> GuideResponse {
    let file = folder + "/" + request.file
    let size = try FileAccess.size(of: file)
    let start = min(request.offset, size)
    let count = min(size - start, request.limit, 4 << 20)
    return .partial(try FileAccess.read(file, bytes: start..<start + count))
  }

  /// Returns the path of a `file:` URL (RFC 8089) or a plain path; `nil` for other URLs.
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
    // Paths cannot contain NUL.
    return PercentEncoding.decoded(rest).flatMap { $0.utf8.contains(0) ? nil : $0 }
  }

  private static func colon(of text: String) -> String.Index? {
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+") }
    let rest = text[scheme.endIndex...]
    let isURL = rest.hasPrefix("://") || scheme.lowercased() == "file" && rest.hasPrefix(":/")
    return isURL && !scheme.isEmpty ? scheme.endIndex : nil
  }
}
