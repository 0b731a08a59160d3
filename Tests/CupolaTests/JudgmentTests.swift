import Testing

@testable import Cupola

@Suite("What follows from picture and place") struct JudgmentTests {
  /// What a picture becomes beside a building that no photo trained, by a model with a label for what looks like none
  /// of those that did.
  private static func answer(_ image: [Double]) throws -> Recognition {
    var model = try MappedBuildingTests.model()
    model.labels = labels
    let well = try #require(Position(latitude: -12, longitude: -77, horizontalError: 5))
    let question = PlaceGuide.Question(position: well, heading: nil, view: .usual, year: 2026)
    return Judgment(
      model: model, point: OperatingPoint(Calibration(temperature: 1)), image: image,
      logits: [0, 0, 0, 0], place: PlaceGuide(model).answer(question, image: image)
    ).recognition
  }

  private static let labels = Labels(SampleModel.labels + [Labels.unfamiliar])

  @Test("What looks like nothing that trained may be a building of the map beside one")
  func mapped() throws {
    let answer = try Self.answer([0.04, 0.03, 0.03, 0.9])
    #expect(answer.verdict == .mappedBuilding && answer.label == "well")
  }

  @Test("A picture that a background explains better is no building, whatever stands before it")
  func refusal() throws {
    let model = try MappedBuildingTests.model()
    let well = try #require(Position(latitude: -12, longitude: -77, horizontalError: 5))
    let question = PlaceGuide.Question(
      position: well.destination(azimuth: 180, distance: 35), heading: Heading(degrees: 0),
      view: .usual, year: 2026)
    func reason(_ image: [Double]) -> Recognition.Reason {
      Judgment(
        model: model, point: OperatingPoint(Calibration(temperature: 1)), image: image,
        logits: [0, 0, 0], place: PlaceGuide(model).answer(question, image: image)
      ).recognition.reason
    }
    #expect(reason([0.3, 0.3, 0.4]) == .background(probability: 0.4))
    // A little more for one building, and the well, which takes what both have, may be named.
    #expect(reason([0.41, 0.19, 0.4]) == .byPlaceOnly)
  }

  @Test(
    "The odds by the picture alone are so also where a building of the map stands for some of it")
  func imageOdds() throws {
    let image = [0.2, 0.05, 0.05, 0.7]
    let odds = try #require(Decision.odds(image, Self.labels))
    let found = try #require(try Self.answer(image).imageOdds)
    #expect(found == odds && found < 0)
  }
}
