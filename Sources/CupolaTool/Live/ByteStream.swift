import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The bytes of a pipe, file or device as they come.
struct ByteStream {
  /// What messages call it.
  let name: String
  private let file: Int32
  private var portion = [UInt8](repeating: 0, count: 1 << 18)

  /// Standard input.
  init() { (name, file) = (StandardInput.name, STDIN_FILENO) }

  /// - Throws: ``FileError/cannotRead(path:code:)``.
  init(opening path: String) throws(FileError) {
    name = path
    file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .cannotRead(path: path, code: errno) }
  }

  /// What came, at least one byte; `nil` at the end.
  ///
  /// - Throws: ``FileError/cannotRead(path:code:)``.
  mutating func next() throws(FileError) -> ArraySlice<UInt8>? {
    while true {
      let count = unsafe portion.withUnsafeMutableBytes { buffer in
        unsafe read(file, buffer.baseAddress, buffer.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .cannotRead(path: name, code: errno) }
      return count == 0 ? nil : portion[..<count]
    }
  }

  /// Whether a path leads to a camera or another device that gives bytes.
  static func isDevice(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
  }
}
