import ArgumentParser
import Cupola
import CupolaTraining

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Read frames from files, a recorded session, a video or a stream.
// 2. Split a stream into JPEG images or raw frames.
// 3. Convert a video to a stream with ffmpeg.

enum FrameSource: Sendable {
  case files([PhotoInput])
  case session(SessionFolder)
  case motionJPEG(ByteStream)
  case video(ByteStream)
  case raw(ByteStream, RawLayout)

  struct Frame: Sendable {
    let name: String
    let bytes: Result<[UInt8], CupolaError>
    /// The layout of raw pixels; `nil` for encoded images.
    var layout: RawLayout?
    var recorded: SessionFrame?
  }

  /// Whether the source is a single photo instead of moving pictures.
  var isStill: Bool {
    switch self {
    case .files(let inputs): inputs.count == 1
    case .session(let session): session.frames.count == 1
    case .motionJPEG, .video, .raw: false
    }
  }

  var emptyMessage: String {
    switch self {
    case .files: "no photos found"
    case .session(let session): "\(session.path): contains no frames"
    case .motionJPEG(let stream):
      "\(stream.name): no complete JPEG of at most \(MotionJPEG.mostBytes >> 20) MB; send concatenated JPEG images, "
        + "not paths, or use --raw for raw frames"
    case .video(let stream): VideoFile.emptyMessage(stream.name)
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
    case .motionJPEG(let stream), .video(let stream): try Self.divide(stream, body)
    case .raw(var stream, let layout): try Self.divide(&stream, layout, body)
    }
  }

  private static func read(_ input: PhotoInput, limit: Int) -> Result<[UInt8], CupolaError> {
    do throws(FileError) { return .success(try input.bytes(limit: limit)) } catch {
      return .failure(.file(error))
    }
  }

  private static func divide(_ stream: ByteStream, _ body: (Frame) throws -> Bool) throws {
    var frames = JPEGFrames(stream)
    while let picture = try frames.next() {
      let frame = Frame(name: "frame \(frames.count)", bytes: .success(picture))
      guard try body(frame) else { return }
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

/// The JPEG images of a stream.
struct JPEGFrames {
  private var stream: ByteStream
  private var pictures = MotionJPEG()
  private(set) var count = 0

  init(_ stream: ByteStream) { self.stream = stream }

  mutating func next() throws(FileError) -> [UInt8]? {
    while true {
      if let picture = pictures.next() {
        count += 1
        return picture
      }
      guard let part = try stream.next() else { return nil }
      pictures.append(part)
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

  /// Opens the standard output of a shell command.
  init(running command: String, name: String) throws(FileError) {
    self.name = name
    guard let pipe = unsafe popen(command, "r") else {
      throw .cannotRead(path: name, code: errno)
    }
    file = unsafe fileno(pipe)
  }

  static func isDevice(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
  }
}

extension RawLayout.Format: ExpressibleByArgument {}

/// A video file, which ffmpeg converts to Motion JPEG.
struct VideoFile {
  private static let endings = [
    ".mp4", ".m4v", ".mov", ".webm", ".mkv", ".avi", ".mpg", ".mpeg", ".3gp", ".mts", ".wmv",
  ]

  let path: String

  init?(_ path: String) {
    let name = path.lowercased()
    guard Self.endings.contains(where: name.hasSuffix) else { return nil }
    self.path = path
  }

  static func emptyMessage(_ name: String) -> String {
    "\(name): ffmpeg found no video frames in this file"
  }

  /// The shell command that writes frames at a constant rate, by default to its standard output.
  private func command(
    rate: Double, program: String = "ffmpeg", output: String = "-f mjpeg -q:v 3 -"
  ) -> String {
    "\(ShellWord.quoted(program)) -nostdin -loglevel error -i \(ShellWord.quoted("file:" + path)) -r \(rate) "
      + output
  }

  func frames(rate: Double) throws -> FrameSource {
    .video(try stream(rate: rate, elsewhere: "\(command(rate: rate)) | cupola watch MODEL -"))
  }

  func frames(every seconds: Double) throws -> Frames {
    let elsewhere =
      command(rate: 1 / seconds, output: "-q:v 3 FRAMES/%05d.jpg")
      + "; cupola classify MODEL FRAMES"
    return Frames(try stream(rate: 1 / seconds, elsewhere: elsewhere), seconds)
  }

  /// - Parameter elsewhere: The command to print if ffmpeg is not installed.
  private func stream(rate: Double, elsewhere: String) throws -> ByteStream {
    // Report a missing file here, because ffmpeg would not stop this command.
    _ = try FileAccess.size(of: path)
    guard let program = InstalledProgram.find("ffmpeg") else {
      Console.error(
        "\(path): reading a video requires ffmpeg; install it, or convert the video with it elsewhere: \(elsewhere)"
      )
      throw ExitStatus.inputOutput
    }
    return try ByteStream(running: command(rate: rate, program: program), name: path)
  }

  /// The frames of a video at a constant interval, named by their time.
  struct Frames {
    private var frames: JPEGFrames
    private let seconds: Double
    let emptyMessage: String
    private let name: String

    fileprivate init(_ stream: ByteStream, _ seconds: Double) {
      (frames, self.seconds, name) = (JPEGFrames(stream), seconds, stream.name)
      emptyMessage = VideoFile.emptyMessage(stream.name)
    }

    mutating func next() throws(FileError) -> PhotoInput? {
      let time = Double(frames.count) * seconds
      guard let picture = try frames.next() else { return nil }
      return PhotoInput("\(name) \(Self.text(time))", .bytes(picture))
    }

    /// Minutes and seconds, with a tenth only for fractions, such as 1:04 or 1:04.5.
    static func text(_ time: Double) -> String {
      let tenths = Int((time * 10).rounded())
      let seconds = Digits.padded(tenths / 10 % 60, to: 2)
      return "\(tenths / 600):\(seconds)" + (tenths % 10 == 0 ? "" : ".\(tenths % 10)")
    }
  }
}
