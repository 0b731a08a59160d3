#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What keeps a file from being read or written; `code` is the system's `errno`.
public enum FileError: Error, Equatable, Sendable {
  /// The system refused to open or read a file.
  case cannotRead(path: String, code: Int32)
  /// The system refused to write, sync or rename a file.
  case cannotWrite(path: String, code: Int32)
  /// A file is larger than what is accepted.
  case tooLarge(bytes: Int, limit: Int)
}

extension FileError: CustomStringConvertible {
  /// The same as ``message``.
  public var description: String { message }

  /// One line for people: what is wrong and what to do.
  public var message: String {
    switch self {
    case .cannotRead(let path, let code): "\(path): cannot read it: \(Self.text(of: code))"
    case .cannotWrite(let path, let code): "\(path): cannot write it: \(Self.text(of: code))"
    case .tooLarge(let bytes, let limit):
      "\(bytes) bytes, more than the \(limit >> 20) MB accepted; save it smaller"
    }
  }

  private static func text(of code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
