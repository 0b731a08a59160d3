#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Guides by URL: each is what its path is.

extension Guide {
  /// Reads a guide; its parts are verified.
  ///
  /// - Throws: ``GuideError``.
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
  /// Reads what a guide consists of, and none of its parts.
  ///
  /// - Throws: ``GuideError``.
  public init(reading folder: URL) throws(GuideError) { try self.init(reading: folder.guidePath) }
}

extension GuideUpdate {
  /// An update of a folder.
  public init(of folder: URL, fetching fetch: @escaping Fetch) {
    self.init(of: folder.guidePath, fetching: fetch)
  }

  /// Fetches from another guide's folder, in pieces of 4 MB.
  public static func fetcher(fromFolder folder: URL) -> Fetch {
    fetcher(fromFolder: folder.guidePath)
  }
}

extension URL {
  /// The path of a folder; of what is no file the whole URL, which no folder is called.
  package var guidePath: String { isFileURL ? path(percentEncoded: false) : absoluteString }
}
