import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola

@Suite("Recognizer with positions") struct RecognizerPlaceTests {
  static func recognizer() throws -> Recognizer {
    var model = try SampleModel.model()
    model.place = PlaceModel(positionWeight: 1, headingWeight: 1)
    return Recognizer(model: model)
  }

  static func place(
    _ label: String, _ azimuth: Double, _ meters: Double, error: Double? = nil
  ) throws -> Position {
    let building = try #require(SampleModel.model().campus?.building(labeled: label))
    let place = try #require(building.position).destination(azimuth: azimuth, distance: meters)
    return try #require(place.with(horizontalError: error))
  }

  @Test("Without a position only the image counts", arguments: SampleModel.Subject.allCases)
  func withoutPosition(subject: SampleModel.Subject) throws {
    let picture = SampleModel.picture(subject)
    let answer = try Self.recognizer().recognize(picture, heading: Heading(degrees: 3))
    let plain = try Recognizer(model: SampleModel.model()).recognize(picture)
    #expect(answer.candidates == plain.candidates && answer.reason == plain.reason)
    #expect(answer.candidates.allSatisfy { $0.probability == $0.imageProbability })
    #expect(answer.candidates.allSatisfy { $0.distance == nil && $0.bearing == nil })
    #expect(answer.place == nil && answer.odds == answer.imageOdds)
  }

  @Test("A very large position error changes nothing", arguments: SampleModel.Subject.allCases)
  func largeError(subject: SampleModel.Subject) throws {
    // Within the 55 km fence, but too inaccurate to be evidence.
    let place = try Self.place("tower", 0, 50, error: 1e6)
    let answer = try Self.recognizer().recognize(
      SampleModel.picture(subject), at: place, heading: Heading(degrees: 9))
    for candidate in answer.candidates {
      #expect((candidate.probability - candidate.imageProbability).magnitude < 1e-3)
    }
    #expect(answer.place == .unclear && answer.fence == .tooClose)
  }

  @Test("The position decides if the image is ambiguous", arguments: ["hall", "tower"])
  func fog(label: String) throws {
    let answer = try Self.recognizer().recognize(
      SampleModel.picture(.fog), at: Self.place(label, 90, 30))
    #expect(answer.candidates.first?.label == label)
    #expect(answer.candidates[0].probability > 3 * answer.candidates[1].probability)
    #expect(
      (answer.candidates[0].imageProbability - answer.candidates[1].imageProbability).magnitude
        < 1e-6)
    #expect(answer.place == .agrees)
  }

  @Test("The heading distinguishes equally distant buildings")
  func heading() throws {
    let hall = try Self.place("hall", 0, 0)
    let tower = try Self.place("tower", 0, 0)
    let way = Geodesic(from: hall, to: tower)
    let middle = try #require(
      hall.destination(azimuth: way.azimuth, distance: way.distance / 2).with(horizontalError: 5))
    for (azimuth, label) in [(way.azimuth, "tower"), (way.azimuth + 180, "hall")] {
      let answer = try Self.recognizer().recognize(
        SampleModel.picture(.fog), at: middle, heading: Heading(degrees: azimuth))
      #expect(answer.candidates.first?.label == label)
      // The same direction from a magnetic compass.
      let declination = MagneticField(at: middle, year: 2026).declination
      let magnetic = Heading(degrees: azimuth - declination, reference: .magneticNorth)
      let same = try Self.recognizer().recognize(
        SampleModel.picture(.fog), at: middle, heading: magnetic, year: 2026)
      #expect(
        (same.candidates[0].probability - answer.candidates[0].probability).magnitude < 1e-9)
    }
  }

  @Test("A position that contradicts the image makes the answer unsure")
  func contradiction() throws {
    let answer = try Self.recognizer().recognize(
      SampleModel.picture(.hall), at: Self.place("tower", 0, 20))
    #expect(answer.place == .contradicts && answer.verdict == .unsure)
    #expect(answer.reason == .contradicted(picture: "hall", place: "tower"))
    #expect(answer.label == nil && answer.probability == nil)
    let fitting = try Self.recognizer().recognize(
      SampleModel.picture(.hall), at: Self.place("hall", 0, 20))
    #expect(fitting.place == .agrees && fitting.label == "hall")
  }

  @Test("A building behind the camera is not named")
  func behind() throws {
    let north = try Self.place("hall", 0, 60, error: 5)
    func answer(_ heading: Double, from place: Position) throws -> Recognition {
      try Self.recognizer().recognize(
        SampleModel.picture(.hall), at: place, heading: Heading(degrees: heading))
    }
    let facing = try answer(180, from: north)
    #expect(facing.label == "hall" && facing.place == .agrees)
    let bearing = Geodesic(from: north, to: try Self.place("tower", 0, 0)).azimuth
    let south = try Self.place("hall", bearing, 60, error: 5)
    let away = try answer(bearing, from: south)
    #expect(away.reason == .contradicted(picture: "hall", place: "tower"))
    // Within the position error, the building may be in front of the camera.
    let close = try answer(bearing, from: try #require(south.with(horizontalError: 90)))
    #expect(close.label == "hall" && close.place == .unclear)
  }

  @Test("A position that alone makes the model name or reject a building is not unclear")
  func decidingPosition() throws {
    // Both buildings are similarly probable from the image alone, and the hall is nearer.
    let away = Geodesic(
      from: try Self.place("tower", 0, 0), to: try Self.place("hall", 0, 0)
    ).azimuth
    let shot = CaptureInfo(
      of: SampleModel.picture(.fog), at: try Self.place("hall", away, 200, error: 5), heading: nil,
      year: MagneticField.defaultYear)
    func check(
      _ logits: [Float], leastShare: Double, _ alone: String?, _ label: String?,
      _ place: Recognition.PlaceAgreement
    ) throws {
      var model = try SampleModel.model(leastShare: leastShare)
      model.place = PlaceModel(positionWeight: 1, headingWeight: 1)
      let recognizer = Recognizer(model: model)
      #expect(recognizer.recognize(logits: logits, of: nil).label == alone)
      let answer = recognizer.recognize(logits: logits, of: shot)
      #expect(answer.label == label && answer.place == place)
    }
    try check([0.4, 0, -20], leastShare: 0.5, "hall", "hall", .unclear)
    try check([0.4, 0, -20], leastShare: 0.75, nil, "hall", .agrees)
    try check([0.4, -20, 0.39], leastShare: 0.5, "hall", nil, .contradicts)
  }

  @Test("A position never improves the odds against backgrounds")
  func odds() throws {
    for subject in SampleModel.Subject.allCases {
      for meters in [0.0, 100, 300, 5000] {
        let answer = try Self.recognizer().recognize(
          SampleModel.picture(subject), at: Self.place("hall", 45, meters))
        #expect(try #require(answer.odds) <= #require(answer.imageOdds) + 1e-9)
      }
    }
  }

  @Test("Candidates have a distance and bearing without a place model")
  func views() throws {
    let place = try Self.place("hall", 90, 40)
    for recognizer in [try Self.recognizer(), Recognizer(model: try SampleModel.model())] {
      let answer = try recognizer.recognize(SampleModel.picture(.hall), at: place)
      let hall = try #require(answer.candidates.first { $0.label == "hall" })
      #expect((try #require(hall.distance) - 40).magnitude < 1e-6)
      #expect((try #require(hall.bearing) - 270).magnitude < 0.01)
    }
    let plain = Recognizer(model: try SampleModel.model())
    let answer = try plain.recognize(SampleModel.picture(.hall), at: place)
    #expect(answer.place == nil)
    #expect(answer.candidates.allSatisfy { $0.probability == $0.imageProbability })
  }

  @Test("Ignoring the place ignores position and heading")
  func ignored() throws {
    let photo = try SampleModel.photo(.fog)
    let answer = try Self.recognizer().recognize(
      photo: photo, at: Self.place("hall", 0, 10), heading: Heading(degrees: 180),
      usingPlace: false)
    #expect(answer.candidates.allSatisfy { $0.probability == $0.imageProbability })
    #expect(answer.candidates.allSatisfy { $0.distance == nil } && answer.place == nil)
  }

  @Test(
    "Photos of other cities are rejected without decoding",
    .enabled(if: RealPhotos.isPresent, RealPhotos.missing), arguments: ["koe", "poznan"])
  func elsewhere(name: String) throws {
    let map = try FileAccess.read(
      Repository.root.appending(path: "Tests/CupolaCampusTests/Fixtures/maps/notredame.geojson")
        .path)
    let recognizer = Recognizer(model: try SampleModel.model(campus: map))
    // Photos from koe have positions; photos from poznan do not.
    let poznan = name == "poznan" ? Position(latitude: 52.4064, longitude: 16.9252) : nil
    let folder = try #require(RealPhotos.folder).appending(path: name)
    let paths = (FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? [])
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".jpg") }
    #expect(paths.count > 200)
    for path in paths {
      let photo = Array(try Data(contentsOf: folder.appending(path: path)))
      RecognizerTests.expectOutside(try recognizer.recognize(photo: photo, at: poznan))
    }
  }
}
