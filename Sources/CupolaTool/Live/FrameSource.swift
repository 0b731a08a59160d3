import ArgumentParser
import Cupola
import CupolaTraining

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Read frames from files, a recorded session or a stream.
// 2. Split a stream into JPEG images or raw frames.

enum FrameSource: Sendable {
  case files([PhotoInput])
  case session(SessionFolder)
  case motionJPEG(ByteStream)
  case raw(ByteStream, RawLayout)

  struct Frame: Sendable {
    let name: String
    let bytes: Result<[UInt8], CupolaError>
    /// The layout of raw pixels; `nil` for encoded images.
    var layout: RawLayout?
    var recorded: SessionFrame?
  }

  var emptyMessage: String {
    switch self {
    case .files: "no photos found"
    case .session(let session): "\(session.path): contains no frames"
    case .motionJPEG(let stream):
      "\(stream.name): no complete JPEG of at most \(MotionJPEG.mostBytes >> 20) MB; send concatenated JPEG images, "
        + "not paths, or use --raw for raw frames"
    case .raw(let stream, let layout):
      "\(stream.name): no complete frame of \(layout.count) bytes; check --raw and --size"
    }
  }

  /// Calls `body` with each frame until it returns `false`.
  func forEach(limit: Int, _ body: (Frame) throws -> Bool) throws {
    switch self {
    case .files(let inputs):
      for input in inputs {
        guard try body(Frame(name: input.name, bytes: Self.read(input, limit: limit))) else {
          return
        }
      }
    case .session(let session):
      for recorded in session.frames {
        let path = session.path(of: recorded)
        let frame = Frame(
          name: path, bytes: Self.read(PhotoInput(path), limit: limit), layout: recorded.layout,
          recorded: recorded)
        guard try body(frame) else { return }
      }
    case .motionJPEG(var stream): try Self.divide(&stream, body)
    case .raw(var stream, let layout): try Self.divide(&stream, layout, body)
    }
  }

  private static func read(_ input: PhotoInput, limit: Int) -> Result<[UInt8], CupolaError> {
    do throws(FileError) {
      switch input.source {
      case .bytes(let bytes): return .success(bytes)
      case .failure(let error): throw error
      case .file: return .success(try FileAccess.read(input.name, limit: limit))
      }
    } catch { return .failure(.file(error)) }
  }

  private static func divide(
    _ stream: inout ByteStream, _ body: (Frame) throws -> Bool
  ) throws {
    var pictures = MotionJPEG()
    var number = 0
    while let part = try stream.next() {
      pictures.append(part)
      while let picture = pictures.next() {
        number += 1
        guard try body(Frame(name: "frame \(number)", bytes: .success(picture))) else { return }
      }
    }
  }

  private static func divide(
    _ stream: inout ByteStream, _ layout: RawLayout, _ body: (Frame) throws -> Bool
  ) throws {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(layout.count)
    var number = 0
    while let part = try stream.next() {
      var rest = part
      while !rest.isEmpty {
        let taken = rest.prefix(layout.count - bytes.count)
        bytes += taken
        rest = rest.dropFirst(taken.count)
        guard bytes.count == layout.count else { continue }
        number += 1
        let frame = Frame(name: "frame \(number)", bytes: .success(bytes), layout: layout)
        guard try body(frame) else { return }
        bytes.removeAll(keepingCapacity: true)
      }
    }
    if !bytes.isEmpty {
      Console.note(
        "note: the last \(bytes.count) bytes are not a complete frame of \(layout.count) bytes; check --raw and --size"
      )
    }
  }
}

struct ByteStream {
  let name: String
  private let file: Int32
  private var portion = [UInt8](repeating: 0, count: 1 << 18)

  init() { (name, file) = (StandardInput.name, STDIN_FILENO) }

  init(opening path: String) throws(FileError) {
    name = path
    file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .cannotRead(path: path, code: errno) }
  }

  /// Returns the next bytes (at least one); `nil` at the end.
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

  static func isDevice(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
  }
}

extension RawLayout.Format: ExpressibleByArgument {}
