#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension FileAccess {
  /// Appends bytes to a file, creating it if it is missing. Does not follow links. If it throws, some bytes may be
  /// written.
  package static func append(_ bytes: [UInt8], to path: String) throws(FileError) {
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let file = unsafe open(path, flags, 0o666)
    guard file >= 0 else { throw .cannotWrite(path: path, code: errno) }
    defer { close(file) }
    let failure = writeAll(bytes, to: file)
    guard failure == 0 else { throw .cannotWrite(path: path, code: failure) }
  }

  /// Appends bytes to an existing file that no other process is writing, then syncs it. Does not follow links.
  ///
  /// If it throws, the file is truncated to its old length, unless that fails too.
  package static func appendAll(_ bytes: [UInt8], to path: String) throws(FileError) {
    let file = unsafe open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { throw .cannotWrite(path: path, code: errno) }
    defer { close(file) }
    let end = lseek(file, 0, SEEK_END)
    var failure = end < 0 ? errno : writeAll(bytes, to: file)
    if failure == 0, fsync(file) != 0 { failure = errno }
    guard failure != 0 else { return }
    // If writing was reported as failed, the bytes must not appear later.
    if end >= 0, ftruncate(file, end) == 0 { _ = fsync(file) }
    throw .cannotWrite(path: path, code: failure)
  }

  /// Writes all bytes at the current offset. Returns 0 or an error code.
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

/// Operations for files that only their owner can read.
extension FileAccess {
  /// Creates a folder with mode 0700 if it does not exist.
  package static func createPrivateFolder(_ path: String) throws(FileError) {
    guard !Directory.isDirectory(path) else { return }
    try Directory.create(path)
    guard unsafe chmod(path, 0o700) == 0 else { throw .cannotWrite(path: path, code: errno) }
  }

  /// Returns a path's bytes after resolving all links; `nil` if the path does not exist.
  package static func resolved(_ path: String) -> [UInt8]? {
    guard let found = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(found) }
    return unsafe Array(String(cString: found).utf8)
  }

  /// Whether a path is below a folder, at any depth. Both paths must be ``resolved(_:)``.
  package static func isBelow(_ path: [UInt8], folder: [UInt8]) -> Bool {
    let slash = UInt8(ascii: "/")
    return path.starts(with: folder.last == slash ? folder : folder + [slash])
  }
}
