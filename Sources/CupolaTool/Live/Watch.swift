import ArgumentParser
import Cupola
import CupolaTraining

// 1. Open the frames: files, a video, a recorded session, a stream or a camera.
// 2. Recognize each frame, and save it if --record is given.

struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Name the building in camera frames.",
    discussion: """
      Reads photos or folders of frames, a video (requires ffmpeg), Motion JPEG on stdin (-), raw frames on stdin \
      (--raw), or a camera device that delivers Motion JPEG, until Ctrl-C. The answer combines all frames, so that it \
      is stable, and includes hints such as "hold still". A single photo gets the answer of cupola classify. With \
      --record, the frames and answers are saved. They can then be replayed (--replay) and evaluated (cupola evaluate \
      --sequences).

      EXAMPLES
        cupola watch campus.safetensors walk/
        cupola watch campus.safetensors walk.mp4 --jsonl
        ffmpeg -f v4l2 -i /dev/video0 -f rawvideo -pix_fmt nv12 - | \\
          cupola watch campus.safetensors - --raw nv12 --size 640x480 --latest
        cupola watch campus.safetensors /dev/video0 --record walk-1
        cupola watch campus.safetensors --replay walk-1
      """)

  @Argument(help: "Model file.", completion: .file(extensions: ["safetensors"]))
  var model: String

  @Argument(help: "Photos, folders, a video, a camera device, or - for stdin.")
  var sources: [String] = []

  @Option(help: "Session to replay, made with --record.", completion: .directory)
  var replay: String?

  @Option(help: "New folder for frames, positions and answers.", completion: .directory)
  var record: String?

  @Option(help: "Pixel format of raw frames on stdin.")
  var raw: RawLayout.Format?

  @Option(help: "Size of raw frames, such as 640x480.")
  var size: String?

  @Option(help: "Frame rate for frames without timestamps. (default: 10)")
  var fps: Double?

  @Flag(help: "Drop frames that arrive while one is being processed (for live cameras).")
  var latest = false

  @OptionGroup var placing: PlaceOptions

  @Option(help: "Number of candidates in the JSON. (default: 3)")
  var top: Int?

  @Flag(help: "Print one line of JSON for each frame.")
  var jsonl = false

  @OptionGroup var error: LiveErrorOption

  @Flag(help: "Accept truncated or damaged frames.")
  var lenient = false

  @Flag(name: .shortAndLong, help: "Hide the summary.")
  var quiet = false

  func validate() throws {
    try PhotoArguments.checkPaths([model, replay, record] + sources)
    try ensure(
      sources.isEmpty != (replay == nil),
      sources.isEmpty
        ? "Missing expected argument '<sources> ...', or --replay"
        : "use SOURCES or --replay, not both")
    try ensure(!latest || replay == nil, "use --latest or --replay, not both")
    if let top {
      try ensure(top >= 0, "--top must be 0 or more, not \(top)")
      try ensure(jsonl, "--top requires --jsonl")
    }
    if let fps {
      try ensure((0.00001...1000).contains(fps), "--fps must be 0.00001 to 1000, not \(fps)")
      try ensure(
        replay == nil && !latest && !isCamera,
        "frames from --replay, --latest or a camera have timestamps; leave out --fps")
    }
    try ensure(
      sources.count < 2 || !sources.contains("-"), "- (stdin) must be the only source")
    try ensure(
      sources.count < 2 || sources.allSatisfy { VideoFile($0) == nil },
      "a video must be the only source")
    try ensure((raw == nil) == (size == nil), "raw frames require both --raw and --size")
    if let raw, let size { try checkRaw(raw, size) }
  }

  private func checkRaw(_ raw: RawLayout.Format, _ size: String) throws {
    try ensure(sources == ["-"], "--raw requires - (stdin) as the source")
    try ensure(
      RawLayout(size: size, format: raw) != nil,
      "--size must be WIDTHxHEIGHT, each 1 to 16384, not \(size)")
    try ensure(!lenient, "--lenient does not apply to raw frames; leave it out")
    try ensure(
      placing.positionError == nil || placing.at != nil,
      "raw frames have no positions; use --position-error together with --at")
  }

  func run() async throws {
    let recognizer = try await ExitStatus.reporting(about: model) {
      var recognizer = Recognizer(
        model: try Model(contentsOf: model), maximumError: error.maxError)
      recognizer.decoder.lenient = lenient
      return recognizer
    }
    error.explain(recognizer.point)
    var watcher = try FrameWatcher(self, recognizer)
    let source = try source()
    if latest || isCamera {
      try await watcher.watchLatest(source)
    } else {
      try watcher.watchAll(source)
    }
    try watcher.finish(after: source, quiet: quiet)
  }

  var candidateCount: Int { top ?? 3 }

  var rate: Double { fps ?? 10 }

  private var isCamera: Bool { sources.count == 1 && ByteStream.isDevice(sources[0]) }

  private func source() throws -> FrameSource {
    if let replay { return .session(try SessionFolder(reading: replay)) }
    if let raw, let size, let layout = RawLayout(size: size, format: raw) {
      return .raw(ByteStream(), layout)
    }
    if sources == ["-"] { return .motionJPEG(ByteStream()) }
    if let video = sources.first.flatMap(VideoFile.init) { return try video.frames(rate: rate) }
    if isCamera { return .motionJPEG(try ByteStream(opening: sources[0])) }
    return .files(try PhotoArguments.photos(sources, limit: PhotoDecoder().maximumBytes))
  }

  /// Returns a frame's position and heading. For a recorded frame, these are stored in its session.
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
