import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Generate an image, a fence, a catalog and a retrieval model.
// 2. Time parts of the pipeline with this data.

struct BenchmarkParts {
  typealias Part = (name: String, times: BenchmarkTimes)

  let repetitions: Int

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
    return try [
      part("metadata") { _ = try decoder.open(bytes) },
      part("decode") { _ = try recipe.decode(photo) },
      part("decode at an eighth") {
        _ = try photo.image(minimumWidth: photo.width / 8, minimumHeight: photo.height / 8)
      },
      part("decode in full") { _ = try photo.image() },
      part("prepare") { _ = recipe.prepare(image, geometry: recipe.geometry) },
      part("luma") { _ = GrayImage(luma: input).halved() },
      part("hog 128x128") { _ = try HOG.standard.descriptor(of: gray) },
      part("hog 640x480") { _ = try HOG.standard.descriptor(of: frame) },
      part("features") { _ = try FeatureExtractor(hog: .standard).features(of: input) },
    ]
  }

  /// Times containment and distance for a jagged fence, like `Scripts/verify geofence`.
  private func fence() -> [Part] {
    let fence = FenceSample.fence(corners: 1000)
    let places = FenceSample.places(1000)
    return [
      part("fence of 1000 corners, 1000 places") {
        for place in places { _ = fence.contains(place) }
      },
      part("meters to it, 1000 places") {
        for place in places { _ = fence.signedDistance(to: place) }
      },
    ]
  }

  private func catalog() throws -> [Part] {
    let sample = try BenchmarkCatalog()
    let count = BenchmarkCatalog.size
    return [
      part("search in \(count) buildings") { _ = sample.index.search(sample.query) },
      part("nearby of \(count) buildings") {
        _ = sample.position.map { sample.campus.buildings(near: $0) }
      },
    ] + (try retrieval(of: sample))
  }

  private func retrieval(of sample: BenchmarkCatalog) throws -> [Part] {
    let model = BenchmarkRetrieval(sample)
    let image = RGBImage(width: 128, height: 128, pixels: [UInt8](repeating: 99, count: 49_152))
    let features = [Float](repeating: 0.1, count: model.projection.weights.columns)
    let count = BenchmarkCatalog.size
    return try [
      part("projection to \(model.projection.biases.count) values") {
        _ = model.projection.logits(features)
      },
      part("answer among \(count) remembered buildings") {
        _ = try model.recognizer.recognize(image)
      },
      part("answer with a position among \(count) remembered buildings") {
        _ = try model.recognizer.recognize(image, at: sample.position)
      },
    ]
  }

  private func part(_ name: String, _ body: () throws -> Void) rethrows -> Part {
    try body()
    let times = try (0..<repetitions).map { _ in
      let start = ContinuousClock.now
      try body()
      return (.now - start).milliseconds
    }
    return (name, BenchmarkTimes(times))
  }
}

struct BenchmarkCatalog {
  static let size = 10_000

  let campus: Campus
  let index: BuildingIndex
  let position: Position?

  /// Two misspelled words. One of them matches most buildings.
  let query = BuildingQuery("obsevatory buildnig")

  init() throws {
    var generator = SplitMix64(seed: 1)
    let buildings = (0..<Self.size).map { Self.building($0, using: &generator) }
    let fence = "[[10,48],[10.5,48],[10.5,48.5],[10,48.5],[10,48]]"
    let features =
      [Self.feature(#""role":"boundary""#, ring: fence)]
      + buildings.map { Self.feature($0.properties, ring: $0.ring) }
    let map = #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
    campus = try Campus(geoJSON: Array(map.utf8))
    index = BuildingIndex(campus.buildings)
    position = Position(latitude: 48.05, longitude: 10.05)
  }

  private static func feature(_ properties: String, ring: String) -> String {
    #"{"type":"Feature","properties":{\#(properties)},"#
      + #""geometry":{"type":"Polygon","coordinates":[\#(ring)]}}"#
  }

  private static func building(
    _ number: Int, using generator: inout SplitMix64
  ) -> (properties: String, ring: String) {
    func word() -> String {
      let count = 1 + generator.below(3)
      return (0..<count).map { _ in syllables[generator.below(syllables.count)] }.joined()
    }
    let kind = kinds[generator.below(kinds.count)]
    let about = (0..<12).map { _ in word() }.joined(separator: " ")
    let year = 1600 + generator.below(421)
    let properties =
      #""role":"building","id":"\#(number)","name":"\#(word()) \#(kind)","#
      + #""abbreviation":"\#(kind.prefix(1))\#(number)","category":"\#(kind)","#
      + #""description":"A building of \#(about).","address":"\#(word()) Street \#(number % 90)","#
      + #""year_built":\#(year)"#
    // Place the buildings in 100 rows of 100, about 75 m by 110 m apart.
    let (west, south) = (10 + Double(number % 100) * 0.001, 48 + Double(number / 100) * 0.001)
    let corners = [
      (0.0, 0.0), (4, 0), (4, 2), (5, 2), (5, 4), (2, 4), (2, 3), (0, 3), (0, 0),
    ].map { "[\(west + $0.0 * 1e-4),\(south + $0.1 * 1e-4)]" }
    return (properties, "[\(corners.joined(separator: ","))]")
  }

  private static let kinds = [
    "Library", "Hall", "Laboratory", "Observatory", "Chapel", "Museum", "Residence", "Institute",
    "Theatre", "Refectory", "Stadium", "Archive",
  ]
  private static let syllables = [
    "ab", "bor", "cam", "den", "el", "fan", "gar", "hol", "is", "ken", "lor", "mar", "nor", "os",
    "per", "quin", "ros", "sten", "tor", "ul", "ver", "win", "yor", "zel", "brück", "łąk", "æg",
  ]
}

/// A generated retrieval model of all buildings in a ``BenchmarkCatalog``.
struct BenchmarkRetrieval {
  static let views = 20
  private static let backgroundViews = 1_000
  private static let (parts, width) = (32, 4)

  let recognizer: Recognizer
  /// A projection for feature vectors of the default size.
  let projection: LinearClassifier

  init(_ catalog: BenchmarkCatalog) {
    var generator = SplitMix64(seed: 2)
    func numbers(_ count: Int) -> [Float] {
      (0..<count).map { _ in Float(generator.below(2_001)) / 1_000 - 1 }
    }
    let labels = Labels(catalog.campus.buildings.map(\.label).sorted() + ["_street"])
    let dimensions = Self.parts * Self.width
    func projection(_ features: Int) -> LinearClassifier {
      LinearClassifier(
        weights: Matrix(
          rows: dimensions, columns: features, values: numbers(dimensions * features)),
        biases: numbers(dimensions))
    }
    let recipe = Recipe.hog
    let views = labels.names.map { Labels.isBackground($0) ? Self.backgroundViews : Self.views }
    let rows = Self.parts * ProductQuantizer.mostCentroids
    let classifier = RetrievalClassifier(
      projection: projection(recipe.featureCount),
      quantizer: ProductQuantizer(
        parts: Self.parts,
        values: Matrix(
          rows: rows, columns: Self.width, values: numbers(rows * Self.width).map { $0 / 8 })),
      codes: (0..<views.reduce(0, +) * Self.parts).map { _ in UInt8(generator.below(256)) },
      starts: views.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }, viewsPerPhoto: 2,
      concentration: 24, biases: [Float](repeating: 0, count: views.count))
    recognizer = Recognizer(
      model: Model(
        recipe: recipe, extractor: FeatureExtractor(hog: .standard), labels: labels,
        classifier: .retrieval(classifier), calibration: Calibration(temperature: 1),
        campus: catalog.campus, place: PlaceModel(),
        provenance: Provenance(
          version: cupolaVersion, dataDigest: "", photos: [:], seed: 0, regularization: 1,
          kernel: BLAS.kernel), weightFormat: .ofRetrieval))
    self.projection = projection(Recipe.balanced.featureCount)
  }
}

enum BenchmarkPicture {
  /// Returns an image with stripes, squares and noise, which has edges in every direction.
  static func drawn(width: Int, height: Int) -> RGBImage {
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

enum FenceSample {
  /// Returns a ring, about 2 km across, with 7 large and 91 small bays.
  static func fence(corners: Int) -> Geofence {
    var ring = (0..<corners).map { corner in
      let turn = 2 * Double.pi * Double(corner) / Double(corners)
      let radius = 0.01 * (1 + 0.3 * sin(7 * turn) + 0.1 * sin(91 * turn))
      return Polygon.Vertex(
        longitude: 10 + 1.5 * radius * cos(turn), latitude: 48 + radius * sin(turn))
    }
    ring.append(ring[0])
    return Geofence(polygons: [Polygon(rings: [ring])])
  }

  /// Returns positions spread evenly over the fence and its surroundings.
  static func places(_ count: Int) -> [Position] {
    func share(_ index: Int, _ step: Double) -> Double {
      (Double(index) * step).truncatingRemainder(dividingBy: 1) - 0.5
    }
    return (0..<count).compactMap { index in
      Position(
        latitude: 48 + 0.03 * share(index, 0.754878),
        longitude: 10 + 0.03 * share(index, 0.618034))
    }
  }
}
