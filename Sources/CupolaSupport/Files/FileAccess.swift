#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. `opened` opens a path without blocking and rejects everything except regular files.
// 2. `read` compares the file size with the limit before it allocates memory.
// 3. `read` repeats until it has all bytes; stdin is read in chunks until the limit is exceeded.

/// Reads and writes whole files. Errors include the path.
package enum FileAccess {
  /// The default limit, needed because a sparse file can claim to be larger than memory.
  private static let defaultLimit = 2 << 30

  /// Reads a whole file. Throws ``FileError/tooLarge(bytes:limit:)`` if it exceeds the limit (default: 2 GB).
  package static func read(_ path: String, limit: Int? = nil) throws(FileError) -> [UInt8] {
    let limit = limit ?? defaultLimit
    let (file, size) = try opened(path)
    defer { close(file) }
    guard size <= limit else { throw FileError.tooLarge(bytes: size, limit: limit) }
    return try read(file, path, size)
  }

  /// Reads a range of a file's bytes. Throws if the file is too short.
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

  package static func size(of path: String) throws(FileError) -> Int {
    let (file, size) = try opened(path)
    close(file)
    return size
  }

  /// Opens a file for reading and returns its size. The caller closes the file.
  private static func opened(_ path: String) throws(FileError) -> (file: Int32, size: Int) {
    // Without O_NONBLOCK, opening a pipe would block until a writer opens it.
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 || errno != ENXIO else { throw FileError.notAFile(path: path) }
    guard file >= 0 else { throw FileError.cannotRead(path: path, code: errno) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else {
      let code = errno
      close(file)
      throw FileError.cannotRead(path: path, code: code)
    }
    // A pipe or device has no size and might never end.
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      throw status.st_mode & S_IFMT == S_IFDIR
        ? FileError.cannotRead(path: path, code: EISDIR) : FileError.notAFile(path: path)
    }
    return (file, Int(status.st_size))
  }

  /// Reads `size` bytes from the current offset, or fewer at the end of the file.
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

  /// Reads stdin until its end. Throws ``FileError/tooLarge(bytes:limit:)`` as soon as the limit is exceeded.
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

  /// Whether two paths refer to the same existing file. Follows links.
  package static func isSameFile(_ path: String, _ other: String) -> Bool {
    guard let own = Directory.Identity(of: path) else { return false }
    return own == Directory.Identity(of: other)
  }

  /// The folder part of a path, including the trailing slash; "." if the path has no folder.
  package static func folder(of path: String) -> String {
    let folder = path[..<name(of: path).startIndex]
    return folder.isEmpty ? "." : String(folder)
  }

  /// The last component of a path.
  ///
  /// Compares bytes, because Swift does not find a slash that precedes a combining character.
  package static func name(of path: String) -> Substring {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    return path[(slash.map(path.utf8.index(after:)) ?? path.startIndex)...]
  }

  private static func read(_ file: Int32, _ to: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
    #if canImport(Darwin)
      unsafe Darwin.read(file, to, count)
    #else
      unsafe Glibc.read(file, to, count)
    #endif
  }
}
