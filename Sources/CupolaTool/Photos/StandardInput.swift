import Cupola
import CupolaCampus

/// What comes on stdin: a photo itself, or paths of photos.
enum StandardInput {
  static let name = "stdin"

  /// - Parameter limit: bytes that are accepted.
  static func photos(limit: Int) -> [PhotoInput] {
    do throws(FileError) {
      return photos(in: try FileAccess.readStandardInput(limit: limit))
    } catch {
      return [PhotoInput(name, .failure(error))]
    }
  }

  private static func photos(in bytes: [UInt8]) -> [PhotoInput] {
    guard isPicture(bytes) else { return listed(in: bytes) }
    if hasSecondPhoto(bytes) {
      Console.note("note: \(name): only the first of several photos is answered; list their paths")
    }
    return [PhotoInput(name, .bytes(bytes))]
  }

  /// Whether another photo follows the first; what cameras put behind a photo, such as its gain map, is none: the photo
  /// lists it (MPF).
  private static func hasSecondPhoto(_ bytes: [UInt8]) -> Bool {
    var pictures = MotionJPEG()
    pictures.append(bytes)
    guard let first = pictures.next(), bytes.starts(with: first),
      bytes.dropFirst(first.count).starts(with: [0xFF, 0xD8]), pictures.next() != nil
    else { return false }
    return first.firstRange(of: Array("MPF\0".utf8)) == nil
  }

  /// A line without the mark that editors on Windows set before the first.
  static func unmarked(_ line: String, number: Int) -> String {
    guard number == 1 else { return line }
    let mark = ByteOrderMark.length(in: Array(line.utf8.prefix(3)))
    return String(decoding: line.utf8.dropFirst(mark), as: UTF8.self)
  }

  /// The photos that a file lists.
  ///
  /// - Throws: ``FileError``.
  static func listed(in path: String) throws(FileError) -> [PhotoInput] {
    listed(in: try FileAccess.read(path))
  }

  private static func listed(in bytes: [UInt8]) -> [PhotoInput] {
    let bytes = bytes.dropFirst(ByteOrderMark.length(in: bytes))
    // Of find -print0; else one a line.
    let end: UInt8 = bytes.contains(0) ? 0 : UInt8(ascii: "\n")
    return bytes.split(separator: end).compactMap { part in
      let path = end == 0 || part.last != UInt8(ascii: "\r") ? part : part.dropLast()
      guard !path.isEmpty else { return nil }
      if let name = String(validating: path, as: UTF8.self) { return PhotoInput(name) }
      let shown = String(decoding: path, as: UTF8.self)
      return PhotoInput(shown, .failure(.nameNotUTF8(path: shown)))
    }
  }

  /// A list may begin as a picture does ("BM/1.jpg"), but holds no bytes that steer a terminal.
  private static func isPicture(_ bytes: [UInt8]) -> Bool {
    let isSteering = bytes.prefix(4096).contains { $0 < 0x20 && !ofLists.contains($0) }
    switch PhotoFormat(of: bytes) {
    case .empty, .text: return false
    case .jpeg: return true
    default: return isSteering
    }
  }

  private static let ofLists: Set<UInt8> = [0, 0x09, 0x0A, 0x0D]
}
