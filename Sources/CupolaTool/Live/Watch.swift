import ArgumentParser
import Cupola
import CupolaTraining

// 1. Open the frames: files, a recorded session, a stream or a camera.
// 2. Recognize frame after frame, and record them if asked to.

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
    try ensure(
      sources.isEmpty != (replay == nil),
      sources.isEmpty
        ? "Missing expected argument '<sources> ...', or --replay."
        : "Name frames or --replay a session, not both.")
    try ensure(
      !latest || replay == nil, "--latest is for frames as they come; --replay has all of them.")
    if let top {
      try ensure(top >= 0, "--top must be 0 or more, not \(top).")
      try ensure(jsonl, "--top is how many candidates JSON tells: it goes with --jsonl.")
    }
    if let fps {
      try ensure((0.00001...1000).contains(fps), "--fps must be 0.00001 to 1000, not \(fps).")
      try ensure(
        replay == nil && !latest && !isCamera,
        "These frames say themselves when they were taken, or count as they come: leave out --fps.")
    }
    try ensure(
      sources.count < 2 || !sources.contains("-"),
      "- is a stream of frames on stdin: name nothing else beside it.")
    try ensure((raw == nil) == (size == nil), "Raw frames take both --raw and --size.")
    if let raw, let size { try checkRaw(raw, size) }
  }

  private func checkRaw(_ raw: RawLayout.Format, _ size: String) throws {
    try ensure(sources == ["-"], "--raw is for frames on stdin: name - as the source.")
    try ensure(
      RawLayout(size: size, format: raw) != nil,
      "--size must be WIDTHxHEIGHT, each 1 to 16384, not \(size).")
    try ensure(!lenient, "Raw frames are whole or none: leave out --lenient.")
    try ensure(
      placing.positionError == nil || placing.at != nil,
      "Raw frames have no positions: --position-error goes with --at.")
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
