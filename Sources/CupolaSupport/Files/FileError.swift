#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An error when reading or writing a file. `code` is the system's `errno`.
public enum FileError: Error, Equatable, Sendable {
  /// The file cannot be opened or read.
  case cannotRead(path: String, code: Int32)
  /// The file cannot be written, synced or renamed.
  case cannotWrite(path: String, code: Int32)
  /// The file exceeds the size limit.
  case tooLarge(bytes: Int, limit: Int)
  /// The file to read is a pipe, socket or device.
  case notAFile(path: String)
  /// The file name is not valid UTF-8, so the file cannot be opened. The path has U+FFFD in place of invalid bytes.
  case nameNotUTF8(path: String)
  /// The file to write is a pipe, socket or device, which cannot be replaced.
  case notReplaceable(path: String)
  /// The file is a placeholder of a photo that is in iCloud and not on this disk.
  case notDownloaded(path: String)
  /// The folder that should contain the file does not exist.
  case noFolder(path: String, folder: String)
}

extension FileError: CustomStringConvertible {
  /// Returns ``message``.
  public var description: String { message }

  /// A one-line message that describes the problem and how to fix it.
  public var message: String {
    switch self {
    case .cannotRead(let path, _), .cannotWrite(let path, _), .notAFile(let path),
      .nameNotUTF8(let path), .notReplaceable(let path), .notDownloaded(let path),
      .noFolder(let path, _):
      "\(VisibleText.line(path)): \(problem)"
    case .tooLarge: problem
    }
  }

  /// ``message`` without the path, for output in which the path is already shown.
  package var problem: String {
    switch self {
    case .cannotRead(_, let code): "cannot be read: \(Self.text(of: code))"
    case .cannotWrite(_, let code): "cannot be written: \(Self.text(of: code))" + Self.advice(code)
    case .notAFile: "is a pipe, socket or device; use a regular file"
    case .nameNotUTF8: "its name is not valid UTF-8; rename it"
    case .notReplaceable: "is a pipe, socket or device and cannot be replaced; choose another file"
    case .notDownloaded:
      "iCloud placeholder of a photo that is not on this disk; download it in Finder or with brctl download"
    case .noFolder(_, let folder):
      "the folder \(VisibleText.line(folder)) does not exist; create it first"
    case .tooLarge(let bytes, let limit):
      "\(bytes) bytes exceeds the limit of \(limit >> 20) MB; reduce the file size"
    }
  }

  package var isMissing: Bool {
    guard case .cannotRead(_, let code) = self else { return false }
    return code == ENOENT || code == ENOTDIR
  }

  /// Whether later writes would fail too. False if the problem is only that this file's name is invalid or too long.
  package var endsWriting: Bool {
    guard case .cannotWrite(_, let code) = self else { return false }
    return code != ENAMETOOLONG && code != EILSEQ
  }

  /// Runs `body` and replaces the path in its errors, for files that are written elsewhere and then moved to `place`.
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

  private static func advice(_ code: Int32) -> String {
    switch code {
    case EEXIST: "; existing files are not overwritten: choose another file"
    case ENOTDIR, EBUSY: "; choose another folder"
    default: ""
    }
  }

  private static func text(of code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
