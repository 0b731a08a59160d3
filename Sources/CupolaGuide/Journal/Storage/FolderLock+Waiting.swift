internal import CupolaCampus

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension FolderLock {
  /// Does something while nobody else changes the files of a folder; waits up to ten seconds for it.
  ///
  /// - Parameters:
  ///   - folder: what is locked.
  ///   - path: what the error names when others have the folder for long.
  /// - Throws: ``GuideError/busy(path:)``, ``GuideError/file(_:)``; what the body throws.
  static func hold<Result>(
    _ folder: String, for path: String, _ body: () throws(GuideError) -> Result
  ) throws(GuideError) -> Result {
    for _ in 0..<8000 {
      let lock = try GuideError.files { () throws(FileError) in try FolderLock(folder) }
      if let lock {
        defer { lock.release() }
        return try body()
      }
      // Not all at once again.
      usleep(.random(in: 500...2000))
    }
    throw .busy(path: path)
  }
}
