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
