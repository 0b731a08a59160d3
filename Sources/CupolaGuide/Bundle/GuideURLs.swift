#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Variants of the path-based functions that take a URL.

extension Guide {
  /// Reads a guide and verifies its parts.
  public init(contentsOf folder: URL) throws(GuideError) {
    try self.init(contentsOf: folder.guidePath)
  }

  /// Writes the guide to a folder, replacing an older guide there, and returns the written bundle.
  ///
  /// - Parameter version: the version in the manifest; `nil` derives it from the digest of the parts.
  /// - Throws: ``GuideError``.
  @discardableResult
  public func write(to folder: URL, version: String? = nil) throws(GuideError) -> GuideBundle {
    try write(to: folder.guidePath, version: version)
  }
}

extension GuideBundle {
  /// Reads `guide.json`, but none of the parts.
  public init(reading folder: URL) throws(GuideError) { try self.init(reading: folder.guidePath) }
}

extension GuideUpdate {
  /// Creates an update of a guide folder.
  public init(of folder: URL, fetching fetch: @escaping Fetch) {
    self.init(of: folder.guidePath, fetching: fetch)
  }

  /// Fetches from another guide folder in chunks of 4 MB.
  public static func fetcher(fromFolder folder: URL) -> Fetch {
    fetcher(fromFolder: folder.guidePath)
  }
}

extension URL {
  /// The path of a file URL. For other URLs the whole URL, which is not an existing folder.
  package var guidePath: String { isFileURL ? path(percentEncoded: false) : absoluteString }
}
