#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension FolderLock {
  /// Locks a folder, and waits up to ten seconds for it; `nil` when others have it for longer.
  ///
  /// - Throws: ``FileError/cannotRead(path:code:)``.
  package static func waiting(for path: String) throws(FileError) -> FolderLock? {
    for _ in 0..<8000 {
      if let lock = try FolderLock(path) { return lock }
      // Not all at once again.
      usleep(.random(in: 500...2000))
    }
    return nil
  }
}
