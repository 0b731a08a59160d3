import ArgumentParser
import Cupola
import CupolaTraining

// 1. Read the model, and list the photos or start reading a video.
// 2. Recognize 64 photos at a time, on all threads.
// 3. Print the answers in order, write the gallery and the copies, and print the failures and the totals.

struct Classify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "classify",
    abstract: "Name the building in each photo.",
    discussion: """
      The answer is a building, "Not on Campus" (the photo was taken outside the fence), "Not a Campus Building", or \
      "Unsure" between two buildings. Positions and headings are read from EXIF data unless they are given. They \
      contribute to the answer if the model was trained with positions. If a building on the map has no training \
      photos, the answer can be "Probably" and its name, based on position and heading.

      Stdin contains one photo, or a list of paths separated by line feeds or zeros (find -print0).

      With --gallery, all photos are shown on one page that can be filtered by answer and building; a CSV table with \
      the same name contains the answers. With --copy-into, a copy of each photo is placed in a folder named after its \
      answer; existing files are kept.

      EXAMPLES
        cupola classify campus.safetensors visit.jpg
        cupola classify campus.safetensors visit.jpg --at 48.3000,10.9000 --json
        cupola classify campus.safetensors visits --max-error 0.01 --jsonl
        find photos -name '*.jpg' | cupola classify campus.safetensors - --jsonl
        cupola classify campus.safetensors --list part-07.txt --jsonl
        cat visit.jpg | cupola classify campus.safetensors -
        cupola classify campus.safetensors visits --gallery visits.html
        cupola classify campus.safetensors visits --copy-into sorted
        cupola classify campus.safetensors walk.mp4 --every 2s --gallery walk.html
      """)

  @Argument(help: "Model file.", completion: .file(extensions: ["safetensors"]))
  var model: String

  @Argument(
    help: "Photos, photo folders, - for stdin, or a video with --every.")
  var photos: [String] = []

  @Option(help: "File with a list of photo paths, one per line.", completion: .file())
  var list: String?

  @Option(
    help: ArgumentHelp(
      "Interval between the frames of a video, such as 2s; requires ffmpeg.", valueName: "time"),
    transform: Classify.seconds)
  var every: Double?

  @OptionGroup var outputs: GalleryOptions
  @OptionGroup var place: PlaceOptions
  @OptionGroup var tracks: TrackOptions

  @Option(help: "Number of candidates in JSON or for a single photo.")
  var top = 3

  @Flag(help: "Print a JSON array.")
  var json = false

  @Flag(help: "Print one line of JSON for each photo.")
  var jsonl = false

  @OptionGroup var error: ErrorOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try PhotoArguments.checkPaths([model, list] + photos)
    try JSONForms.check(json: json, jsonl: jsonl)
    try ensure(top >= 0, "--top must be 0 or more, not \(top)")
    try ensure(
      !photos.isEmpty || list != nil, "Missing expected argument '<photos> ...', or --list")
    if every != nil {
      try ensure(
        list == nil && photos.count == 1 && VideoFile(photos[0]) != nil,
        "--every requires a video, such as walk.mp4, as the only input")
    } else if let video = photos.first(where: Self.isVideo) {
      throw ValidationError("\(video) is a video; add --every 2s to classify a frame every 2 s")
    }
  }

  private static func isVideo(_ path: String) -> Bool {
    VideoFile(path) != nil && !Directory.isDirectory(path)
  }

  private static func seconds(_ text: String) throws -> Double {
    let number = text.hasSuffix("s") ? text.dropLast() : text[...]
    guard let seconds = Double(number), (0.1...3600).contains(seconds) else {
      throw ValidationError("must be 0.1s to 3600s, such as 2s")
    }
    return seconds
  }

  func run() async throws {
    let positions = try tracks.positions()
    let recognizer = try await ExitStatus.reporting(about: model) {
      var recognizer = Recognizer(
        model: try Model(contentsOf: model), maximumError: error.maxError)
      recognizer.decoder = common.decoder.locating(by: positions)
      return recognizer
    }
    error.explain(recognizer.point)
    error.noteCalibration(of: recognizer.model)
    noteSwappedPosition(recognizer)
    let queue = try await queue(limit: recognizer.decoder.maximumBytes)
    defer { if let positions { Console.note(positions.summary) } }
    try await answer(queue, recognizer)
  }

  private func queue(limit: Int) async throws -> PhotoQueue {
    if let every, let video = VideoFile(photos[0]) {
      try outputs.prepare(for: [model, video.path], in: [])
      return PhotoQueue(try video.frames(every: every))
    }
    let listed = try await ExitStatus.reporting(about: list) {
      try list.map { try StandardInput.listed(in: $0) } ?? []
    }
    let inputs = try PhotoArguments.photos(photos, limit: limit) + listed
    guard !inputs.isEmpty else { throw TrainingError.noPhotos(path: list ?? StandardInput.name) }
    try outputs.prepare(
      for: [model, list].compactMap(\.self) + inputs.map(\.name), in: photos)
    return PhotoQueue(inputs)
  }

  private func answer(_ photos: PhotoQueue, _ recognizer: Recognizer) async throws {
    var queue = photos
    let progress = Progress(
      "classifying", total: queue.count ?? 0,
      quiet: common.quiet || queue.count == 1 || Console.showsProgressBar && !json)
    var printer = AnswerPrinter(
      style: style, top: top, single: queue.count == 1, campus: recognizer.model.campus)
    var files = AnswerFiles(outputs, recognizer, model: model, count: queue.count)
    var failures: [(line: String, code: ExitCode)] = []
    var totals = AnswerTotals()
    while case let part = try queue.next(Self.batchSize), !part.isEmpty {
      let results = await parallelMap(part, threads: common.threads) {
        [makePicture = files.makePicture] input in
        classified(input, recognizer, makePicture)
      }
      for (input, result) in zip(part, results) {
        try printer.add(input.name, result.answer)
        try files.add(input, result)
        totals.add((try? result.answer.get())?.verdict)
        if case .failure(let error) = result.answer {
          let line = ExitStatus.line(error, about: input.name)
          failures.append((line, ExitStatus.code(of: error)))
        }
      }
      progress.update(totals.photos)
    }
    try printer.finish()
    try queue.check(count: totals.photos)
    try files.finish()
    for failure in failures { Console.error(failure.line) }
    if totals.photos > 1, !common.quiet { Console.note(totals.text) }
    guard let first = failures.first else { return }
    throw failures.count == totals.photos ? first.code : ExitStatus.someFailed
  }

  private func noteSwappedPosition(_ recognizer: Recognizer) {
    guard let at = place.at, let swapped = at.swapped,
      let given = at.position(error: place.positionError),
      let other = swapped.position(error: place.positionError), recognizer.isOutside(given),
      !recognizer.isOutside(other)
    else { return }
    Console.note("note: --at is outside the fence; did you swap latitude and longitude?")
  }

  private static let batchSize = 64

  private var style: AnswerPrinter.Style { jsonl ? .lines : json ? .array : .text }

  struct Classified: Sendable {
    let answer: Result<Recognition, CupolaError>
    var picture: ReportPictures.Embedded?
  }

  private func classified(
    _ input: PhotoInput, _ recognizer: Recognizer,
    _ makePicture: (@Sendable (Photo) -> ReportPictures.Embedded?)?
  ) -> Classified {
    do throws(CupolaError) {
      let photo = try input.opened(by: recognizer.decoder)
      let answer = try recognizer.recognize(
        photo, at: place.position(of: photo), heading: place.givenHeading,
        usingPlace: !place.noPlace)
      return Classified(answer: .success(answer), picture: makePicture?(photo))
    } catch {
      return Classified(answer: .failure(error))
    }
  }
}

/// The photos to classify, in portions, so that the frames of a video are never all in memory.
struct PhotoQueue {
  private var listed: ArraySlice<PhotoInput> = []
  private var video: VideoFile.Frames?
  /// The number of photos; `nil` for a video.
  let count: Int?

  init(_ inputs: [PhotoInput]) { (listed, count) = (inputs[...], inputs.count) }

  init(_ frames: VideoFile.Frames) { (video, count) = (frames, nil) }

  /// Returns the next photos; none at the end.
  mutating func next(_ most: Int) throws -> [PhotoInput] {
    guard video != nil else {
      defer { listed = listed.dropFirst(most) }
      return Array(listed.prefix(most))
    }
    var frames: [PhotoInput] = []
    while frames.count < most, let frame = try video?.next() { frames.append(frame) }
    return frames
  }

  /// Throws if a video had no frames.
  func check(count: Int) throws {
    guard count == 0, let video else { return }
    Console.error(video.emptyMessage)
    throw ExitStatus.noInput
  }
}
