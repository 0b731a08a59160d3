import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Photos far from their building")
struct PlaceRuleTests {
  private typealias Tag = EXIFBuilder.Tag

  private static func photo(_ meters: Double, error: UInt32 = 5) throws -> CheckedPhoto {
    // At this latitude, one arc second of latitude is 30.73 m.
    let thousandths = UInt32((meters / 30.73 * 1000).rounded())
    let place: [UInt16: EXIFBuilder.Value] = [
      Tag.latitudeReference: .text("S"),
      Tag.latitude: .rationals([(12, 1), (30, 1), (thousandths, UInt32(1000))]),
      Tag.longitudeReference: .text("W"), Tag.longitude: .rationals([(77, 1), (0, 1), (0, 1)]),
      Tag.horizontalError: .rationals([(error, UInt32(1))]),
    ]
    let bytes = try JPEGEncoder.encode(
      RGBImage(width: 64, height: 64, pixels: [UInt8](repeating: 90, count: 64 * 64 * 3)),
      exif: EXIFBuilder().payload([Tag.gps: .directory(place)]))
    let opened = try PhotoDecoder().open(bytes)
    let name = "hall/\(meters).jpg"
    return try CheckedPhoto(
      LabeledPhoto(path: name, name: name, label: "hall", split: .train, group: nil), opened,
      opened.image(),
      with: PhotoReader(
        decoder: PhotoDecoder(), recipe: .hog, extractor: nil,
        sketch: FeatureSketch(values: 1, photos: 1)))
  }

  private static func far(_ photos: [CheckedPhoto], _ campus: Campus? = nil) throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.touch("photos/hall/1.jpg")
    let material = CheckInput(
      set: try PhotoSet(root: folder.path("photos")), photos: photos, unusable: [],
      campus: campus, copies: [], validation: nil)
    return PlaceRule.findings(in: material).filter { $0.kind == .farFromBuilding }
      .flatMap { $0.items.map(\.name) }
  }

  @Test("The limit is 200 m plus the position error")
  func building() throws {
    let campus = try Campus(
      geoJSON: GeoJSONText.collection([
        GeoJSONText.boundary("[\(GeoJSONText.square(-77, -12.5, halfSide: 0.5))]"),
        GeoJSONText.feature(
          #"{"role":"building","id":"hall"}"#, GeoJSONText.point("[-77,-12.5]")),
      ]))
    let cases: [(meters: Double, error: UInt32, isFar: Bool)] = [
      (203, 5, false), (207, 5, true), (217, 20, false), (223, 20, true),
    ]
    for one in cases {
      let found = try Self.far([Self.photo(one.meters, error: one.error)], campus)
      #expect(found.isEmpty != one.isFar, "\(one)")
    }
  }

  @Test("Without a map the limit is 500 m from the label's center")
  func others() throws {
    let near = try [0, 1, 2].map { try Self.photo($0) }
    #expect(try Self.far(near + [Self.photo(503)]).isEmpty)
    #expect(try Self.far(near + [Self.photo(508)]) == ["hall/508.0.jpg"])
    // With only two photos, it is impossible to determine which one is displaced.
    #expect(try Self.far([near[0], Self.photo(508)]).isEmpty)
  }
}

@Suite("Building coverage")
struct BuildingCoverageTests {
  private static func campus() throws -> Campus {
    try Campus(geoJSON: FileAccess.read(Repository.sampleMap))
  }

  private static func check(_ table: String? = nil) async throws -> DatasetCheck {
    let folder = try TemporaryFolder()
    let file = try table.map { try folder.write($0, to: "split.csv") }
    return try await check(
      PhotoSet(root: Repository.sampleCampus, splitFile: file), try campus())
  }

  private static func check(_ set: PhotoSet, _ campus: Campus) async throws -> DatasetCheck {
    try await DatasetCheck(
      of: set, campus: campus, reader: DatasetCheckTests.reader, seen: [:], threads: 2,
      progress: nil, comparing: nil)
  }

  @Test("The sample campus has complete coverage and valid positions")
  func sampleCampus() async throws {
    let check = try await Self.check()
    #expect(check.coverage.count == 24)
    for building in check.coverage {
      let photos = building.part == .training ? 12 : 4
      #expect(building.knowsSides)
      #expect(building.sides.reduce(0, +) == photos)
      #expect(building.distances.reduce(0, +) == photos)
      #expect(building.times.reduce(0, +) == photos)
    }
    let kinds = check.findings.map(\.kind)
    for kind in [CheckFinding.Kind.farFromBuilding, .offCampus, .swappedMap, .notOnMap] {
      #expect(!kinds.contains(kind))
    }
  }

  @Test("Suggested shots are on campus, on an uncovered side, facing it")
  func shots() async throws {
    var table = "path,label,split\n"
    for photo in try PhotoSet(root: Repository.sampleCampus).photos
    where ["01.jpg", "02.jpg", "03.jpg", "04.jpg"].contains(where: photo.name.hasSuffix) {
      table += "\(photo.name),\(photo.label),train\n"
    }
    let campus = try Self.campus()
    let coverage = try await Self.check(table).coverage
    let shots = coverage.flatMap { building in building.shots.map { (building, $0) } }
    #expect(shots.count > 12)
    for (coverage, shot) in shots {
      let building = try #require(campus.building(labeled: coverage.label))
      let center = try #require(building.position)
      let side = try #require(BuildingCoverage.sideNames.firstIndex(of: shot.side))
      #expect(coverage.sides[side] == 0)
      #expect(campus.geofence.contains(shot.position))
      #expect(campus.buildings(near: shot.position, within: 0).isEmpty)
      #expect((15...220).contains(building.distance(from: shot.position) ?? 0))
      let bearing = Geodesic(from: center, to: shot.position).azimuth
      #expect(abs((bearing - 45 * Double(side)).remainder(dividingBy: 360)) < 3)
      #expect(abs((shot.heading - bearing - 180).remainder(dividingBy: 360)) < 2)
    }
  }

  @Test("Photos of a moved map are far from buildings and off campus")
  func places() async throws {
    let text = String(decoding: try FileAccess.read(Repository.sampleMap), as: UTF8.self)
    let moved = text.replacing("10.9", with: "10.5").replacing("10.8", with: "10.4")
    let check = try await Self.check(
      PhotoSet(root: Repository.sampleCampus), try Campus(geoJSON: Array(moved.utf8)))
    let kinds = check.findings.map(\.kind)
    #expect(kinds.contains(.offCampus) && kinds.contains(.farFromBuilding))
  }

  @Test("A position moves by distance and bearing")
  func moved() throws {
    let start = try #require(Position(latitude: 52.4, longitude: 16.9))
    for bearing in stride(from: 0.0, to: 360, by: 45) {
      let end = try #require(start.moved(meters: 100, toward: bearing))
      let way = Geodesic(from: start, to: end)
      #expect(abs(way.distance - 100) < 1)
      #expect(abs((way.azimuth - bearing).remainder(dividingBy: 360)) < 0.5)
    }
    #expect(Position(latitude: 90, longitude: 0)?.moved(meters: 100, toward: 0) == nil)
  }
}

@Suite("Quick cross-validation") struct QuickCrossValidationTests {
  /// Clusters in which every tenth photo has the label of the following cluster.
  private static func validation(
    photos count: Int, labels: Int, threads: Int
  ) async throws -> (validation: QuickCrossValidation, planted: Set<Int>) {
    var generator = SplitMix64(seed: 3)
    let centers = generator.matrix(labels, 64)
    var examples = generator.matrix(count, 64)
    var (known, planted): ([String], Set<Int>) = ([], [])
    for photo in 0..<count {
      let own = photo % labels
      for column in 0..<64 {
        examples[photo, column] = centers[own, column] + 0.8 * examples[photo, column]
      }
      let isWrong = photo / labels % 10 == 9 && own % 4 == 0
      if isWrong { planted.insert(photo) }
      let label = (own + (isWrong ? 1 : 0)) % labels
      known.append((label == labels - 1 ? "_" : "") + "label\(label)")
    }
    let validation = await QuickCrossValidation(
      of: Coordinates(examples), labels: known, numbers: Array(0..<count).map { 10 * $0 },
      groups: (0..<count).map { $0 / labels }, copies: Array(0..<count), threads: threads)
    return (try #require(validation), planted)
  }

  @Test(
    "Finds most wrong labels and few right ones",
    arguments: [(400, 20), (1_640, 20)])
  func suspects(photos: Int, labels: Int) async throws {
    let (validation, planted) = try await Self.validation(
      photos: photos, labels: labels, threads: 1)
    let found = Set(validation.suspects.map { $0.photo / 10 })
    #expect(found.intersection(planted).count * 10 >= 6 * planted.count)
    #expect(found.subtracting(planted).count * 100 <= photos)
    let accuracy = try #require(validation.accuracy)
    #expect(accuracy.grouped.accuracy ?? 0 > 0.9 && accuracy.random.accuracy ?? 0 > 0.9)
    #expect(accuracy.grouped.photos <= photos)
    let again = try await Self.validation(photos: photos, labels: labels, threads: 2).validation
    #expect(again.suspects.map(\.photo) == validation.suspects.map(\.photo))
    #expect(again.accuracy?.grouped == accuracy.grouped)
  }

  private static func ofNoise(
    labels: [String] = ["label0", "label1"], group: (Int) -> Int
  ) async -> QuickCrossValidation? {
    var generator = SplitMix64(seed: 8)
    return await QuickCrossValidation(
      of: Coordinates(generator.matrix(40, 8)), labels: (0..<40).map { labels[$0 % 2] },
      numbers: Array(0..<40), groups: (0..<40).map(group), copies: Array(0..<40), threads: 1)
  }

  @Test("Both accuracies count only labels with several sessions")
  func samePhotos() async throws {
    var validation = try #require(await Self.ofNoise { $0 % 2 == 0 ? $0 % 4 : 1 })
    let accuracy = try #require(validation.accuracy)
    #expect(accuracy.grouped.photos == 20 && accuracy.random.photos == 20)
    #expect(validation.notHeldOut == ["label1"])
    #expect(
      validation.text.contains(
        /^quick estimate: first guesses are right for about \d+% of 20 photos, each tested by/
      )
        && validation.text.contains(
          "\n    -> not included, because there are too few photos or sessions: label1;")
    )
    validation.linked = [AutomaticSplit.Scarce(label: "label1", origin: .similar("a.jpg", "b.jpg"))]
    #expect(
      validation.text.hasSuffix(
        "\n    -> not included: photos of several sessions joined by similar photos, such as a.jpg and b.jpg (label1); "
          + "delete one of the similar photos"))
  }

  @Test("There is no accuracy if photos of too few buildings can be held out")
  func onlyBackgrounds() async throws {
    let streets = try #require(
      await Self.ofNoise(labels: ["_street", "label1"]) { $0 % 2 == 0 ? $0 : 1 })
    #expect(streets.accuracy == nil && streets.notHeldOut == ["label1"])
    #expect(streets.text.contains("not possible, because no building has photos from two sessions"))
  }

  @Test("Only sessions that leave enough photos are held out")
  func balanced() async throws {
    // For each label, 18 photos are in one session and two in another.
    let validation = try #require(await Self.ofNoise { $0 < 36 ? 0 : 1 })
    #expect(validation.accuracy?.grouped.photos == 4 && validation.notHeldOut == [])
  }

  @Test(
    "Low accuracy across sessions comes with advice",
    arguments: [0.1, 10] as [Float])
  func sessions(spread: Float) async throws {
    // Each label has four sessions, which differ either more or less than the labels do.
    var generator = SplitMix64(seed: 5)
    let labels = generator.matrix(6, 64)
    let sessions = generator.matrix(24, 64)
    var examples = generator.matrix(240, 64)
    for photo in 0..<240 {
      for column in 0..<64 {
        examples[photo, column] =
          labels[photo % 6, column] + spread * sessions[photo % 24, column]
          + 0.1 * examples[photo, column]
      }
    }
    let validation = try #require(
      await QuickCrossValidation(
        of: Coordinates(examples), labels: (0..<240).map { "label\($0 % 6)" },
        numbers: Array(0..<240), groups: (0..<240).map { $0 % 24 }, copies: Array(0..<240),
        threads: 1))
    let isFar = spread > 1
    let accuracy = try #require(validation.accuracy)
    #expect(accuracy.random.accuracy ?? 0 > 0.95)
    #expect((accuracy.grouped.accuracy ?? 1 < 0.7) == isFar)
    #expect(validation.text.contains("\n    -> take photos on more days, in different") == isFar)
    #expect(validation.text.contains("->") == isFar)
  }
}

@Suite("Kinds of non-building photos")
struct BackgroundKindRuleTests {
  private static func missing(
    _ names: [String], negatives: [String] = [], in others: String = "negatives"
  ) throws -> [String] {
    try items(names, negatives: negatives, in: others).map(\.name)
  }

  private static func items(
    _ names: [String], negatives: [String] = [], in others: String = "negatives"
  ) throws -> [CheckFinding.Item] {
    let folder = try TemporaryFolder()
    for name in names { try folder.touch("photos/" + name) }
    for name in negatives { try folder.touch(others + "/" + name) }
    var set = try PhotoSet(root: folder.path("photos"))
    if !negatives.isEmpty {
      set = set.joined(with: try PhotoSet(negatives: folder.path(others)))
    }
    let material = CheckInput(
      set: set, photos: [], unusable: [], campus: nil, copies: [], validation: nil)
    return BackgroundKindRule.findings(in: material).flatMap(\.items)
  }

  @Test("Missing kinds are found by words of labels and folders")
  func kinds() throws {
    let all = [
      "nearby buildings that you do not want to name",
      "streets, cars and grounds", "interiors", "trees, hills, water and sky", "people",
      "close-up objects",
    ]
    #expect(try Self.missing(["chapel/1.jpg", "_other/1.jpg"]) == all)
    #expect(
      try Self.missing(["chapel/1.jpg", "_Street/1.jpg", "_people/2.jpg"])
        == [0, 2, 3, 5].map { all[$0] })
    #expect(
      try Self.missing(
        ["chapel/1.jpg"], negatives: ["campus_context/1.jpg", "indoor/a/2.jpg", "objects/3.jpg"])
        == [all[0], all[3], all[4]])
    #expect(
      try Self.missing(["chapel/1.jpg"], negatives: ["1.jpg"], in: "streets")
        == [0, 2, 3, 4, 5].map { all[$0] })
    #expect(
      try Self.missing(["chapel/1.jpg"], negatives: ["indoor/1.jpg"], in: "streets")
        == [0, 1, 3, 4, 5].map { all[$0] })
  }

  @Test("Photos of other buildings belong in a class of their own, in the photo folder")
  func folders() throws {
    let notes = try Self.items(["chapel/1.jpg"], negatives: ["1.jpg"], in: "streets").map(\.note)
    #expect(notes[0]?.hasSuffix("photos/_other_buildings") == true, "\(notes)")
    #expect(notes[1]?.hasSuffix("streets/indoor") == true, "\(notes)")
  }

  @Test("No kind is missing without backgrounds or with all kinds")
  func noMissingKinds() throws {
    #expect(try Self.missing(["chapel/1.jpg", "people/1.jpg"]).isEmpty)
    #expect(
      try Self.missing([
        "chapel/1.jpg", "_cars/1.jpg", "_rooms/1.jpg", "_trees/1.jpg", "_faces/1.jpg",
        "_food/1.jpg", "_other_buildings/1.jpg",
      ]).isEmpty)
  }
}

@Suite("Light and feature sketches")
struct CheckedPhotoTests {
  private static func image(_ level: (Int, Int) -> Float) -> GrayImage {
    GrayImage(
      width: 64, height: 64, samples: (0..<4096).map { level($0 % 64, $0 / 64) })
  }

  @Test("Sharpness is the Laplacian's variance over the variance")
  func sharpness() throws {
    var generator = SplitMix64(seed: 1)
    let noise = Self.image { _, _ in Float.random(in: 0..<256, using: &generator) }
    func level(_ x: Int, _ y: Int) -> Double { Double(noise.samples[64 * y + x]) }
    var values: [Double] = []
    for y in 1..<63 {
      for x in 1..<63 {
        values.append(
          level(x - 1, y) + level(x + 1, y) + level(x, y - 1) + level(x, y + 1) - 4 * level(x, y))
      }
    }
    func variance(_ values: [Double]) -> Double {
      let mean = values.reduce(0, +) / Double(values.count)
      return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
    }
    let expected = variance(values) / variance(noise.samples.map(Double.init))
    let found = try #require(Light(noise).sharpness)
    #expect(abs(found - expected) < 1e-3 * expected)
    let faint = GrayImage(width: 64, height: 64, samples: noise.samples.map { $0 / 8 })
    #expect(abs(try #require(Light(faint).sharpness) - expected) < 1e-3 * expected)
    #expect(try #require(Light(Self.image { x, y in Float(x + y) }).sharpness) < 1e-6)
    #expect(Light(Self.image { _, _ in 77 }).sharpness == nil)
  }

  @Test("Dark and bright are the 5th and 95th percentiles")
  func levels() {
    let ramp = Light(Self.image { x, y in Float((64 * y + x) / 16) })
    #expect((11...14).contains(ramp.dark) && (241...244).contains(ramp.bright))
    let plain = Light(Self.image { _, _ in 255 })
    #expect(plain.dark == 255 && plain.bright == 255)
  }

  @Test("Sketches preserve inner products approximately")
  func sketch() {
    var generator = SplitMix64(seed: 2)
    let sketch = FeatureSketch(values: 5000, photos: 1_000_000)
    #expect(sketch.size == 768)
    var error: Float = 0
    for _ in 0..<20 {
      let rows = generator.matrix(2, 5000)
      let vectors = [0, 1].map { Array(rows.values[rows.range(ofRow: $0)]) }
      func product(_ a: [Float], _ b: [Float]) -> Float {
        zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
      }
      let short = vectors.map(sketch.applied)
      #expect(short[0].count == sketch.size)
      let scale = (product(vectors[0], vectors[0]) * product(vectors[1], vectors[1])).squareRoot()
      error += abs(product(short[0], short[1]) - product(vectors[0], vectors[1])) / scale
    }
    // The expected value is about one divided by the square root of the size.
    #expect(error / 20 < 0.05)
  }

  @Test("Sketches keep all values of few photos")
  func sketchSize() {
    let whole = FeatureSketch(values: 5000, photos: 2000)
    #expect(whole.applied(to: (0..<5000).map(Float.init)) == (0..<5000).map(Float.init))
    #expect(FeatureSketch(values: 5000, photos: 4000).size == 2500)
    #expect(FeatureSketch(values: 500, photos: 4000).size == 500)
  }
}
