import ArgumentParser
import Cupola
import CupolaTraining

/// `cupola benchmark`.
struct Benchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "benchmark",
    abstract: "Times the stages of a model, or of the parts of the pipeline.",
    discussion: """
      With a model, its own stages are timed on one thread, from the bytes of photos to the answers: the \
      median, what 95 % of all runs took no longer than, and the share of the whole; then the pixels of each photo \
      in full as a camera's frame, and how many photos a second are answered by one thread and by all. Without a model, parts that all models share and the \
      features of hog. Without a photo, a drawn picture of 640x480 is used. Compare only times of one run on one \
      machine.

      EXAMPLES
        cupola benchmark campus.safetensors photo.jpg
        cupola benchmark campus.safetensors photos/library/*.jpg --repetitions 20
        cupola benchmark photo.jpg --json
      """)

  @Argument(
    help: "A model file, photos, or both in this order.",
    completion: .file(extensions: ["safetensors", "jpg"]))
  var files: [String] = []

  @Option(help: "How often each stage runs, on each photo.")
  var repetitions = 50

  @Option(help: "How many threads all are (default: one a core).")
  var threads: Int?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    try PhotoArguments.checkPaths(files)
    guard repetitions > 0 else { throw ValidationError("--repetitions must be 1 or more.") }
    guard threads.map({ (1...1024).contains($0) }) ?? true else {
      throw ValidationError("--threads must be 1 to 1024.")
    }
    guard threads == nil || model != nil else {
      throw ValidationError("--threads goes with a model: without one all is timed on one thread.")
    }
    if let late = photos.first(where: { $0.hasSuffix(Self.modelSuffix) }) {
      throw ValidationError("Name one model, and that first; \(late) stands behind.")
    }
    guard model != nil || photos.count <= 1 else {
      throw ValidationError(
        "Without a model, whose name ends with \(Self.modelSuffix), name one photo at most, not "
          + "\(photos.count).")
    }
  }

  private static let modelSuffix = ".safetensors"

  private var model: String? { files.first.flatMap { $0.hasSuffix(Self.modelSuffix) ? $0 : nil } }
  private var photos: [String] { Array(files.dropFirst(model == nil ? 0 : 1)) }

  func run() async throws {
    Console.exitOnInterrupt()
    let trained = try await ExitStatus.reporting(about: model) {
      try model.map { try Model(contentsOf: $0) }
    }
    var pictures: [[UInt8]] = []
    for photo in photos {
      try await ExitStatus.reporting(about: photo) {
        let bytes = try FileAccess.read(photo, limit: PhotoDecoder.Limits().bytes)
        _ = try PhotoDecoder().open(bytes).image()
        pictures.append(bytes)
      }
    }
    try await ExitStatus.reporting {
      if pictures.isEmpty {
        pictures = [try JPEGEncoder.encode(BenchmarkPicture.drawn(width: 640, height: 480))]
      }
      guard let trained else {
        return try printed(BenchmarkParts(repetitions: repetitions).all(pictures[0]))
      }
      try printed(
        await ModelBenchmark(
          trained, photos: pictures, repetitions: repetitions,
          threads: threads ?? CommonOptions.cores))
    }
  }

  private func printed(_ parts: [BenchmarkParts.Part]) throws {
    if json {
      try printJSON(parts.map { ($0.name, $0.times) })
    } else {
      Console.print(TextColumns.aligned(parts.map { [$0.name] + Self.texts($0.times) }, indent: 0))
    }
  }

  private func printed(_ benchmark: ModelBenchmark) throws {
    if benchmark.offCampus > 0 {
      Console.note(
        "warning: not looked at, because taken off the campus: \(benchmark.offCampus) of "
          + "\(FigureText.count(photos.count, "photo")); times of stages and photos a second are too good"
      )
    }
    if json {
      let rates = benchmark.photosPerSecond.map { ("\($0.threads)", $0.photos) }
      return try printJSON(
        benchmark.stages.map { ($0.name, $0.times) } + [("frame", benchmark.frames)],
        [
          "share": Dictionary(
            uniqueKeysWithValues: benchmark.stages.map { ($0.name, $0.share) }),
          "photos_per_second": Dictionary(uniqueKeysWithValues: rates),
        ])
    }
    let head = ["stage", "median", "95 %", "share"]
    let rows = benchmark.stages.map { stage in
      [stage.name] + Self.texts(stage.times) + [FigureText.percent(stage.share)]
    }
    let frame = ["frame"] + Self.texts(benchmark.frames)
    Console.print(TextColumns.aligned([head] + rows + [frame], indent: 0))
    let slowest = benchmark.photosPerSecond.first?.photos ?? 0
    for rate in benchmark.photosPerSecond {
      let times =
        rate.threads > 1
        ? ", \(Format.decimal(rate.photos / slowest, digits: 2)) times as many" : ""
      Console.print(
        "\(FigureText.count(rate.threads, "thread")): "
          + "\(Format.decimal(rate.photos, digits: 1)) photos a second\(times)")
    }
  }

  private func printJSON(
    _ times: [(name: String, times: BenchmarkTimes)], _ figures: JSONObject = [:]
  ) throws {
    func all(_ value: (BenchmarkTimes) -> Double) -> [String: Double] {
      Dictionary(uniqueKeysWithValues: times.map { ($0.name, value($0.times)) })
    }
    let object: JSONObject = [
      "schema": "cupola.benchmark/1", "milliseconds": all(\.median),
      "milliseconds_95": all(\.percentile95),
    ]
    Console.print(try JSONObject.text(object.adding(figures), pretty: true))
  }

  private static func texts(_ times: BenchmarkTimes) -> [String] {
    [times.median, times.percentile95].map { Format.decimal($0, digits: 3) + " ms" }
  }
}
