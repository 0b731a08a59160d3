import Cupola
import CupolaTraining

/// Where frames come from.
enum FrameSource: Sendable {
  /// Files, one a frame.
  case files([PhotoInput])
  /// A recorded session.
  case session(SessionFolder)
  /// Motion JPEG in a stream.
  case motionJPEG(ByteStream)
  /// Raw frames in a stream.
  case raw(ByteStream, RawLayout)

  /// A frame on its way.
  struct Frame: Sendable {
    /// What messages call it.
    let name: String
    /// Of a file or a stream: as it came.
    let bytes: [UInt8]
    /// `nil` for a picture of a file format.
    let layout: RawLayout?
    /// What a recording knows.
    var recorded: SessionFrame?
  }

  /// Gives frame after frame until `body` says that it was enough.
  ///
  /// - Throws: ``FileError`` when a stream cannot be read any more; files that cannot be read are told `failed`.
  func forEach(
    limit: Int, failed: (String, CupolaError) throws -> Void, _ body: (Frame) throws -> Bool
  ) throws {
    switch self {
    case .files(let inputs):
      for input in inputs {
        guard let bytes = try read(input.name, input, limit: limit, failed: failed) else {
          continue
        }
        guard try body(Frame(name: input.name, bytes: bytes, layout: nil)) else { return }
      }
    case .session(let session):
      for recorded in session.frames {
        let path = session.path(of: recorded)
        guard let bytes = try read(path, PhotoInput(path), limit: limit, failed: failed) else {
          continue
        }
        let frame = Frame(
          name: path, bytes: bytes, layout: recorded.layout.flatMap { RawLayout($0) },
          recorded: recorded)
        guard try body(frame) else { return }
      }
    case .motionJPEG(var stream): try Self.divide(&stream, body)
    case .raw(var stream, let layout): try Self.divide(&stream, layout, body)
    }
  }

  private func read(
    _ name: String, _ input: PhotoInput, limit: Int,
    failed: (String, CupolaError) throws -> Void
  ) throws -> [UInt8]? {
    do throws(FileError) {
      switch input.source {
      case .bytes(let bytes): return bytes
      case .failure(let error): throw error
      case .file: return try FileAccess.read(name, limit: limit)
      }
    } catch {
      try failed(name, .file(error))
      return nil
    }
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
        guard try body(Frame(name: "frame \(number)", bytes: picture, layout: nil)) else { return }
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
        guard try body(Frame(name: "frame \(number)", bytes: bytes, layout: layout)) else { return }
        bytes.removeAll(keepingCapacity: true)
      }
    }
    if !bytes.isEmpty {
      Console.note(
        "note: the last \(bytes.count) bytes are no whole frame of \(layout.count) bytes; is --raw right?"
      )
    }
  }
}
