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
  /// A pipe, socket or device where a file is to be read.
  case notAFile(path: String)
  /// A name that is no UTF-8, by which nothing can be opened here; the path has U+FFFD in its place.
  case nameNotUTF8(path: String)
  /// A pipe, socket or device where a file is to be written, which would replace it.
  case notReplaceable(path: String)
  /// The folder of a file to be written does not exist.
  case noFolder(path: String, folder: String)
}

extension FileError: CustomStringConvertible {
  /// The same as ``message``.
  public var description: String { message }

  /// One line for people: what is wrong and what to do.
  public var message: String {
    switch self {
    case .cannotRead(let path, _), .cannotWrite(let path, _), .notAFile(let path),
      .nameNotUTF8(let path), .notReplaceable(let path), .noFolder(let path, _):
      "\(VisibleText.line(path)): \(problem)"
    case .tooLarge: problem
    }
  }

  /// ``message`` without the path, for lines that have a name already.
  package var problem: String {
    switch self {
    case .cannotRead(_, let code): "cannot read it: \(Self.text(of: code))"
    case .cannotWrite(_, let code): "cannot write it: \(Self.text(of: code))" + Self.advice(code)
    case .notAFile: "a pipe, socket or device, not a file; name a file"
    case .nameNotUTF8: "its name is not valid UTF-8; rename it"
    case .notReplaceable:
      "a pipe, socket or device stands there, which no file replaces; name another file"
    case .noFolder(_, let folder):
      "the folder \(VisibleText.line(folder)) does not exist; make it first"
    case .tooLarge(let bytes, let limit):
      "\(bytes) bytes, more than the \(limit >> 20) MB accepted; save it smaller"
    }
  }

  /// Whether there is no file of that name, rather than one that cannot be read.
  package var isMissing: Bool {
    guard case .cannotRead(_, let code) = self else { return false }
    return code == ENOENT || code == ENOTDIR
  }

  /// Whether what comes next could not be written either: not where a name is too long, or of bytes that a disk does not
  /// take.
  package var endsWriting: Bool {
    guard case .cannotWrite(_, let code) = self else { return false }
    return code != ENAMETOOLONG && code != EILSEQ
  }

  /// What writes something that waits elsewhere before it takes its place: errors name the place, which is what somebody
  /// asked for.
  ///
  /// - Throws: what `body` throws.
  package static func naming<Result>(
    _ place: String, _ body: () throws(FileError) -> Result
  ) throws(FileError) -> Result {
    do throws(FileError) {
      return try body()
    } catch {
      switch error {
      case .cannotWrite(_, let code): throw .cannotWrite(path: place, code: code)
      case .noFolder(_, let folder): throw .noFolder(path: place, folder: folder)
      default: throw error
      }
    }
  }

  /// What to do where something stands in the way.
  private static func advice(_ code: Int32) -> String {
    switch code {
    case EEXIST: "; it is not replaced: name another file"
    case ENOTDIR, EBUSY: "; name another folder"
    default: ""
    }
  }

  private static func text(of code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
