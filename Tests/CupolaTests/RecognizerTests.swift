import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola

@Suite("Recognizer") struct RecognizerTests {
  typealias Tag = EXIFBuilder.Tag

  static let recognizer = try? Recognizer(model: SampleModel.model())
  static let onCampus = Position(latitude: -12.1, longitude: -77.1)
  static let london = Position(latitude: 51.5, longitude: -0.1)
  static let far = EXIFBuilder().payload([
    Tag.orientation: .short(1),
    Tag.gps: .directory([
      Tag.latitudeReference: .text("N"), Tag.latitude: .rationals([(51, 1), (30, 1), (0, 1)]),
      Tag.longitudeReference: .text("W"), Tag.longitude: .rationals([(0, 1), (6, 1), (0, 1)]),
      Tag.direction: .rationals([(90, 1)]),
    ]),
  ])

  @Test(
    "The most probable building is the answer, with its record",
    arguments: [(SampleModel.Subject.hall, "hall", "Great Hall"), (.tower, "tower", "tower")])
  func building(subject: SampleModel.Subject, label: String, name: String) throws {
    let answer = try #require(Self.recognizer).recognize(photo: SampleModel.photo(subject))
    #expect(answer.verdict == .building && answer.reason == .recognized)
    #expect(answer.label == label && answer.building?.name == name)
    #expect(try #require(answer.probability) > 0.99)
    #expect(answer.candidates.map(\.label).first == label && answer.candidates.count == 2)
    #expect(answer.candidates[0].probability == answer.probability)
    #expect(answer.candidates[0].probability > answer.candidates[1].probability)
    #expect(answer.candidates[0].logit > answer.candidates[1].logit)
    #expect(try #require(answer.odds) > 2)
    #expect(answer.position == nil && answer.heading == nil && answer.faults == [])
  }

  @Test("A warm-up does not change answers")
  func warmUp() throws {
    let recognizer = Recognizer(model: try SampleModel.model())
    let photo = try PhotoDecoder().open(SampleModel.photo(.hall))
    let before = try recognizer.recognize(photo).candidates
    recognizer.warmUp()
    #expect(try recognizer.recognize(photo).candidates == before)
  }

  @Test("A photo of a background is not a campus building")
  func background() throws {
    let answer = try #require(Self.recognizer).recognize(photo: SampleModel.photo(.slanting))
    #expect(answer.verdict == .notACampusBuilding)
    guard case .background(let probability) = answer.reason else {
      Issue.record("\(answer.reason)")
      return
    }
    #expect(probability > 0.99)
    #expect(answer.label == nil && answer.building == nil && answer.probability == nil)
    #expect(try #require(answer.odds) < 0)
    #expect(Set(answer.candidates.map(\.label)) == ["hall", "tower"])
  }

  @Test("A photo between two buildings is too close to call")
  func unsure() throws {
    let answer = try #require(Self.recognizer).recognize(photo: SampleModel.photo(.fog))
    #expect(answer.verdict == .unsure)
    #expect(answer.reason == .tooClose(share: 0.5, needed: 0.5.nextUp))
    #expect(answer.label == nil && answer.building == nil && answer.probability == nil)
    #expect(answer.candidates.map(\.probability) == [1.0 / 3, 1.0 / 3] && answer.odds == 0)
    let permissive = Recognizer(model: try SampleModel.model(leastShare: 0.1))
    #expect(try permissive.recognize(photo: SampleModel.photo(.fog)).verdict == .building)
  }

  @Test("No share suffices if wrong answers had a share of 1")
  func unfamiliar() throws {
    let strict = Recognizer(model: try SampleModel.model(leastShare: 1))
    let answer = try strict.recognize(photo: SampleModel.photo(.fog))
    #expect(answer.verdict == .notACampusBuilding)
    #expect(answer.reason == .unfamiliar(share: 0.5, needed: 1.0.nextUp))
    #expect(answer.label == nil && answer.candidates.count == 2)
  }

  @Test("The maximum error determines the needed share")
  func maximumError() throws {
    var model = try SampleModel.model()
    model.calibration.wrongNames = ErrorCurve(photos: 99, wrong: [0.9, 0.7, 0.6, 0.55, 0.3])
    let fog = SampleModel.picture(.fog)
    #expect(Recognizer(model: model).point.leastShare == 0.3.nextUp)
    #expect(try Recognizer(model: model).recognize(fog).verdict == .building)
    let strict = Recognizer(model: model, maximumError: 0.02)
    #expect(strict.point == Thresholds(model.calibration, maximumError: 0.02))
    #expect(strict.point.leastShare == 0.7.nextUp)
    #expect(try strict.recognize(fog).verdict == .unsure)
  }

  @Test("A higher temperature makes the answer less certain")
  func temperature() throws {
    var model = try SampleModel.model()
    model.calibration.temperature = 10
    let photo = try SampleModel.photo(.hall)
    let warm = try Recognizer(model: model).recognize(photo: photo)
    let cold = try #require(Self.recognizer).recognize(photo: photo)
    #expect(warm.label == "hall")
    #expect(try #require(warm.probability) < #require(cold.probability))
  }

  @Test("Verdicts have the documented raw values")
  func words() {
    #expect(Recognition.Verdict.building.rawValue == "building")
    #expect(Recognition.Verdict.notOnCampus.rawValue == "not_on_campus")
    #expect(Recognition.Verdict.notACampusBuilding.rawValue == "not_a_campus_building")
    #expect(Recognition.Verdict.unsure.rawValue == "unsure")
    #expect(Recognition.Verdict.mappedBuilding.rawValue == "mapped_building")
  }

  static func expectOutside(_ answer: Recognition) {
    #expect(answer.verdict == .notOnCampus && answer.reason == .outsideGeofence)
    #expect(answer.label == nil && answer.probability == nil && answer.candidates == [])
    #expect(answer.odds == nil)
    for stage in [StageTiming.Stage.decode, .prepare, .features, .classify] {
      #expect(answer.timing.milliseconds[stage] == nil)
    }
    #expect(answer.timing.milliseconds[.geofence] != nil)
  }

  @Test("A photo outside the fence is not decoded")
  func outside() throws {
    let recognizer = try #require(Self.recognizer)
    let given = try recognizer.recognize(photo: SampleModel.photo(.hall), at: Self.london)
    Self.expectOutside(given)
    #expect(given.position == Self.london)
    let photo = try SampleModel.photo(.hall, exif: Self.far)
    let read = try recognizer.recognize(photo: photo)
    Self.expectOutside(read)
    #expect(read.position == Self.london && read.heading == Heading(degrees: 90))
    // The photo is truncated, so decoding would fail.
    Self.expectOutside(try recognizer.recognize(photo: Array(photo.dropLast(photo.count / 4))))
  }

  @Test("A photo outside the fence is recognized if place is ignored")
  func ignoringPlace() throws {
    let photo = try SampleModel.photo(.hall, exif: Self.far)
    let answer = try #require(Self.recognizer).recognize(
      photo: photo, at: Self.london, heading: Heading(degrees: 5), usingPlace: false)
    #expect(answer.label == "hall" && answer.position == nil && answer.heading == nil)
    #expect(answer.timing.milliseconds[.geofence] == nil)
  }

  @Test("A given position overrides the EXIF position")
  func givenPlace() throws {
    let photo = try SampleModel.photo(.hall, exif: Self.far)
    let answer = try #require(Self.recognizer).recognize(
      photo: photo, at: Self.onCampus, heading: Heading(degrees: 5))
    #expect(answer.label == "hall" && answer.position == Self.onCampus)
    #expect(answer.heading == Heading(degrees: 5))
  }

  @Test("Every stage of a recognition is timed")
  func timing() throws {
    let answer = try #require(Self.recognizer).recognize(
      photo: SampleModel.photo(.hall), at: Self.onCampus)
    #expect(Set(answer.timing.milliseconds.keys) == Set(StageTiming.Stage.allCases))
    #expect(answer.timing.milliseconds.values.allSatisfy { $0 >= 0 && $0.isFinite })
  }

  @Test("The EXIF position of a photo is checked against the fence")
  func phonePhoto() throws {
    let photo = try Fixtures.jpeg("gps")
    let answer = try #require(Self.recognizer).recognize(photo: photo)
    #expect(answer.verdict != .notOnCampus)
    let position = try #require(answer.position)
    #expect(abs(position.latitude + 12.046_019) < 1e-6 && position.horizontalError == 4.85)
    #expect(answer.heading == Heading(degrees: 280.75, reference: .magneticNorth))
    let elsewhere = GeoJSONText.collection([
      GeoJSONText.boundary("[\(GeoJSONText.square(0, 0, halfSide: 1))]")
    ])
    let other = Recognizer(model: try SampleModel.model(campus: elsewhere))
    Self.expectOutside(try other.recognize(photo: photo))
  }

  @Test("Decoding is skipped only if the position is clearly outside")
  func positionError() throws {
    let recognizer = try #require(Self.recognizer)
    let photo = try SampleModel.photo(.hall)
    let wall = try #require(Position(latitude: -12, longitude: -76.5))
    for (meters, error, fence) in [
      (50.0, 49.0, FenceSide.outside), (50, 51, .tooClose), (-50, 51, .tooClose),
      (-50, 49, .inside), (50, nil, .outside), (-50, nil, .inside), (14, nil, .tooClose),
      (-14, nil, .tooClose),
      (16, nil, .outside), (-16, nil, .inside),
    ] as [(Double, Double?, FenceSide)] {
      let place = try #require(
        wall.destination(azimuth: 90, distance: meters).with(horizontalError: error))
      let answer = try recognizer.recognize(photo: photo, at: place)
      #expect(answer.fence == fence && answer.position == place)
      if fence == .outside {
        Self.expectOutside(answer)
      } else {
        #expect(answer.label == "hall" && answer.reason == .recognized)
      }
      #expect(recognizer.isOutside(place) == (fence == .outside))
      #expect(try recognizer.recognize(SampleModel.picture(.hall), at: place).fence == fence)
    }
    #expect(try recognizer.recognize(photo: photo).fence == nil)
    #expect(try recognizer.recognize(photo: photo, at: wall, usingPlace: false).fence == nil)
  }

  @Test("Without a map every position is accepted")
  func withoutMap() throws {
    let recognizer = Recognizer(model: try SampleModel.model(campus: nil))
    let answer = try recognizer.recognize(photo: SampleModel.photo(.tower), at: Self.london)
    #expect(answer.label == "tower" && answer.building == nil && answer.position == Self.london)
    #expect(answer.fence == nil)
  }

  @Test(
    "A damaged EXIF block is reported, and the photo is recognized",
    arguments: ["exif-loop", "exif-past-end", "exif-zero-denominator"])
  func damagedEXIF(name: String) throws {
    let answer = try #require(Self.recognizer).recognize(photo: Fixtures.jpeg(name))
    #expect(!answer.faults.isEmpty && answer.position == nil)
    #expect(answer.verdict != .notOnCampus && !answer.candidates.isEmpty)
  }

  @Test("Faults are reported outside the fence")
  func faultsOutside() throws {
    let exif = EXIFBuilder().payload([Tag.orientation: .short(77)])
    let photo = try SampleModel.photo(.hall, exif: exif)
    let answer = try #require(Self.recognizer).recognize(photo: photo, at: Self.london)
    Self.expectOutside(answer)
    #expect(answer.faults == [.badValue(tag: Tag.orientation)])
  }

  @Test("A photo that cannot be decoded throws unless lenient")
  func errors() throws {
    var recognizer = try #require(Self.recognizer)
    let photo = try SampleModel.photo(.hall)
    let short = Array(photo.dropLast(20))
    #expect { try recognizer.recognize(photo: short) } throws: {
      ($0 as? CupolaError).isTruncatedJPEG
    }
    recognizer.decoder.lenient = true
    #expect(try recognizer.recognize(photo: short).label == "hall")
    #expect(throws: CupolaError.unsupportedFormat(.text)) {
      try recognizer.recognize(photo: Array("hello".utf8))
    }
  }

  @Test(
    "A camera frame yields the same answer as a photo",
    arguments: SampleModel.Subject.allCases)
  func frames(subject: SampleModel.Subject) throws {
    let recognizer = try #require(Self.recognizer)
    let frame = try recognizer.recognize(SampleModel.picture(subject), at: Self.onCampus)
    let photo = try recognizer.recognize(photo: SampleModel.photo(subject), at: Self.onCampus)
    #expect(frame.verdict == photo.verdict && frame.label == photo.label)
    Self.expectOutside(
      try recognizer.recognize(SampleModel.picture(subject), at: Self.london))
  }

  @Test("A rotated photo is recognized upright")
  func sideways() throws {
    // Horizontal edges stored on their side become vertical.
    let exif = EXIFBuilder(bigEndian: true).payload([Tag.orientation: .short(8)])
    let photo = try SampleModel.photo(.tower, exif: exif)
    #expect(try #require(Self.recognizer).recognize(photo: photo).label == "hall")
  }
}

@Suite("Background recognizer") struct BackgroundRecognizerTests {
  @Test("Answers match the recognizer for every kind of input")
  func sameAnswers() async throws {
    let recognizer = Recognizer(model: try SampleModel.model())
    let background = BackgroundRecognizer(recognizer)
    let bytes = try SampleModel.photo(.tower)
    let expected = try recognizer.recognize(photo: bytes)
    let file = FileManager.default.temporaryDirectory
      .appending(path: "cupola-\(UInt64.random(in: 0...UInt64.max)).jpg")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(bytes).write(to: file)
    for answer in [
      try await background.recognize(photo: bytes),
      try await background.recognize(photo: Data(bytes)),
      try await background.recognize(contentsOf: file),
      try recognizer.recognize(contentsOf: file),
      try await background.recognize(contentsOf: file.path(percentEncoded: false)),
      try recognizer.recognize(contentsOf: file.path(percentEncoded: false)),
    ] {
      #expect(answer.label == "tower" && answer.candidates == expected.candidates)
    }
    let picture = SampleModel.picture(.tower)
    let answer = try await background.recognize(picture)
    #expect(answer.candidates == (try recognizer.recognize(picture).candidates))
  }

  @Test("Errors match the recognizer")
  func errors() async throws {
    let background = BackgroundRecognizer(Recognizer(model: try SampleModel.model()))
    await #expect(throws: CupolaError.unsupportedFormat(.text)) {
      try await background.recognize(photo: Array("text".utf8))
    }
  }
}

@Suite("Stage timing") struct StageTimingTests {
  @Test("Only stages that ran are timed")
  func stages() {
    var timing = StageTiming()
    #expect(timing.milliseconds.isEmpty)
    let result = timing.measure(.decode) { 7 }
    #expect(result == 7 && Array(timing.milliseconds.keys) == [.decode])
  }

  @Test("A failing stage is timed and rethrows its error")
  func failure() {
    var timing = StageTiming()
    #expect(throws: CupolaError.unsupportedFormat(.gif)) {
      try timing.measure(.metadata) { throw CupolaError.unsupportedFormat(.gif) }
    }
    #expect(timing.milliseconds[.metadata] != nil)
  }

  @Test("Times of repeated stages are added")
  func twice() throws {
    var timing = StageTiming()
    timing.measure(.decode) {}
    let once = try #require(timing.milliseconds[.decode])
    timing.measure(.decode) {}
    #expect(try #require(timing.milliseconds[.decode]) >= once)
  }
}
