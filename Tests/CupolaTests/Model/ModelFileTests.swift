import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola

@Suite("Model file") struct ModelFileTests {
  static func edited(
    digesting: Bool = true, _ change: (inout SafeTensors) throws -> Void
  ) throws -> [UInt8] {
    var file = try SafeTensors(bytes: SampleModel.model().bytes())
    try change(&file)
    return digesting ? try ModelSeal.bytes(of: file) : try file.bytes()
  }

  static func expect(_ fault: ModelFault, _ bytes: [UInt8]) {
    #expect(throws: CupolaError.badModel(fault)) { try Model(bytes: bytes) }
  }

  static func isBadModel(_ error: any Error) -> Bool {
    if case CupolaError.badModel = error { true } else { false }
  }

  @Test("A model survives a round trip with and without a map")
  func roundTrip() throws {
    for campus in [GeoJSONText.lima, nil] {
      let model = try SampleModel.model(campus: campus)
      let again = try Model(bytes: model.bytes())
      #expect(again == model)
      #expect(
        again.campus?.building(labeled: "hall")?.name == (campus == nil ? nil : "Great Hall"))
      #expect(again.provenance.seed == .max)
    }
  }

  @Test("Equal models yield equal bytes, different ones do not")
  func determinism() throws {
    let bytes = try SampleModel.model().bytes()
    #expect(try SampleModel.model().bytes() == bytes)
    #expect(try Model(bytes: bytes).bytes() == bytes)
    #expect(try SampleModel.model(leastShare: 0.75).bytes() != bytes)
  }

  @Test("A model read from a file gives the same answers")
  func throughFile() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "sample.safetensors").path
      try SampleModel.model().write(to: path)
      let recognizer = Recognizer(model: try Model(contentsOf: path))
      #expect(try recognizer.recognize(photo: SampleModel.photo(.tower)).label == "tower")
      let url = folder.appending(path: "a model.safetensors")
      try recognizer.model.write(to: url)
      #expect(try Model(contentsOf: url) == recognizer.model)
      let remote = try #require(URL(string: "https://example.org/a"))
      #expect(throws: CupolaError.self) { try Model(contentsOf: remote) }
    }
  }

  @Test("The digest is SHA-256 of names, types, shapes and bytes")
  func digest() {
    // From `echo -n | sha256sum` and `printf 'a U8 [1]\nx' | sha256sum`.
    #expect(
      ModelFile.digest(of: [:])
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    let tensor = SafeTensors.Tensor(type: "U8", shape: [1], bytes: [UInt8(ascii: "x")])
    #expect(
      ModelFile.digest(of: ["a": tensor])
        == "1c1541cc7c715dde1ae4151557f8148e5eaa3aba9324e6a64b8578b870d6131c")
  }

  @Test("A model with a large map survives a round trip")
  func largeMap() throws {
    let text = String(repeating: "a", count: 17 << 20)
    let building = GeoJSONText.feature(
      #"{"role":"building","id":"hall","description":"\#(text)"}"#, GeoJSONText.point("[-77,-12]"))
    let grounds = GeoJSONText.boundary("[\(GeoJSONText.square(-77, -12, halfSide: 0.5))]")
    let model = try SampleModel.model(campus: GeoJSONText.collection([grounds, building]))
    #expect(try Model(bytes: try model.bytes()) == model)
  }

  @Test("A file of another kind or version throws a specific fault")
  func versions() throws {
    Self.expect(
      .missing("metadata entry format"), try Self.edited { $0.metadata["format"] = nil })
    Self.expect(
      .wrongFormat("other.model"), try Self.edited { $0.metadata["format"] = "other.model" })
    Self.expect(.unknownVersion("2"), try Self.edited { $0.metadata["format_version"] = "2" })
    Self.expect(.unknownVersion("unknown"), try Self.edited { $0.metadata["format_version"] = nil })
    let future = try Self.edited { file in
      var recipe = SampleModel.recipe
      recipe.version = 2
      file.metadata["recipe"] = try jsonText(recipe)
    }
    Self.expect(.unknownVersion("recipe 2"), future)
    // This version may be unable to read any part of a future recipe.
    Self.expect(
      .unknownVersion("recipe 3"), try Self.edited { $0.metadata["recipe"] = #"{"version":3}"# })
    Self.expect(.missing("metadata entry format"), try Fixtures.bytes("hog.safetensors"))
  }

  @Test("JSON entries may have more values than maps")
  func manyValues() throws {
    let text = "[" + String(repeating: "0,", count: 5_000_000) + "0]"
    #expect(try ModelFile.value([Int].self, inJSON: text).count == 5_000_001)
  }

  @Test("Changed tensors do not match the digest")
  func wrongDigest() throws {
    var bytes = try SampleModel.model().bytes()
    bytes[bytes.count - 1] ^= 1
    Self.expect(.wrongDigest, bytes)
    let cases: [(inout SafeTensors) -> Void] = [
      { $0.metadata["file_sha256"] = nil }, { $0.metadata["file_sha256"] = "" },
      { $0.tensors["classifier.bias"] = .init(floats: [0, 0, 1], shape: [3]) },
      { $0.tensors["extra"] = .init(floats: [0], shape: [1]) },
      { $0.tensors["classifier.bias"] = nil },
    ]
    for change in cases { Self.expect(.wrongDigest, try Self.edited(digesting: false, change)) }
  }

  @Test("A missing tensor is named", arguments: ["classifier.weight", "classifier.bias"])
  func missingTensors(name: String) throws {
    Self.expect(.missing("tensor \(name)"), try Self.edited { $0.tensors[name] = nil })
  }

  @Test(
    "A missing or unreadable metadata entry is named",
    arguments: ["recipe", "labels", "calibration", "provenance"])
  func texts(key: String) throws {
    Self.expect(.missing("metadata entry \(key)"), try Self.edited { $0.metadata[key] = nil })
    for text in ["", "7", "{", #"{"version":"one"}"#] {
      Self.expect(
        .badHeader("invalid metadata entry \(key)"),
        try Self.edited { $0.metadata[key] = text })
    }
  }

  @Test(
    "Weights that are NaN or infinite are rejected", arguments: [Float.nan, .infinity, -.infinity])
  func notFinite(value: Float) throws {
    let sample = try SampleModel.model()
    var weights = sample.classifier.front.weights
    weights[1, 20] = value
    var model = sample
    model.classifier = .softmax(LinearClassifier(weights: weights, biases: [0, 0, 0]))
    Self.expect(.notFinite(tensor: "classifier.weight"), try model.bytes())
    model.classifier = .softmax(
      LinearClassifier(weights: sample.classifier.front.weights, biases: [0, 0, value]))
    Self.expect(.notFinite(tensor: "classifier.bias"), try model.bytes())
  }

  @Test("Labels with more than 1,024 bytes are rejected")
  func longLabels() throws {
    func edited(_ count: Int) throws -> [UInt8] {
      let name = String(repeating: "ü", count: count / 2)
      return try Self.edited { $0.metadata["labels"] = #"["hall","tower","\#(name)"]"# }
    }
    #expect(try Model(bytes: edited(1024)).labels.names.count == 3)
    Self.expect(.inconsistent("a label has more than 1024 bytes"), try edited(1026))
  }

  @Test(
    "Labels that do not match the weights are rejected",
    arguments: [#"["a"]"#, #"["a","b"]"#, #"["a","b","c","d"]"#, "[]", #"["a","a","b"]"#])
  func labels(json: String) throws {
    let bytes = try Self.edited { $0.metadata["labels"] = json }
    #expect { try Model(bytes: bytes) } throws: {
      if case CupolaError.badModel(let fault) = $0 {
        !fault.message.hasPrefix("damaged header")
      } else {
        false
      }
    }
  }

  @Test("Weights of another type or shape are rejected")
  func shapes() throws {
    let tensors: [SafeTensors.Tensor] = [
      .init(floats: [Float](repeating: 0, count: 108), shape: [36, 3]),
      .init(floats: [Float](repeating: 0, count: 108), shape: [108]),
      .init(floats: [Float](repeating: 0, count: 105), shape: [3, 35]),
      .init(type: "F16", shape: [3, 36], bytes: [UInt8](repeating: 0, count: 216)),
    ]
    for tensor in tensors {
      let bytes = try Self.edited { $0.tensors["classifier.weight"] = tensor }
      #expect { try Model(bytes: bytes) } throws: {
        if case CupolaError.badModel(let fault) = $0 {
          fault.message.contains(", expected ")
        } else {
          false
        }
      }
    }
  }

  @Test("A temperature that is not positive is rejected", arguments: ["0", "-1", "1e999", "null"])
  func temperatures(value: String) throws {
    let bytes = try Self.edited {
      $0.metadata["calibration"] = #"{"temperature":\#(value)}"#
    }
    #expect { try Model(bytes: bytes) } throws: { Self.isBadModel($0) }
  }

  @Test(
    "An invalid error curve is rejected",
    arguments: [
      #"{"photos":1,"scores":[0.5,0.4]}"#, #"{"photos":-1,"scores":[]}"#,
      #"{"photos":9,"scores":[0.4,0.5]}"#, #"{"photos":9,"scores":[0.4,1e999]}"#,
      #"{"photos":9,"scores":[0.4,null]}"#, #"{"photos":9,"scores":0.4}"#,
      #"{"photos":9.5,"scores":[]}"#, #"{"photos":1e30,"scores":[]}"#, #"{"photos":9}"#,
      #"{"scores":[]}"#, "[]", "9",
    ])
  func curves(text: String) throws {
    for curve in ["not_buildings", "wrong_names"] {
      let bytes = try Self.edited {
        $0.metadata["calibration"] = #"{"temperature":1,"\#(curve)":\#(text)}"#
      }
      #expect { try Model(bytes: bytes) } throws: { Self.isBadModel($0) }
    }
  }

  @Test("Unusual but valid error curves are accepted")
  func oddCurves() throws {
    let curve = #"{"photos":1000000000,"scores":[1,0.4,0.4,0]}"#
    let bytes = try Self.edited {
      $0.metadata["calibration"] =
        #"{"temperature":1,"not_buildings":\#(curve),"wrong_names":\#(curve),"threshold":0.5}"#
    }
    let recognizer = Recognizer(model: try Model(bytes: bytes))
    #expect(recognizer.point.leastShare == -.infinity && recognizer.point.leastOdds == 0)
    #expect(try recognizer.recognize(photo: SampleModel.photo(.tower)).label == "tower")
  }

  @Test(
    "A recipe with invalid values is rejected",
    arguments: [
      (#""inputSide":32"#, [#""inputSide":0"#, #""inputSide":-32"#, #""inputSide":33"#]),
      (
        #""inputSide":32"#,
        [#""inputSide":9223372036854775806"#, #""inputSide":100000"#, #""inputSide":8"#]
      ),
      (#""cellSize":8"#, [#""cellSize":0"#, #""cellSize":-8"#, #""cellSize":7"#]),
      (#""cellSize":8"#, [#""cellSize":9223372036854775806"#]),
      (#""blockSize":2"#, [#""blockSize":0"#, #""blockSize":-2"#, #""blockSize":999"#]),
      (#""orientations":9"#, [#""orientations":0"#, #""orientations":-9"#]),
      (#""orientations":9"#, [#""orientations":2"#, #""orientations":9223372036854775807"#]),
      (#""clip":0.2"#, [#""clip":-1"#, #""clip":0"#]),
      (#""firstEpsilon":1"#, [#""firstEpsilon":0"#, #""firstEpsilon":-1"#]),
      (#""geometry":"squash""#, [#""geometry":"squish""#, #""geometry":{"window":7}"#]),
      (
        #""geometry":"squash""#,
        [
          #""geometry":{"window":{"left":50,"top":0,"width":51,"height":10}}"#,
          #""geometry":{"window":{"left":-1,"top":0,"width":50,"height":10}}"#,
          #""geometry":{"window":{"left":0,"top":9223372036854775807,"width":50,"height":1}}"#,
          #""geometry":{"window":{"left":0,"top":0,"width":0,"height":10}}"#,
        ]
      ),
    ])
  func recipes(sound: String, broken: [String]) throws {
    let recipe = try jsonText(SampleModel.recipe)
    try #require(recipe.contains(sound), "\(recipe)")
    for text in broken {
      let bytes = try Self.edited {
        $0.metadata["recipe"] = recipe.replacing(sound, with: text)
      }
      #expect("\(text)", performing: { try Model(bytes: bytes) }, throws: Self.isBadModel)
    }
  }

  @Test("A model with an invalid map is rejected")
  func badCampus() throws {
    let bytes = try Self.edited { $0.metadata["campus"] = "{}" }
    #expect { try Model(bytes: bytes) } throws: {
      if case CupolaError.badCampus = $0 { true } else { false }
    }
  }

  @Test("A truncated model is rejected")
  func cuts() throws {
    let bytes = try SampleModel.model().bytes()
    for length in stride(from: 0, to: bytes.count, by: 7) {
      #expect { try Model(bytes: Array(bytes[..<length])) } throws: { Self.isBadModel($0) }
    }
    #expect { try Model(bytes: bytes + [0]) } throws: { Self.isBadModel($0) }
  }

  @Test("Random damage yields a model or an error, never a crash")
  func noise() throws {
    let sound = try SampleModel.model().bytes()
    var generator = SplitMix64(seed: 8)
    for _ in 0..<200 {
      var bytes = sound
      for _ in 0..<3 {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
      }
      do throws(CupolaError) {
        _ = try Model(bytes: bytes)
      } catch {
        #expect(!error.message.isEmpty)
      }
    }
  }

  @Test("Reading and writing errors state the cause")
  func models() throws {
    try withTemporaryFolder { folder in
      let missing = folder.appending(path: "none/model").path
      #expect(throws: CupolaError.file(.cannotRead(path: missing, code: ENOENT))) {
        try Model(contentsOf: missing)
      }
      let model = try SampleModel.model()
      let parent = folder.appending(path: "none").path
      #expect(throws: CupolaError.file(.noFolder(path: missing, folder: parent))) {
        try model.write(to: missing)
      }
      let text = folder.appending(path: "text").path
      try FileAccess.write(Array("this is not a model".utf8), to: text)
      #expect(throws: CupolaError.badModel(.notSafetensors)) { try Model(contentsOf: text) }
    }
  }
}
