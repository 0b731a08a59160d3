import Testing

@testable import Cupola

@Suite("PlaceModel") struct PlaceModelTests {
  static func model() throws -> Model {
    var model = try SampleModel.model()
    model.place = PlaceModel(
      positionWeight: 0.75, headingWeight: 0.3,
      viewpoints: ["hall": [Viewpoint(try PlaceDensityTests.place(0, 12.3, error: 4.6))]])
    return model
  }

  @Test("A model of places survives being written and read again")
  func roundTrip() throws {
    let model = try Self.model()
    let bytes = try model.bytes()
    #expect(try Model(bytes: bytes) == model)
    #expect(try Model(bytes: bytes).bytes() == bytes)
    let viewpoint = try #require(model.place?.viewpoints["hall"]?.first)
    #expect(viewpoint.position.horizontalError == 5)
    let text = try SafeTensors(bytes: bytes).metadata["place"]
    #expect(
      text == """
        {"heading_weight":0.3,"position_weight":0.75,"viewpoints":{"hall":[[41700111,-86240000,5]]}}
        """)
  }

  @Test("Models without one are read as before")
  func older() throws {
    let bytes = try SampleModel.model().bytes()
    #expect(try SafeTensors(bytes: bytes).metadata["place"] == nil)
    #expect(try Model(bytes: bytes).place == nil)
  }

  @Test(
    "What is no model of places is refused",
    arguments: [
      "", "[]", "{}", #"{"heading_weight":1,"position_weight":2,"viewpoints":{}}"#,
      #"{"heading_weight":-0.1,"position_weight":1,"viewpoints":{}}"#,
      #"{"heading_weight":1,"position_weight":1,"viewpoints":{"hall":[[1,2]]}}"#,
      #"{"heading_weight":1,"position_weight":1,"viewpoints":{"hall":[[91000000,0,5]]}}"#,
      #"{"heading_weight":1,"position_weight":1,"viewpoints":{"hall":[[0,0,-5]]}}"#,
      #"{"heading_weight":1,"position_weight":1,"viewpoints":{"hall":[[0.5,0,5]]}}"#,
    ])
  func malformed(json: String) throws {
    let bytes = try ModelFileTests.edited { $0.metadata["place"] = json }
    #expect { try Model(bytes: bytes) } throws: { ModelFileTests.isBadModel($0) }
  }
}

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
      model: only, point: Thresholds(only.calibration), mapsUntrained: false)
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
