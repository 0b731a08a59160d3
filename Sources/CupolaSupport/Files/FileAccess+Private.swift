#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Files that nobody but their owner reads.
extension FileAccess {
  /// Makes an empty file of mode 600.
  ///
  /// - Throws: ``FileError/cannotWrite(path:code:)``, also when something stands there.
  package static func createPrivate(_ path: String) throws(FileError) {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw .cannotWrite(path: path, code: errno) }
    close(file)
  }

  /// Makes a folder of mode 700 unless it is there.
  ///
  /// - Throws: ``FileError/noFolder(path:folder:)``, ``FileError/cannotWrite(path:code:)``.
  package static func createPrivateFolder(_ path: String) throws(FileError) {
    guard !Directory.isDirectory(path) else { return }
    try Directory.create(path)
    guard unsafe chmod(path, 0o700) == 0 else { throw .cannotWrite(path: path, code: errno) }
  }

  /// Gives a file the mode 600, which what replaces it has too.
  ///
  /// - Throws: ``FileError/cannotWrite(path:code:)``.
  package static func makePrivate(_ path: String) throws(FileError) {
    guard unsafe chmod(path, 0o600) == 0 else { throw .cannotWrite(path: path, code: errno) }
  }

  /// The bytes of a path behind all links; `nil` where it leads nowhere.
  package static func resolved(_ path: String) -> [UInt8]? {
    guard let found = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(found) }
    return unsafe Array(String(cString: found).utf8)
  }
}
