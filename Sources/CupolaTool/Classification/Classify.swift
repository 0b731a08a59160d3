import ArgumentParser
import Cupola
import CupolaTraining

// 1. Read the model and list the photos.
// 2. Recognize 64 photos at a time, on all threads.
// 3. Print the answers in order, then the failures.

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

      EXAMPLES
        cupola classify campus.safetensors visit.jpg
        cupola classify campus.safetensors visit.jpg --at 48.3000,10.9000 --json
        cupola classify campus.safetensors visits --max-error 0.01 --jsonl
        find photos -name '*.jpg' | cupola classify campus.safetensors - --jsonl
        cupola classify campus.safetensors --list part-07.txt --jsonl
        cat visit.jpg | cupola classify campus.safetensors -
      """)

  @Argument(help: "Model file.", completion: .file(extensions: ["safetensors"]))
  var model: String

  @Argument(
    help: "Photos, photo folders, or - for stdin.")
  var photos: [String] = []

  @Option(help: "File with a list of photo paths, one per line.", completion: .file())
  var list: String?

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
    noteSwappedPosition(recognizer)
    let listed = try await ExitStatus.reporting(about: list) {
      try list.map { try StandardInput.listed(in: $0) } ?? []
    }
    let limit = recognizer.decoder.maximumBytes
    let inputs = try PhotoArguments.photos(photos, limit: limit) + listed
    guard !inputs.isEmpty else { throw TrainingError.noPhotos(path: list ?? StandardInput.name) }
    defer { if let positions { Console.note(positions.summary) } }
    try await answer(inputs, recognizer)
  }

  private func answer(_ inputs: [PhotoInput], _ recognizer: Recognizer) async throws {
    let progress = Progress(
      "classifying", total: inputs.count,
      quiet: common.quiet || inputs.count == 1 || Console.showsProgressBar && !json)
    var printer = AnswerPrinter(
      style: style, top: top, single: inputs.count == 1, campus: recognizer.model.campus)
    var failures: [(line: String, code: ExitCode)] = []
    for start in stride(from: 0, to: inputs.count, by: Self.batchSize) {
      let part = Array(inputs[start..<min(start + Self.batchSize, inputs.count)])
      let results = await parallelMap(part, threads: common.threads) { input in
        recognize(input, recognizer)
      }
      for (input, result) in zip(part, results) {
        try printer.add(input.name, result)
        if case .failure(let error) = result {
          let line = ExitStatus.line(error, about: input.name)
          failures.append((line, ExitStatus.code(of: error)))
        }
      }
      progress.update(start + part.count)
    }
    try printer.finish()
    for failure in failures { Console.error(failure.line) }
    guard let first = failures.first else { return }
    throw failures.count == inputs.count ? first.code : ExitStatus.someFailed
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

  private func recognize(
    _ input: PhotoInput, _ recognizer: Recognizer
  ) -> Result<Recognition, CupolaError> {
    do throws(CupolaError) {
      let photo = try input.opened(by: recognizer.decoder)
      return .success(
        try recognizer.recognize(
          photo, at: place.position(of: photo), heading: place.givenHeading,
          usingPlace: !place.noPlace))
    } catch {
      return .failure(error)
    }
  }
}
