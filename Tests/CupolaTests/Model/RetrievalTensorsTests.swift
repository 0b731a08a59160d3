import Testing

@testable import Cupola

@Suite("Retrieval tensors") struct RetrievalTensorsTests {
  private static func edited(_ change: (inout SafeTensors) throws -> Void) throws -> [UInt8] {
    var file = try SafeTensors(bytes: try SampleRetrieval.model().bytes())
    try change(&file)
    return try ModelSeal.bytes(of: file)
  }

  private static func expectRefused(_ change: (inout SafeTensors) throws -> Void) throws {
    let bytes = try edited(change)
    #expect {
      try Model(bytes: bytes)
    } throws: { error in
      guard case CupolaError.badModel = error else { return false }
      return true
    }
  }

  @Test("A retrieval model and its file survive a round trip")
  func roundTrip() throws {
    let model = try SampleRetrieval.model()
    #expect(model.classifierKind == .retrieval)
    let bytes = try model.bytes()
    let read = try Model(bytes: bytes)
    #expect(read == model)
    #expect(try read.bytes() == bytes)
    let rounded = model.rounded(to: .float32)
    #expect(rounded.weightFormat == .float16)
    for format in WeightFormat.allCases {
      let isSame = rounded.rounded(to: format) == rounded
      #expect(isSame)
    }
  }

  @Test("A retrieval model recognizes its training photos")
  func names() throws {
    let model = try Model(bytes: try SampleRetrieval.model().bytes())
    let recognizer = Recognizer(model: model)
    #expect(try recognizer.recognize(SampleModel.picture(.hall)).label == "hall")
    #expect(try recognizer.recognize(SampleModel.picture(.tower)).label == "tower")
    #expect(
      try recognizer.recognize(SampleModel.picture(.slanting)).verdict == .notACampusBuilding)
  }

  @Test(
    "A missing or misshapen tensor throws badModel",
    arguments: ["projection", "offset", "centroids", "codes", "bias"])
  func missing(name: String) throws {
    try Self.expectRefused { $0.tensors["retrieval." + name] = nil }
    try Self.expectRefused {
      let tensor = try #require($0.tensors["retrieval." + name])
      $0.tensors["retrieval." + name] = SafeTensors.Tensor(
        type: tensor.type, shape: [tensor.bytes.count], bytes: tensor.bytes)
    }
  }

  @Test("Codes out of range are rejected")
  func codes() throws {
    try Self.expectRefused {
      $0.tensors["retrieval.codes"] = .init(type: "U8", shape: [3, 1], bytes: [0, 3, 2])
    }
  }

  @Test("Too many code parts are rejected before memory is allocated")
  func parts() throws {
    let bytes = try Self.edited {
      $0.tensors["retrieval.centroids"] = .init(
        floats: [Float](repeating: 0, count: 5000), shape: [5000, 1, 1])
    }
    #expect(throws: CupolaError.badModel(.badShape(tensor: "retrieval.centroids"))) {
      try Model(bytes: bytes)
    }
  }

  @Test("Tensors with NaN are rejected", arguments: ["offset", "bias"])
  func notFinite(name: String) throws {
    try Self.expectRefused {
      let tensor = try #require($0.tensors["retrieval." + name])
      var floats = try #require(tensor.floats)
      floats[1] = .nan
      $0.tensors["retrieval." + name] = .init(floats: floats, shape: tensor.shape)
    }
  }

  @Test(
    "Metadata that does not match the tensors is rejected",
    arguments: [
      #"{"concentration":24,"photos":[1,1],"views":1}"#,
      #"{"concentration":24,"photos":[1,1,2],"views":1}"#,
      #"{"concentration":24,"photos":[1,-1,3],"views":1}"#,
      #"{"concentration":24,"photos":[1,1,1],"views":0}"#,
      #"{"concentration":24,"photos":[9000000000000000000,1,1],"views":9}"#,
      #"{"concentration":0,"photos":[1,1,1],"views":1}"#,
      #"{"concentration":1e30,"photos":[1,1,1],"views":1}"#, #"{"photos":[1,1,1]}"#, "",
    ])
  func texts(text: String) throws { try Self.expectRefused { $0.metadata["retrieval"] = text } }
}
