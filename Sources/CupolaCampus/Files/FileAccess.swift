#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Reads whole files, and writes them so that no half-written file is ever seen.
package enum FileAccess {
  /// All bytes of a file.
  ///
  /// - Throws: ``FileError/cannotRead(path:code:)``; ``FileError/tooLarge(bytes:limit:)``
  ///   before any memory is taken.
  package static func read(_ path: String, limit: Int = .max) throws(FileError) -> [UInt8] {
    // Without O_NONBLOCK opening a pipe would wait for somebody to write into it.
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw FileError.cannotRead(path: path, code: errno) }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else {
      throw FileError.cannotRead(path: path, code: errno)
    }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw FileError.cannotRead(path: path, code: EISDIR)
    }
    // A pipe or device would have no size, and might never end.
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileError.cannotRead(path: path, code: EINVAL)
    }
    let size = Int(status.st_size)
    guard size <= limit else { throw FileError.tooLarge(bytes: size, limit: limit) }
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

  /// Replaces or creates a file: written beside it, synced, then renamed over it.
  ///
  /// - Parameter synced: whether to wait until the disk has it; a file that can be made again need not.
  /// - Throws: ``FileError/cannotWrite(path:code:)``; what stood there before is then untouched.
  package static func write(
    _ bytes: [UInt8], to path: String, synced: Bool = true
  ) throws(FileError) {
    // Not by process: threads, and machines that share a folder, may write the same file.
    let temporary = path + ".part-" + String(UInt64.random(in: 0...UInt64.max), radix: 16)
    do throws(FileError) {
      try create(temporary, bytes, synced: synced)
      guard unsafe rename(temporary, path) == 0 else {
        throw FileError.cannotWrite(path: path, code: errno)
      }
    } catch {
      unsafe unlink(temporary)
      guard case .cannotWrite(_, let code) = error else { throw error }
      throw FileError.cannotWrite(path: path, code: code)
    }
    if synced { syncDirectory(of: path) }
  }

  /// Tells early whether a file could be written, before long work is done for it.
  ///
  /// - Throws: ``FileError/cannotWrite(path:code:)`` when the folder is missing or closed.
  package static func checkFolder(of path: String) throws(FileError) {
    guard unsafe access(folder(of: path), W_OK) == 0 else {
      throw .cannotWrite(path: path, code: errno)
    }
  }

  /// Whether two paths lead to the same file, through links too; `false` when either leads nowhere.
  package static func isSameFile(_ path: String, _ other: String) -> Bool {
    var own = stat()
    var others = stat()
    guard unsafe stat(path, &own) == 0, unsafe stat(other, &others) == 0 else { return false }
    return own.st_dev == others.st_dev && own.st_ino == others.st_ino
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  }

  private static func create(
    _ path: String, _ bytes: [UInt8], synced: Bool
  ) throws(FileError) {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw FileError.cannotWrite(path: path, code: errno) }
    var failure: Int32 = 0
    unsafe bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count, failure == 0 {
        let rest = unsafe buffer.baseAddress.map { unsafe $0 + written }
        let part = unsafe Self.write(file, rest, buffer.count - written)
        if part >= 0 { written += part } else if errno != EINTR { failure = errno }
      }
    }
    if synced, failure == 0, fsync(file) != 0 { failure = errno }
    if close(file) != 0, failure == 0 { failure = errno }
    guard failure == 0 else { throw FileError.cannotWrite(path: path, code: failure) }
  }

  /// Makes the rename itself durable; a file system that cannot do so is no reason to fail.
  private static func syncDirectory(of path: String) {
    let directory = unsafe open(folder(of: path), O_RDONLY | O_CLOEXEC)
    guard directory >= 0 else { return }
    _ = fsync(directory)
    close(directory)
  }

  private static func read(_ file: Int32, _ to: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
    #if canImport(Darwin)
      unsafe Darwin.read(file, to, count)
    #else
      unsafe Glibc.read(file, to, count)
    #endif
  }

  private static func write(_ file: Int32, _ from: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
      unsafe Darwin.write(file, from, count)
    #else
      unsafe Glibc.write(file, from, count)
    #endif
  }
}
