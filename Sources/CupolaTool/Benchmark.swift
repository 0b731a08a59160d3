import ArgumentParser
import Cupola
import CupolaTraining

/// `cupola benchmark`.
struct Benchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Times the stages of a model, or of the parts of the pipeline, on one thread.",
    discussion: """
      With a model, its own stages are timed, from the bytes of a photo to the answer; without one, \
      parts that all models share and the features of hog. Without a photo, a drawn picture of 640x480 \
      is used. Times are medians; compare only times of one run on one machine.

      EXAMPLES
        cupola benchmark campus.safetensors photo.jpg
        cupola benchmark photo.jpg --json
      """)

  @Argument(
    help: "A model file, a photo, or both in this order.",
    completion: .file(extensions: ["safetensors", "jpg"]))
  var files: [String] = []

  @Option(help: "How often each stage runs.")
  var repetitions = 50

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard repetitions > 0 else { throw ValidationError("--repetitions must be 1 or more.") }
    guard files.count <= 2 else {
      throw ValidationError("Name a model, a photo, or both, not \(files.count) files.")
    }
  }

  private static let modelSuffix = ".safetensors"

  private var model: String? { files.first.flatMap { $0.hasSuffix(Self.modelSuffix) ? $0 : nil } }
  private var photo: String? { files.last.flatMap { $0.hasSuffix(Self.modelSuffix) ? nil : $0 } }

  func run() async throws {
    let trained = try await ExitStatus.reporting(about: model) {
      try model.map { try Model(contentsOf: $0) }
    }
    try await ExitStatus.reporting(about: photo) {
      let bytes =
        try photo.map { try FileAccess.read($0, limit: PhotoDecoder.Limits().bytes) }
        ?? JPEGEncoder.encode(Self.picture(width: 640, height: 480))
      let stages = try trained.map { try measure(bytes, $0) } ?? (try measure(bytes) + catalog())
      if json {
        let figures = Dictionary(uniqueKeysWithValues: stages.map { ($0.name, $0.milliseconds) })
        Console.print(try JSONObject.text(["milliseconds": figures], pretty: true))
      } else {
        let rows = stages.map { [$0.name, Format.decimal($0.milliseconds, digits: 3) + " ms"] }
        Console.print(TextColumns.aligned(rows, indent: 0))
      }
    }
  }

  private struct Stage {
    let name: String
    let milliseconds: Double
  }

  /// The stages of a model from bytes to the answer.
  private func measure(_ bytes: [UInt8], _ model: Model) throws -> [Stage] {
    let recognizer = Recognizer(model: model)
    var times: [String: [Double]] = [:]
    _ = try recognizer.recognize(photo: bytes)
    for _ in 0..<repetitions {
      let timing = try recognizer.recognize(photo: bytes).timing.milliseconds
      for (stage, time) in timing { times[stage.rawValue, default: []].append(time) }
      times["all", default: []].append(timing.values.reduce(0, +))
    }
    return (StageTiming.Stage.allCases.map(\.rawValue) + ["all"]).compactMap { name in
      times[name].map { Stage(name: name, milliseconds: Self.median($0)) }
    }
  }

  private func measure(_ bytes: [UInt8]) throws -> [Stage] {
    let recipe = Recipe.hog
    let decoder = PhotoDecoder()
    let photo = try decoder.open(bytes)
    let image = try recipe.decode(photo)
    let input = recipe.prepare(image, geometry: recipe.geometry)
    let gray = GrayImage(luma: input).halved()
    return [
      Stage(
        name: "metadata", milliseconds: try median { _ = try decoder.open(bytes) }),
      Stage(
        name: "decode", milliseconds: try median { _ = try recipe.decode(photo) }),
      Stage(
        name: "decode in full", milliseconds: try median { _ = try photo.image() }),
      Stage(
        name: "prepare",
        milliseconds: median { _ = recipe.prepare(image, geometry: recipe.geometry) }),
      Stage(name: "luma", milliseconds: median { _ = GrayImage(luma: input).halved() }),
      Stage(
        name: "hog 128x128", milliseconds: try median { _ = try HOG.standard.descriptor(of: gray) }),
      Stage(
        name: "hog 128x128, scikit-image's",
        milliseconds: try median { _ = try HOG.scikitImage.descriptor(of: gray) }),
      Stage(
        name: "features",
        milliseconds: try median { _ = try FeatureExtractor(hog: .standard).features(of: input) }),
    ] + fence()
  }

  /// A jagged fence and places in and around it, drawn as in `Scripts/verify-geofence`.
  private func fence() -> [Stage] {
    let fence = FenceSample.fence(corners: 1000)
    let places = FenceSample.places(1000)
    return [
      Stage(
        name: "fence of 1000 corners, 1000 places",
        milliseconds: median { for place in places { _ = fence.contains(place) } }),
      Stage(
        name: "meters to it, 1000 places",
        milliseconds: median { for place in places { _ = fence.signedDistance(to: place) } }),
    ]
  }

  /// A search with typing errors, and a look around, in a town.
  private func catalog() throws -> [Stage] {
    let sample = try BenchmarkCatalog()
    let count = BenchmarkCatalog.size
    let search = median { _ = sample.index.search(sample.query) }
    let nearby = median {
      _ = sample.position.map { sample.campus.buildings(near: $0) }
    }
    return [
      Stage(name: "search in \(count) buildings", milliseconds: search),
      Stage(name: "nearby of \(count) buildings", milliseconds: nearby),
    ] + (try memory(of: sample))
  }

  /// What a retrieval model of a town's buildings does with the features of a photo, with its place and without.
  private func memory(of sample: BenchmarkCatalog) throws -> [Stage] {
    let memory = BenchmarkMemory(sample)
    let image = RGBImage(width: 128, height: 128, pixels: [UInt8](repeating: 99, count: 49_152))
    let features = [Float](repeating: 0.1, count: memory.projection.weights.columns)
    let count = BenchmarkCatalog.size
    return [
      Stage(
        name: "projection to \(memory.projection.biases.count) values",
        milliseconds: median { _ = memory.projection.logits(features) }),
      Stage(
        name: "answer among \(count) remembered buildings",
        milliseconds: try median { _ = try memory.recognizer.recognize(image) }),
      Stage(
        name: "answer with a position among \(count) remembered buildings",
        milliseconds: try median {
          _ = try memory.recognizer.recognize(image, at: sample.position)
        }),
    ]
  }

  private func median(_ body: () throws -> Void) rethrows -> Double {
    try body()
    var times: [Double] = []
    for _ in 0..<repetitions {
      let start = ContinuousClock.now
      try body()
      let elapsed = (ContinuousClock.now - start).components
      times.append(Double(elapsed.seconds) * 1e3 + Double(elapsed.attoseconds) * 1e-15)
    }
    return Self.median(times)
  }

  private static func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

  /// Stripes, squares and noise: something with edges in every direction.
  private static func picture(width: Int, height: Int) -> RGBImage {
    var generator = SplitMix64(seed: 1)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 3)
    for y in 0..<height {
      for x in 0..<width {
        let stripe = (x + y) / 16 % 2 == 0 ? 60 : 0
        let square = (x / 40 + y / 40) % 2 == 0 ? 90 : 30
        for _ in 0..<3 {
          pixels.append(UInt8(stripe + square + generator.below(20)))
        }
      }
    }
    return RGBImage(width: width, height: height, pixels: pixels)
  }
}
