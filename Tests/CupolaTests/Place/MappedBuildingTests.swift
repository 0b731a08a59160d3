import CupolaTestSupport
import Testing

@testable import Cupola

@Suite("Buildings of the map without photos") struct MappedBuildingTests {
  /// The sample model; its map has a well 5 km from hall and tower, which no photo trained.
  static func model() throws -> Model {
    let map = GeoJSONText.collection([
      GeoJSONText.boundary("[\(GeoJSONText.square(-77, -12, halfSide: 0.5))]"),
      GeoJSONText.feature(
        #"{"role":"building","id":"hall","name":"Great Hall"}"#,
        GeoJSONText.point("[-77.03,-12.04]")),
      GeoJSONText.feature(
        #"{"role":"building","id":"tower"}"#, GeoJSONText.point("[-77.04,-12.05]")),
      GeoJSONText.feature(
        #"{"role":"building","id":"well","name":"Deep Well"}"#, GeoJSONText.point("[-77,-12]")),
    ])
    var model = try SampleModel.model(campus: map)
    model.place = PlaceModel(positionWeight: 1, headingWeight: 1)
    return model
  }

  private static func recognizer() throws -> Recognizer { Recognizer(model: try model()) }

  /// 35 m south of the well, looking to it or elsewhere.
  private static func ask(
    _ subject: SampleModel.Subject, toward heading: Double? = 0, meters: Double = 35
  ) throws -> Recognition {
    let well = try #require(Position(latitude: -12, longitude: -77, horizontalError: 5))
    let place = try #require(
      well.destination(azimuth: 180, distance: meters).with(horizontalError: 5))
    return try recognizer().recognize(
      SampleModel.picture(subject), at: place, heading: heading.flatMap { Heading(degrees: $0) })
  }

  @Test("One is named where the picture says no trained building, with its record")
  func named() throws {
    let answer = try Self.ask(.fog)
    #expect(answer.verdict == .mappedBuilding && answer.reason == .byPlaceOnly)
    #expect(answer.label == "well" && answer.building?.name == "Deep Well")
    let first = try #require(answer.candidates.first)
    #expect(answer.probability == first.probability && !first.isTrained)
    #expect(first.imageProbability == 0 && first.logit == -.infinity)
    #expect((try #require(first.distance) - 35).magnitude < 1e-6)
    #expect(answer.candidates.dropFirst().allSatisfy { $0.isTrained })
  }

  @Test("A picture of no building is none, wherever it was taken")
  func background() throws {
    let answer = try Self.ask(.slanting)
    #expect(answer.verdict == .notACampusBuilding && answer.label == nil)
    #expect(try #require(answer.odds) <= #require(answer.imageOdds))
  }

  @Test("A picture that is sure of a building far away makes the answer unsure")
  func contradicted() throws {
    let answer = try Self.ask(.hall)
    #expect(answer.reason == .contradicted(picture: "hall", place: "well"))
    #expect(answer.verdict == .unsure && answer.place == .contradicts && answer.label == nil)
  }

  @Test("Looking to it counts more than looking away, and more than not knowing")
  func headings() throws {
    func probability(_ heading: Double?) throws -> Double {
      let answer = try Self.ask(.fog, toward: heading, meters: 100)
      return try #require(answer.candidates.first { $0.label == "well" }).probability
    }
    #expect(try probability(0) >= probability(nil) && probability(0) > probability(180))
  }

  @Test("Far from it, and without a place, it is no candidate")
  func elsewhere() throws {
    let far = try Self.ask(.fog, meters: 600)
    #expect(far.candidates.map(\.label).sorted() == ["hall", "tower"])
    let picture = SampleModel.picture(.fog)
    let plain = try Recognizer(model: SampleModel.model()).recognize(picture)
    let placeless = try Self.recognizer().recognize(picture)
    #expect(placeless.candidates == plain.candidates && placeless.reason == plain.reason)
  }

  @Test("Within 400 m and the position's error it is a candidate, a few meters beyond it is none")
  func reach() throws {
    // The map gives it as a point, which stands for 20 m around, and the position errs by 5 m.
    for (meters, isNear) in [(421.0, true), (428, false)] {
      let answer = try Self.ask(.fog, meters: meters)
      #expect(answer.candidates.contains { $0.label == "well" } == isNear, "\(meters) m")
    }
  }

  @Test("A scene has the labels first, and no building of the map twice")
  func scene() throws {
    let model = try Self.recognizer().model
    let scene = PlaceScene(model.labels, campus: model.campus, viewpoints: [:])
    #expect(scene.labels.names == model.labels.names + ["well"])
    #expect(scene.untrained == 3..<4 && scene.densities[2] == nil)
    let none = PlaceScene(model.labels, campus: nil, viewpoints: [:])
    #expect(none.labels == model.labels && none.untrained.isEmpty)
  }
}
