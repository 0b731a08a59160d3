import ArgumentParser
import Cupola
import CupolaTraining

/// `cupola watch`.
struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Names the building before a camera, frame after frame.",
    discussion: """
      Takes photos or folders of frames, Motion JPEG on stdin (-), raw frames on stdin (--raw), or a \
      camera that gives Motion JPEG when it is read, until Ctrl-C. The answer is steady: it takes in all frames, \
      and what helps is told. With --record frames and answers are kept as they come, to be looked at again \
      (--replay) and measured (cupola evaluate --sequences).

      EXAMPLES
        cupola watch campus.safetensors walk/
        ffmpeg -i walk.mp4 -f mjpeg -q 3 - | \\
          cupola watch campus.safetensors - --jsonl
        ffmpeg -f v4l2 -i /dev/video0 -f rawvideo -pix_fmt nv12 - | \\
          cupola watch campus.safetensors - --raw nv12 --size 640x480 --latest
        cupola watch campus.safetensors /dev/video0 --record walk-1
        cupola watch campus.safetensors --replay walk-1
      """)

  @Argument(help: "The model file.", completion: .file(extensions: ["safetensors"]))
  var model: String

  @Argument(help: "Photos, folders of photos, a camera's device, or - for stdin.")
  var sources: [String] = []

  @Option(help: "A session that --record kept.", completion: .directory)
  var replay: String?

  @Option(help: "Keep frames, places and answers in this new folder.", completion: .directory)
  var record: String?

  @Option(help: "Raw frames on stdin: rgb24, rgba, bgra, nv12 or yuv420p.")
  var raw: RawLayout.Format?

  @Option(help: "The size of raw frames, such as 640x480.")
  var size: String?

  @Option(help: "Frames a second of what does not say when its frames were taken. (default: 10)")
  var fps: Double?

  @Flag(help: "Leave out frames that come while another one is looked at, as of cameras.")
  var latest = false

  @OptionGroup var placing: PlaceOptions

  @Option(help: "How many candidates to tell in JSON. (default: 3)")
  var top: Int?

  @Flag(help: "Print a line of JSON for each frame.")
  var jsonl = false

  @OptionGroup var error: LiveErrorOption

  @Flag(help: "Accept frames whose data end early or are damaged.")
  var lenient = false

  @Flag(name: .shortAndLong, help: "No summary.")
  var quiet = false

  func validate() throws {
    try PhotoArguments.checkPaths([model, replay, record] + sources)
    guard sources.isEmpty != (replay == nil) else {
      throw ValidationError(
        sources.isEmpty
          ? "Missing expected argument '<sources> ...', or --replay."
          : "Name frames or --replay a session, not both.")
    }
    guard !latest || replay == nil else {
      throw ValidationError("--latest is for frames as they come; --replay has all of them.")
    }
    if let top {
      guard top >= 0 else { throw ValidationError("--top must be 0 or more, not \(top).") }
      guard jsonl else {
        throw ValidationError("--top is how many candidates JSON tells: it goes with --jsonl.")
      }
    }
    if let fps {
      guard (0.00001...1000).contains(fps) else {
        throw ValidationError("--fps must be 0.00001 to 1000, not \(fps).")
      }
      guard replay == nil, !latest, !isCamera else {
        throw ValidationError(
          "These frames say themselves when they were taken, or count as they come: leave out --fps."
        )
      }
    }
    guard sources.count < 2 || !sources.contains("-") else {
      throw ValidationError("- is a stream of frames on stdin: name nothing else beside it.")
    }
    guard (raw == nil) == (size == nil) else {
      throw ValidationError("Raw frames take both --raw and --size.")
    }
    if let raw, let size { try checkRaw(raw, size) }
  }

  private func checkRaw(_ raw: RawLayout.Format, _ size: String) throws {
    guard sources == ["-"] else {
      throw ValidationError("--raw is for frames on stdin: name - as the source.")
    }
    guard RawLayout(size: size, format: raw) != nil else {
      throw ValidationError("--size must be WIDTHxHEIGHT, each 1 to 16384, not \(size).")
    }
    guard !lenient else {
      throw ValidationError("Raw frames are whole or none: leave out --lenient.")
    }
    guard placing.positionError == nil || placing.at != nil else {
      throw ValidationError("Raw frames have no positions: --position-error goes with --at.")
    }
  }

  func run() async throws {
    Console.exitOnInterrupt()
    let recognizer = try await ExitStatus.reporting(about: model) {
      var recognizer = Recognizer(
        model: try Model(contentsOf: model), maximumError: error.maxError)
      recognizer.decoder.lenient = lenient
      return recognizer
    }
    error.explain(recognizer.point)
    try await ExitStatus.reporting {
      var watcher = try FrameWatcher(self, recognizer)
      let source = try source()
      if latest || isCamera {
        try await watcher.watchLatest(source)
      } else {
        try watcher.watchAll(source)
      }
      try watcher.finish(after: source, quiet: quiet)
    }
  }

  /// How many candidates JSON tells.
  var told: Int { top ?? 3 }

  /// Frames a second of those that do not say when they were taken.
  var rate: Double { fps ?? 10 }

  private var isCamera: Bool { sources.count == 1 && ByteStream.isDevice(sources[0]) }

  private func source() throws -> FrameSource {
    if let replay { return .session(try SessionFolder(reading: replay)) }
    if let raw, let size, let layout = RawLayout(size: size, format: raw) {
      return .raw(ByteStream(), layout)
    }
    if sources == ["-"] { return .motionJPEG(ByteStream()) }
    if isCamera { return .motionJPEG(try ByteStream(opening: sources[0])) }
    return .files(try PhotoArguments.photos(sources, limit: PhotoDecoder.Limits().bytes))
  }

  /// Where a frame was taken, as far as was said: what a recording says of places is all there is to say.
  func place(_ recorded: SessionFrame?, _ photo: Photo?) -> (Position?, Heading?) {
    if placing.noPlace { return (nil, nil) }
    let position = recorded == nil ? photo?.metadata.position : recorded?.position
    let heading = recorded == nil ? photo?.metadata.heading : recorded?.heading
    return (placing.position(else: position), placing.givenHeading ?? heading)
  }

  var style: LivePrinter.Style {
    jsonl ? .jsonLines : Console.redrawsOutput ? .oneLine : .changes
  }
}
