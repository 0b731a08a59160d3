package import CupolaSupport

extension FolderLock {
  /// Does something while nobody else changes the files of a folder; waits up to ten seconds for it.
  ///
  /// - Parameters:
  ///   - folder: what is locked.
  ///   - path: what the error names when others have the folder for long.
  /// - Throws: ``GuideError/busy(path:)``, ``GuideError/file(_:)``; what the body throws.
  package static func hold<Result>(
    _ folder: String, for path: String, _ body: () throws(GuideError) -> Result
  ) throws(GuideError) -> Result {
    let lock = try GuideError.files { () throws(FileError) in try FolderLock.waiting(for: folder) }
    guard let lock else { throw .busy(path: path) }
    defer { lock.release() }
    return try body()
  }
}
