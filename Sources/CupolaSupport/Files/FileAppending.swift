#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension FileAccess {
  /// Adds bytes to the end of a file, which is made when it is missing; links are not followed.
  ///
  /// - Throws: ``FileError/cannotWrite(path:code:)``; the file then ends with some of the bytes.
  package static func append(_ bytes: [UInt8], to path: String) throws(FileError) {
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let file = unsafe open(path, flags, 0o666)
    guard file >= 0 else { throw .cannotWrite(path: path, code: errno) }
    defer { close(file) }
    let failure = writeAll(bytes, to: file)
    guard failure == 0 else { throw .cannotWrite(path: path, code: failure) }
  }

  /// Adds bytes to the end of a file, which is there and to which nobody else adds meanwhile, by one write where the
  /// system takes them at once, and waits until the disk has them; links are not followed.
  ///
  /// - Throws: ``FileError/cannotWrite(path:code:)``; the file is then as long as before, unless that fails too.
  package static func appendAll(_ bytes: [UInt8], to path: String) throws(FileError) {
    let file = unsafe open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { throw .cannotWrite(path: path, code: errno) }
    defer { close(file) }
    let end = lseek(file, 0, SEEK_END)
    var failure = end < 0 ? errno : writeAll(bytes, to: file)
    if failure == 0, fsync(file) != 0 { failure = errno }
    guard failure != 0 else { return }
    // What nobody was told of must not be there later.
    if end >= 0, ftruncate(file, end) == 0 { _ = fsync(file) }
    throw .cannotWrite(path: path, code: failure)
  }

  /// Writes bytes where a file stands.
  ///
  /// - Returns: 0, or what went wrong.
  static func writeAll(_ bytes: [UInt8], to file: Int32) -> Int32 {
    var failure: Int32 = 0
    unsafe bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count, failure == 0 {
        let rest = unsafe buffer.baseAddress.map { unsafe $0 + written }
        let part = unsafe write(file, from: rest, buffer.count - written)
        if part >= 0 { written += part } else if errno != EINTR { failure = errno }
      }
    }
    return failure
  }

  /// Waits until the disk has a file.
  ///
  /// - Throws: ``FileError/cannotWrite(path:code:)``.
  package static func sync(_ path: String) throws(FileError) {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .cannotWrite(path: path, code: errno) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw .cannotWrite(path: path, code: errno) }
  }

  private static func write(_ file: Int32, from: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
      unsafe Darwin.write(file, from, count)
    #else
      unsafe Glibc.write(file, from, count)
    #endif
  }
}

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
