#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Variants of the path-based functions that take URLs.

extension Guide {
  /// Reads a guide and verifies its parts.
  public init(contentsOf folder: URL) throws(GuideError) {
    try self.init(contentsOf: folder.guidePath)
  }

  /// Writes the guide to a folder, replaces an older guide there, and returns the written bundle.
  ///
  /// - Parameters:
  ///   - folder: The folder of the guide.
  ///   - version: The version in the manifest; `nil` derives it from the digests of the parts.
  /// - Throws: ``GuideError``.
  @discardableResult
  public func write(to folder: URL, version: String? = nil) throws(GuideError) -> GuideBundle {
    try write(to: folder.guidePath, version: version)
  }
}

extension GuideBundle {
  /// Reads `guide.json`, but does not read the parts.
  public init(reading folder: URL) throws(GuideError) { try self.init(reading: folder.guidePath) }
}

extension GuideUpdate {
  /// Creates an update of a guide folder.
  public init(of folder: URL, fetching fetch: @escaping Fetch) {
    self.init(of: folder.guidePath, fetching: fetch)
  }

  /// Returns a closure that fetches from another guide folder in chunks of 4 MB.
  public static func fetcher(fromFolder folder: URL) -> Fetch {
    fetcher(fromFolder: folder.guidePath)
  }
}

extension URL {
  /// The path of a file URL. For other URLs, the whole URL, which cannot be an existing folder.
  package var guidePath: String { isFileURL ? path(percentEncoded: false) : absoluteString }
}
