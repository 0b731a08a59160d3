import ArgumentParser
import Cupola
import CupolaCampus
import CupolaTraining

// 1. Find the photos that the arguments refer to: files, folders, or "-" for stdin.
// 2. Read one photo or a list of paths from stdin.

enum PhotoArguments {
  static func photos(_ arguments: [String], limit: Int) throws -> [PhotoInput] {
    try arguments.flatMap { argument in
      if argument == "-" { return StandardInput.photos(limit: limit) }
      if InvalidUTF8Arguments.all.contains(argument) {
        return [PhotoInput(argument, .failure(.nameNotUTF8(path: argument)))]
      }
      guard Directory.isDirectory(argument) else { return [PhotoInput(argument)] }
      let found = photos(in: argument)
      guard !found.isEmpty else { throw TrainingError.noPhotos(path: argument) }
      return found
    }
  }

  static func checkPaths(_ paths: [String?]) throws {
    guard paths.contains("") else { return }
    throw ValidationError("empty path; is a shell variable unset?")
  }

  /// Returns all photos below a folder, and errors for folders that cannot be read.
  private static func photos(in folder: String) -> [PhotoInput] {
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    let entries: [Directory.Entry]
    do throws(FileError) { entries = try HiddenFile.entries(of: folder) } catch {
      return [PhotoInput(folder, .failure(error))]
    }
    let steps = FolderWalk.steps(in: folder, entries: entries, listing: HiddenFile.entries)
    return steps.compactMap { step in
      let photo = PhotoInput(base + step.name)
      if HiddenFile(step.lastName) == .placeholder { return photo }
      // The entry might be a folder with photos, so report it whatever its extension is.
      if step.kind == .notUTF8 {
        return PhotoInput(photo.name, .failure(.nameNotUTF8(path: photo.name)))
      }
      if PhotoSet.looksLikePhoto(step.lastName) { return photo }
      guard case .unreadable(let error) = step.kind else { return nil }
      return PhotoInput(photo.name, .failure(error))
    }
  }
}

struct PhotoInput: Sendable {
  let name: String
  let source: Source

  enum Source: Sendable {
    case file
    case bytes([UInt8])
    case failure(FileError)
  }

  init(_ name: String, _ source: Source = .file) { (self.name, self.source) = (name, source) }

  func opened(by decoder: PhotoDecoder) throws(CupolaError) -> Photo {
    switch source {
    case .file:
      if HiddenFile(name.split(separator: "/").last ?? "") == .placeholder {
        throw .file(.notDownloaded(path: name))
      }
      var photo = try decoder.open(path: name)
      photo.complete(from: name, by: decoder)
      return photo
    case .bytes(let bytes): return try decoder.open(bytes)
    case .failure(let error): throw .file(error)
    }
  }

  func bytes(limit: Int) throws(FileError) -> [UInt8] {
    switch source {
    case .file: return try FileAccess.read(name, limit: limit)
    case .bytes(let bytes): return bytes
    case .failure(let error): throw error
    }
  }
}

enum StandardInput {
  static let name = "stdin"

  static func photos(limit: Int) -> [PhotoInput] {
    do throws(FileError) {
      return photos(in: try FileAccess.readStandardInput(limit: limit))
    } catch {
      return [PhotoInput(name, .failure(error))]
    }
  }

  private static func photos(in bytes: [UInt8]) -> [PhotoInput] {
    guard isPhoto(bytes) else { return listed(in: bytes) }
    if hasSecondPhoto(bytes) {
      Console.note(
        "note: \(name): only the first of several photos is classified; pass a list of paths")
    }
    return [PhotoInput(name, .bytes(bytes))]
  }

  /// Whether a second photo follows. Images listed in the first photo's MPF segment do not count.
  private static func hasSecondPhoto(_ bytes: [UInt8]) -> Bool {
    var pictures = MotionJPEG()
    pictures.append(bytes)
    guard let first = pictures.next(), bytes.starts(with: first),
      bytes.dropFirst(first.count).starts(with: [0xFF, 0xD8]), pictures.next() != nil
    else { return false }
    return first.firstRange(of: Array("MPF\0".utf8)) == nil
  }

  /// Returns a line. Removes the byte order mark from line 1.
  static func unmarked(_ line: String, number: Int) -> String {
    guard number == 1 else { return line }
    let mark = ByteOrderMark.length(in: Array(line.utf8.prefix(3)))
    return String(decoding: line.utf8.dropFirst(mark), as: UTF8.self)
  }

  static func listed(in path: String) throws -> [PhotoInput] {
    let bytes = try FileAccess.read(path)
    guard !isPhoto(bytes) else {
      throw TrainingError.badTable(
        path: path, line: 1, problem: "not a list of photos; put one path on each line")
    }
    return listed(in: bytes)
  }

  private static func listed(in bytes: [UInt8]) -> [PhotoInput] {
    let bytes = bytes.dropFirst(ByteOrderMark.length(in: bytes))
    let end: UInt8 = bytes.contains(0) ? 0 : UInt8(ascii: "\n")
    return bytes.split(separator: end).compactMap { part in
      let path = end == 0 || part.last != UInt8(ascii: "\r") ? part : part.dropLast()
      guard !path.isEmpty else { return nil }
      if let name = String(validating: path, as: UTF8.self) { return PhotoInput(name) }
      let shown = String(decoding: path, as: UTF8.self)
      return PhotoInput(shown, .failure(.nameNotUTF8(path: shown)))
    }
  }

  /// Whether bytes cannot be a list of paths. A list can start like an image: "BM/1.jpg" starts like a BMP file.
  private static func isPhoto(_ bytes: [UInt8]) -> Bool {
    switch PhotoFormat(of: bytes) {
    case .empty: false
    case .jpeg: true
    default: !isList(bytes)
    }
  }

  /// Whether bytes contain no control characters and no runs of zeros, and the first path has a valid length.
  private static func isList(_ bytes: [UInt8]) -> Bool {
    let start = bytes.prefix(longestPath + 1)
    guard start.allSatisfy({ $0 >= 0x20 || separators.contains($0) }) else { return false }
    let isWide = start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
    let holdsEnd = start.contains(0) || start.contains(0x0A) || start.count <= longestPath
    return !isWide && holdsEnd && start.firstRange(of: [0, 0, 0]) == nil
  }

  private static let longestPath = 4096
  private static let separators: Set<UInt8> = [0, 0x09, 0x0A, 0x0D]
}
