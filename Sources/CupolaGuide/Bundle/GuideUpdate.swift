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
  /// - Throws: ``GuideError/fetchFailed(part:problem:)``, ``GuideError/downloadTooLarge(part:limit:)``,
  ///   ``GuideError/downloadTooSmall(part:)``, ``GuideError/wrongDownload(part:)``, ``GuideError/canceled``;
  ///   ``GuideError/inTheWay(path:)`` when the folder is no guide, ``GuideError/busy(path:)`` while another update
  ///   runs; what ``GuideBundle/init(reading:)`` throws, of the newer `guide.json`; ``GuideError/file(_:)``.
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

  /// The newer `guide.json`.
  private struct Latest {
    let manifest: GuideManifest
    let json: [UInt8]
    let etag: String?
  }

  private func latest(for folder: GuideFolder) async throws(GuideError) -> Latest {
    let (name, limit, etag) = (GuideManifest.file, GuideManifest.mostBytes, folder.etag)
    let request = GuideRequest(name: name, file: name, offset: 0, limit: limit, etag: etag)
    switch try await source.answer(to: request) {
    case .whole(let json, let tag):
      guard json.count <= limit else { throw .downloadTooLarge(part: name, limit: limit) }
      return Latest(manifest: try GuideManifest(json: json, path: name), json: json, etag: tag)
    case .notModified:
      guard let manifest = folder.manifest, let etag else { throw .wrongDownload(part: name) }
      return Latest(manifest: manifest, json: manifest.json, etag: etag)
    case .partial: throw .wrongDownload(part: name)
    }
  }
}
