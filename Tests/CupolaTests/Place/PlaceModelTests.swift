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

  @Test("A place model survives a round trip")
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

  @Test("Models without a place model are read")
  func older() throws {
    let bytes = try SampleModel.model().bytes()
    #expect(try SafeTensors(bytes: bytes).metadata["place"] == nil)
    #expect(try Model(bytes: bytes).place == nil)
  }

  @Test(
    "An invalid place model is rejected",
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

/// Which buildings compete for a photo with a position in a retrieval model.
@Suite("Reach of positions") struct PlaceReachTests {
  /// A model whose hall and tower are 1.6 km apart.
  private static func model() throws -> Model {
    var model = try SampleRetrieval.model()
    model.place = PlaceModel(positionWeight: 1, headingWeight: 1)
    return model
  }

  @Test("Only buildings within reach compete")
  func exact() throws {
    let model = try Self.model()
    let place = try RecognizerPlaceTests.place("hall", 90, 100)
    var only = model
    let kept = [0, 2]
    only.labels = Labels(kept.map { model.labels.names[$0] })
    only.classifier = model.classifier.selecting(labels: kept)
    // Otherwise the tower would be a mapped building without photos.
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

  @Test("A building out of reach is not a candidate")
  func outOfReach() throws {
    let recognizer = Recognizer(model: try Self.model())
    let picture = SampleModel.picture(.tower)
    #expect(try recognizer.recognize(picture).label == "tower")
    let answer = try recognizer.recognize(
      picture, at: RecognizerPlaceTests.place("hall", 90, 100))
    #expect(answer.candidates.map(\.label) == ["hall"])
    #expect(answer.label != "tower")
  }

  @Test("A large position error keeps both buildings within reach")
  func largeError() throws {
    let answer = try Recognizer(model: try Self.model()).recognize(
      SampleModel.picture(.tower), at: RecognizerPlaceTests.place("hall", 90, 100, error: 2_000))
    #expect(Set(answer.candidates.map(\.label)) == ["hall", "tower"])
  }

  @Test(
    "Training positions and unmapped buildings are within reach"
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

  @Test("All labels compete if nothing is within reach")
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

  @Test("All labels compete without a position or with softmax")
  func unlimited() throws {
    let model = try Self.model()
    #expect(PlaceGuide(model).labelsInReach(of: nil) == nil)
    let place = try RecognizerPlaceTests.place("hall", 90, 100)
    #expect(try PlaceGuide(SampleModel.model()).labelsInReach(of: place) == nil)
    #expect(PlaceGuide(model).labelsInReach(of: place) == [true, false, true])
  }
}
