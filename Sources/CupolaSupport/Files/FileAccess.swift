#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. `opened` opens a path without waiting and rejects everything but regular files.
// 2. The size is checked against the limit before memory is reserved.
// 3. `read` loops until all bytes are there; stdin is read in portions up to its limit.

/// Reads and writes whole files, with errors that name them.
package enum FileAccess {
  /// How many bytes are read where nobody sets a limit: a file with holes may claim more than memory has.
  private static let usualLimit = 2 << 30

  /// All bytes of a file.
  ///
  /// - Parameter limit: bytes that are accepted (default: 2 GB).
  /// - Throws: ``FileError/cannotRead(path:code:)``; ``FileError/tooLarge(bytes:limit:)``
  ///   before any memory is taken.
  package static func read(_ path: String, limit: Int? = nil) throws(FileError) -> [UInt8] {
    let limit = limit ?? usualLimit
    let (file, size) = try opened(path)
    defer { close(file) }
    guard size <= limit else { throw FileError.tooLarge(bytes: size, limit: limit) }
    return try read(file, path, size)
  }

  /// Some bytes of a file.
  ///
  /// - Throws: ``FileError/cannotRead(path:code:)``, also when the file ends before them.
  package static func read(_ path: String, bytes: Range<Int>) throws(FileError) -> [UInt8] {
    let (file, size) = try opened(path)
    defer { close(file) }
    guard bytes.upperBound <= size, lseek(file, off_t(bytes.lowerBound), SEEK_SET) >= 0 else {
      throw FileError.cannotRead(path: path, code: EINVAL)
    }
    let found = try read(file, path, bytes.count)
    guard found.count == bytes.count else { throw FileError.cannotRead(path: path, code: EIO) }
    return found
  }

  /// How many bytes a file has.
  ///
  /// - Throws: ``FileError/cannotRead(path:code:)``.
  package static func size(of path: String) throws(FileError) -> Int {
    let (file, size) = try opened(path)
    close(file)
    return size
  }

  /// A file to read from, which the caller closes, and its size.
  private static func opened(_ path: String) throws(FileError) -> (file: Int32, size: Int) {
    // Without O_NONBLOCK opening a pipe would wait for somebody to write into it.
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    // ENXIO: a socket, which cannot even be opened.
    guard file >= 0 || errno != ENXIO else { throw FileError.notAFile(path: path) }
    guard file >= 0 else { throw FileError.cannotRead(path: path, code: errno) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else {
      let code = errno
      close(file)
      throw FileError.cannotRead(path: path, code: code)
    }
    // A pipe or device would have no size, and might never end.
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      throw status.st_mode & S_IFMT == S_IFDIR
        ? FileError.cannotRead(path: path, code: EISDIR) : FileError.notAFile(path: path)
    }
    return (file, Int(status.st_size))
  }

  /// So many bytes from where a file stands; fewer when it ends before.
  private static func read(
    _ file: Int32, _ path: String, _ size: Int
  ) throws(FileError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let part = unsafe Self.read(
          file, buffer.baseAddress.map { unsafe $0 + count }, size - count)
        if part < 0, errno == EINTR { continue }
        if part < 0 { failure = errno }
        if part <= 0 { break }
        count += part
      }
    }
    guard failure == 0 else { throw FileError.cannotRead(path: path, code: failure) }
    return bytes
  }

  /// All bytes that come on stdin.
  ///
  /// - Throws: ``FileError/cannotRead(path:code:)``; ``FileError/tooLarge(bytes:limit:)`` as soon as there
  ///   are more than accepted.
  package static func readStandardInput(limit: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var portion = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe portion.withUnsafeMutableBufferPointer { buffer in
        unsafe Self.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileError.cannotRead(path: "stdin", code: errno) }
      guard count > 0 else { return bytes }
      bytes += portion.prefix(count)
      guard bytes.count <= limit else {
        throw FileError.tooLarge(bytes: bytes.count, limit: limit)
      }
    }
  }

  /// Whether two paths lead to the same file, through links too; `false` when either leads nowhere.
  package static func isSameFile(_ path: String, _ other: String) -> Bool {
    guard let own = Directory.Identity(of: path) else { return false }
    return own == Directory.Identity(of: other)
  }

  /// The folder of a file, with a slash at its end unless it is the current one.
  package static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  }

  private static func read(_ file: Int32, _ to: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
    #if canImport(Darwin)
      unsafe Darwin.read(file, to, count)
    #else
      unsafe Glibc.read(file, to, count)
    #endif
  }
}
