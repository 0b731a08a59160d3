import CupolaTestSupport
import Testing

@testable import Cupola

@Suite("What follows from picture and place") struct JudgmentTests {
  /// The sample model with a label for what looks like none of its buildings; the map has a well 300 m from the hall,
  /// which no photo trained.
  private static func model() throws -> Model {
    let map = GeoJSONText.collection([
      GeoJSONText.boundary("[\(GeoJSONText.square(-77, -12, halfSide: 0.5))]"),
      GeoJSONText.feature(
        #"{"role":"building","id":"hall"}"#, GeoJSONText.point("[-77.03,-12.04]")),
      GeoJSONText.feature(
        #"{"role":"building","id":"well"}"#, GeoJSONText.point("[-77.03,-12.0427]")),
    ])
    var model = try SampleModel.model(campus: map)
    model.place = PlaceModel(positionWeight: 1, headingWeight: 1)
    model.labels = Labels(["hall", "tower", "_slanting", Labels.unfamiliar])
    return model
  }

  /// Beside the well.
  private static func answer(_ image: [Double]) throws -> Recognition {
    let model = try model()
    let place = try #require(Position(latitude: -12.0427, longitude: -77.03, horizontalError: 5))
    let question = PlaceGuide.Question(
      position: place, heading: nil, view: .usual, year: 2026)
    return Judgment(
      model: model, point: OperatingPoint(Calibration(temperature: 1)), image: image,
      logits: [0, 0, 0, 0], place: PlaceGuide(model).answer(question, image: image)
    ).recognition
  }

  @Test("What looks like nothing that trained may be a building of the map beside one")
  func mapped() throws {
    let answer = try Self.answer([0.04, 0.03, 0.03, 0.9])
    #expect(answer.verdict == .mappedBuilding && answer.label == "well")
  }

  @Test(
    "The odds by the picture alone are so also where a building of the map stands for some of it")
  func imageOdds() throws {
    let image = [0.2, 0.05, 0.05, 0.7]
    let odds = try #require(Decision.odds(image, Self.model().labels))
    let found = try #require(try Self.answer(image).imageOdds)
    #expect(found == odds && found < 0)
  }
}
