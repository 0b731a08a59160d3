import ArgumentParser
import Cupola
import CupolaTraining

// 1. Time the stages of a model, frames, and photos a second; or the parts that models share.
// 2. Print the medians and 95th percentiles.

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
    try ensure(repetitions > 0, "--repetitions must be 1 or more.")
    try ensure(threads.map({ (1...1024).contains($0) }) ?? true, "--threads must be 1 to 1024.")
    try ensure(
      threads == nil || model != nil,
      "--threads goes with a model: without one all is timed on one thread.")
    if let late = photos.first(where: { $0.hasSuffix(Self.modelSuffix) }) {
      throw ValidationError("Name one model, and that first; \(late) stands behind.")
    }
    try ensure(
      model != nil || photos.count <= 1,
      "Without a model, whose name ends with \(Self.modelSuffix), name one photo at most, not "
        + "\(photos.count).")
  }

  private static let modelSuffix = ".safetensors"

  private var model: String? { files.first.flatMap { $0.hasSuffix(Self.modelSuffix) ? $0 : nil } }
  private var photos: [String] { Array(files.dropFirst(model == nil ? 0 : 1)) }

  func run() async throws {
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

  private func printed(_ parts: [BenchmarkParts.Part]) throws {
    if json {
      try printJSON(parts)
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
        ? ", \(FigureText.decimal(rate.photos / slowest, digits: 2)) times as many" : ""
      Console.print(
        "\(FigureText.count(rate.threads, "thread")): "
          + "\(FigureText.decimal(rate.photos, digits: 1)) photos a second\(times)")
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
    try Console.print(json: object.adding(figures))
  }

  private static func texts(_ times: BenchmarkTimes) -> [String] {
    [times.median, times.percentile95].map { FigureText.decimal($0, digits: 3) + " ms" }
  }
}

/// Times a model from the bytes of photos to their answers.
struct ModelBenchmark {
  struct Stage {
    let name: String
    let times: BenchmarkTimes
    /// Of the time of all stages together.
    let share: Double
  }

  /// The stages, one thread, and all of them together last.
  let stages: [Stage]
  /// From all pixels of a photo to its answer, as of a camera's frame; one thread.
  let frames: BenchmarkTimes
  /// Photos a second by how many are worked on at a time.
  let photosPerSecond: [(threads: Int, photos: Double)]
  /// Photos that were taken off the campus: only their frames are looked at.
  let offCampus: Int

  static let all = "all"

  init(_ model: Model, photos: [[UInt8]], repetitions: Int, threads: Int) async throws {
    let recognizer = Recognizer(model: model)
    // Also warms up.
    offCampus = try photos.filter { photo in
      try recognizer.recognize(photo: photo).verdict == .notOnCampus
    }.count
    var times: [StageTiming.Stage: [Double]] = [:]
    var sums: [Double] = []
    for _ in 0..<repetitions {
      for photo in photos {
        let timing = try recognizer.recognize(photo: photo).timing.milliseconds
        for (stage, time) in timing { times[stage, default: []].append(time) }
        sums.append(timing.values.reduce(0, +))
      }
    }
    let all = BenchmarkTimes(sums)
    stages =
      StageTiming.Stage.allCases.compactMap { stage in
        times[stage].map {
          let times = BenchmarkTimes($0)
          return Stage(name: stage.rawValue, times: times, share: times.sum / all.sum)
        }
      } + [Stage(name: Self.all, times: all, share: 1)]
    frames = try Self.frames(recognizer, photos, repetitions)
    photosPerSecond = await Self.rates(
      recognizer, photos, repetitions, upTo: threads)
  }

  private static func frames(
    _ recognizer: Recognizer, _ photos: [[UInt8]], _ repetitions: Int
  ) throws -> BenchmarkTimes {
    var times: [Double] = []
    for photo in photos {
      let frame = try recognizer.decoder.open(photo).image()
      _ = try recognizer.recognize(frame)
      for _ in 0..<repetitions {
        let start = ContinuousClock.now
        _ = try recognizer.recognize(frame)
        times.append((.now - start).milliseconds)
      }
    }
    return BenchmarkTimes(times)
  }

  /// How often each number of threads has its turn, one after the other: what slows the machine for a while slows both.
  private static let turns = 5

  private static func rates(
    _ recognizer: Recognizer, _ photos: [[UInt8]], _ repetitions: Int, upTo threads: Int
  ) async -> [(threads: Int, photos: Double)] {
    let counts = Set([1, threads]).sorted()
    let work: [[Int]] = counts.map { count in
      (0..<rounds(repetitions, of: photos.count, threads: count)).flatMap { _ in photos.indices }
    }
    var times = counts.map { _ in [Double]() }
    for _ in 0..<turns {
      for (number, count) in counts.enumerated() {
        let start = ContinuousClock.now
        _ = await parallelMap(work[number], threads: count) { photo in
          (try? recognizer.recognize(photo: photos[photo])) != nil
        }
        times[number].append((.now - start).milliseconds)
      }
    }
    return counts.indices.map { number in
      let median = BenchmarkTimes(times[number]).median
      return (threads: counts[number], photos: 1e3 * Double(work[number].count) / median)
    }
  }

  /// How often a turn asks about each photo.
  static func rounds(_ repetitions: Int, of photos: Int, threads: Int) -> Int {
    // Enough work for every thread, so that the last ones to finish do not count for much.
    max(repetitions, 8 * threads / photos)
  }
}

/// What many runs of one thing took, in milliseconds.
struct BenchmarkTimes {
  private let latency: Latency
  let sum: Double

  init(_ milliseconds: [Double]) {
    guard let latency = Latency(milliseconds) else { preconditionFailure("no runs") }
    self.latency = latency
    sum = milliseconds.reduce(0, +)
  }

  var median: Double { latency.median }

  /// The least time that 95 % of the runs took no longer than.
  var percentile95: Double { latency.percentile95 }
}
