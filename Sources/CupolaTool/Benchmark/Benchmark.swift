import ArgumentParser
import Cupola
import CupolaTraining

// 1. Time the stages of a model, camera frames, and photos per second, or the parts that all models share.
// 2. Print the medians and 95th percentiles.

struct Benchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "benchmark",
    abstract: "Measure the speed of a model or the pipeline.",
    discussion: """
      With a model, measures the time of each stage on one thread, from a photo's bytes to its answer, and prints the \
      median, the 95th percentile and the fraction of the total. Then measures full-size camera frames, and the photos \
      per second with one thread and with all threads. Without a model, measures the parts that all models share, and \
      the hog features. Without a photo, uses a generated image of 640x480 pixels. Compare times only within one run \
      on one machine.

      EXAMPLES
        cupola benchmark campus.safetensors photo.jpg
        cupola benchmark campus.safetensors photos/library/*.jpg --repetitions 20
        cupola benchmark photo.jpg --json
      """)

  @Argument(
    help: "Model file, photos, or a model followed by photos.",
    completion: .file(extensions: ["safetensors", "jpg"]))
  var files: [String] = []

  @Option(help: "Number of runs per stage and photo.")
  var repetitions = 50

  @Option(help: "Maximum number of threads. (default: CPU cores)")
  var threads: Int?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    try PhotoArguments.checkPaths(files)
    try ensure(repetitions > 0, "--repetitions must be 1 or more")
    try ensure(threads.map({ (1...1024).contains($0) }) ?? true, "--threads must be 1 to 1024")
    try ensure(threads == nil || model != nil, "--threads requires a model")
    if let late = photos.first(where: { $0.hasSuffix(Self.modelSuffix) }) {
      throw ValidationError("only the first file may be a model, not \(late)")
    }
    try ensure(
      model != nil || photos.count <= 1,
      "without a model (*\(Self.modelSuffix)), give at most one photo, not \(photos.count)")
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
        let bytes = try FileAccess.read(photo, limit: PhotoDecoder().maximumBytes)
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
        "warning: \(benchmark.offCampus) of \(FigureText.count(photos.count, "photo")) "
          + "\(benchmark.offCampus == 1 ? "was" : "were") taken off campus and not processed completely, so the "
          + "measured speed is too high")
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
    let head = ["stage", "median", "95%", "share"]
    let rows = benchmark.stages.map { stage in
      [stage.name] + Self.texts(stage.times) + [FigureText.percent(stage.share)]
    }
    let frame = ["frame"] + Self.texts(benchmark.frames)
    Console.print(TextColumns.aligned([head] + rows + [frame], indent: 0))
    let slowest = benchmark.photosPerSecond.first?.photos ?? 0
    for rate in benchmark.photosPerSecond {
      let times =
        rate.threads > 1
        ? " (\(FigureText.decimal(rate.photos / slowest, digits: 2)) times as many)" : ""
      Console.print(
        "\(FigureText.count(rate.threads, "thread")): "
          + "\(FigureText.decimal(rate.photos, digits: 1)) photos per second\(times)")
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

struct ModelBenchmark {
  struct Stage {
    let name: String
    let times: BenchmarkTimes
    let share: Double
  }

  /// The stages on one thread, followed by their total.
  let stages: [Stage]
  /// The times on one thread from a photo's full-size pixels to its answer.
  let frames: BenchmarkTimes
  let photosPerSecond: [(threads: Int, photos: Double)]
  /// The number of photos taken off campus. Of these, only the frames are processed completely.
  let offCampus: Int

  static let all = "all"

  init(_ model: Model, photos: [[UInt8]], repetitions: Int, threads: Int) async throws {
    let recognizer = Recognizer(model: model)
    // Recognizing each photo also warms up caches.
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

  /// The number of measurements per number of threads. They alternate, so that other load affects both equally.
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

  static func rounds(_ repetitions: Int, of photos: Int, threads: Int) -> Int {
    // At least 8 photos per thread limit the effect of threads that finish late.
    max(repetitions, 8 * threads / photos)
  }
}

struct BenchmarkTimes {
  private let latency: Latency
  let sum: Double

  init(_ milliseconds: [Double]) {
    guard let latency = Latency(milliseconds) else { preconditionFailure("no runs") }
    self.latency = latency
    sum = milliseconds.reduce(0, +)
  }

  var median: Double { latency.median }

  var percentile95: Double { latency.percentile95 }
}
