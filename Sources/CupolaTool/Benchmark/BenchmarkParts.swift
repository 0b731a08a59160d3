import Cupola

/// Times parts of the pipeline that all models share, and the features of `hog`.
struct BenchmarkParts {
  /// The times of one part.
  struct Part {
    let name: String
    let times: BenchmarkTimes
  }

  /// How often each part runs.
  let repetitions: Int

  /// All of them, of one photo.
  func all(_ bytes: [UInt8]) throws -> [Part] {
    try pipeline(bytes) + fence() + catalog()
  }

  private func pipeline(_ bytes: [UInt8]) throws -> [Part] {
    let recipe = Recipe.hog
    let decoder = PhotoDecoder()
    let photo = try decoder.open(bytes)
    let image = try recipe.decode(photo)
    let input = recipe.prepare(image, geometry: recipe.geometry)
    let gray = GrayImage(luma: input).halved()
    let frame = GrayImage(luma: BenchmarkPicture.drawn(width: 640, height: 480))
    return [
      Part(
        name: "metadata", times: try times { _ = try decoder.open(bytes) }),
      Part(
        name: "decode", times: try times { _ = try recipe.decode(photo) }),
      Part(
        name: "decode at an eighth",
        times: try times {
          _ = try photo.image(minimumWidth: photo.width / 8, minimumHeight: photo.height / 8)
        }),
      Part(
        name: "decode in full", times: try times { _ = try photo.image() }),
      Part(
        name: "prepare",
        times: times { _ = recipe.prepare(image, geometry: recipe.geometry) }),
      Part(name: "luma", times: times { _ = GrayImage(luma: input).halved() }),
      Part(
        name: "hog 128x128", times: try times { _ = try HOG.standard.descriptor(of: gray) }),
      Part(
        name: "hog 640x480",
        times: try times { _ = try HOG.standard.descriptor(of: frame) }),
      Part(
        name: "features",
        times: try times { _ = try FeatureExtractor(hog: .standard).features(of: input) }),
    ]
  }

  /// A jagged fence and places in and around it, drawn as in `Scripts/verify-geofence`.
  private func fence() -> [Part] {
    let fence = FenceSample.fence(corners: 1000)
    let places = FenceSample.places(1000)
    return [
      Part(
        name: "fence of 1000 corners, 1000 places",
        times: times { for place in places { _ = fence.contains(place) } }),
      Part(
        name: "meters to it, 1000 places",
        times: times { for place in places { _ = fence.signedDistance(to: place) } }),
    ]
  }

  /// A search with typing errors, and a look around, in a town.
  private func catalog() throws -> [Part] {
    let sample = try BenchmarkCatalog()
    let count = BenchmarkCatalog.size
    let search = times { _ = sample.index.search(sample.query) }
    let nearby = times {
      _ = sample.position.map { sample.campus.buildings(near: $0) }
    }
    return [
      Part(name: "search in \(count) buildings", times: search),
      Part(name: "nearby of \(count) buildings", times: nearby),
    ] + (try memory(of: sample))
  }

  /// What a retrieval model of a town's buildings does with the features of a photo, with its place and without.
  private func memory(of sample: BenchmarkCatalog) throws -> [Part] {
    let memory = BenchmarkMemory(sample)
    let image = RGBImage(width: 128, height: 128, pixels: [UInt8](repeating: 99, count: 49_152))
    let features = [Float](repeating: 0.1, count: memory.projection.weights.columns)
    let count = BenchmarkCatalog.size
    return [
      Part(
        name: "projection to \(memory.projection.biases.count) values",
        times: times { _ = memory.projection.logits(features) }),
      Part(
        name: "answer among \(count) remembered buildings",
        times: try times { _ = try memory.recognizer.recognize(image) }),
      Part(
        name: "answer with a position among \(count) remembered buildings",
        times: try times {
          _ = try memory.recognizer.recognize(image, at: sample.position)
        }),
    ]
  }

  private func times(_ body: () throws -> Void) rethrows -> BenchmarkTimes {
    try body()
    var times: [Double] = []
    for _ in 0..<repetitions {
      let start = ContinuousClock.now
      try body()
      times.append((.now - start).milliseconds)
    }
    return BenchmarkTimes(times)
  }
}
