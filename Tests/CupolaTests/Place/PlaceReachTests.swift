import Testing

@testable import Cupola

/// Which buildings compete for a photo that a retrieval model is asked about with a position.
@Suite("Place, reach") struct PlaceReachTests {
  /// Hall and tower are 1.6 km apart.
  private static func model() throws -> Model {
    var model = try SampleRetrieval.model()
    model.place = PlaceModel(positionWeight: 1, headingWeight: 1)
    return model
  }

  @Test("Only what is within reach competes, as if there were nothing else")
  func exact() throws {
    let model = try Self.model()
    let place = try RecognizerPlaceTests.place("hall", 90, 100)
    var only = model
    let kept = [0, 2]
    only.labels = Labels(kept.map { model.labels.names[$0] })
    only.classifier = model.classifier.selecting(labels: kept)
    // Else the tower is one of the map that no photo trained.
    let alone = Recognizer(
      model: only, point: OperatingPoint(only.calibration), mapsUntrained: false)
    for subject in SampleModel.Subject.allCases {
      let picture = SampleModel.picture(subject)
      let found = try Recognizer(model: model).recognize(picture, at: place)
      let wanted = try alone.recognize(picture, at: place)
      #expect(found.verdict == wanted.verdict && found.label == wanted.label)
      #expect(found.candidates == wanted.candidates)
      #expect(found.odds == wanted.odds)
    }
  }

  @Test("What is out of reach is no candidate, whatever the picture shows")
  func outOfReach() throws {
    let recognizer = Recognizer(model: try Self.model())
    let picture = SampleModel.picture(.tower)
    #expect(try recognizer.recognize(picture).label == "tower")
    let answer = try recognizer.recognize(
      picture, at: RecognizerPlaceTests.place("hall", 90, 100))
    #expect(answer.candidates.map(\.label) == ["hall"])
    #expect(answer.label != "tower")
  }

  @Test("An error of the position that reaches both leaves both")
  func largeError() throws {
    let answer = try Recognizer(model: try Self.model()).recognize(
      SampleModel.picture(.tower), at: RecognizerPlaceTests.place("hall", 90, 100, error: 2_000))
    #expect(Set(answer.candidates.map(\.label)) == ["hall", "tower"])
  }

  @Test(
    "A place that a training photo was taken from is within reach, and what nobody knows a place of"
  )
  func viewpoints() throws {
    var model = try Self.model()
    let near = try RecognizerPlaceTests.place("hall", 90, 100)
    model.place?.viewpoints = ["tower": [Viewpoint(near)]]
    #expect(
      try Recognizer(model: model).recognize(SampleModel.picture(.tower), at: near).label == "tower"
    )
    var unmapped = try SampleRetrieval.model(campus: nil)
    unmapped.place = PlaceModel()
    let answer = try Recognizer(model: unmapped).recognize(SampleModel.picture(.tower), at: near)
    #expect(answer.label == "tower" && answer.candidates.count == 2)
  }

  @Test("Where nothing is within reach and there are no backgrounds, all compete")
  func nothing() throws {
    var model = try Self.model()
    model.labels = Labels(["hall", "tower"])
    model.classifier = model.classifier.selecting(labels: [0, 1])
    let scene = PlaceScene(
      model.labels, campus: model.campus, viewpoints: [:], untrained: false, limitsTrained: true)
    let far = try RecognizerPlaceTests.place("hall", 90, 9_000)
    #expect(scene.labelsInReach(of: far) == nil)
    #expect(PlaceEvidence(at: far, heading: nil, scene: scene).candidates == [0, 1])
    let answer = try Recognizer(model: model).recognize(SampleModel.picture(.tower), at: far)
    #expect(answer.candidates.count == 2)
    #expect(
      try scene.labelsInReach(of: RecognizerPlaceTests.place("hall", 90, 100)) == [true, false])
  }

  @Test("Without a position, and with a softmax, all compete")
  func unlimited() throws {
    let model = try Self.model()
    #expect(PlaceGuide(model).labelsInReach(of: nil) == nil)
    let place = try RecognizerPlaceTests.place("hall", 90, 100)
    #expect(try PlaceGuide(SampleModel.model()).labelsInReach(of: place) == nil)
    #expect(PlaceGuide(model).labelsInReach(of: place) == [true, false, true])
  }
}
