import Testing

@testable import Cupola

@Suite("Weight formats") struct WeightFormatTests {
  static let types = [WeightFormat.float32: "F32", .float16: "F16", .int8: "I8"]

  static func models() throws -> [Model] {
    [try SampleModel.model(weights: random(3, 36)), SampleFisher.model()]
  }

  static func random(_ rows: Int, _ columns: Int) -> Matrix {
    SampleFisher.matrix(rows, columns, in: -9...9, seed: 5)
  }

  // MARK: - Sound files

  @Test("A model survives its file in every format", arguments: WeightFormat.allCases)
  func roundTrip(format: WeightFormat) throws {
    for model in try Self.models() {
      let rounded = model.rounded(to: format)
      let bytes = try rounded.bytes()
      let again = try Model(bytes: bytes)
      #expect(again == rounded && again.weightFormat == format)
      #expect(try again.bytes() == bytes)
      #expect(try Model(bytes: model.bytes()).rounded(to: format) == rounded)
      #expect(rounded.rounded(to: format) == rounded)
      #expect((rounded.classifier == model.classifier) == (format == .float32))
      #expect(rounded.classifier.biases == model.classifier.biases)
    }
  }

  @Test("The file says its format, and its tensors are of it", arguments: WeightFormat.allCases)
  func tensors(format: WeightFormat) throws {
    for model in try Self.models() {
      let file = try SafeTensors(bytes: model.rounded(to: format).bytes())
      #expect(file.metadata["weights"] == format.rawValue)
      let weights = try #require(file.tensors["classifier.weight"])
      #expect(weights.type == Self.types[format])
      #expect(weights.shape == [3, model.recipe.featureCount])
      #expect(file.tensors["classifier.bias"]?.type == "F32")
      let scales = file.tensors["classifier.scale"]
      #expect((scales != nil) == (format == .int8))
      if let scales { #expect(scales.type == "F32" && scales.shape == [3]) }
    }
  }

  @Test("A model that was not rounded is rounded by its file")
  func unrounded() throws {
    var model = SampleFisher.model()
    for format in WeightFormat.allCases {
      model.weightFormat = format
      #expect(try Model(bytes: model.bytes()) == model.rounded(to: format))
    }
  }

  @Test("Fewer bits change a logit by no more than they must")
  func logits() {
    let features = VectorMath.unit(SampleFisher.matrix(1, 400, in: -1...1, seed: 3).values)
    let classifier = LinearClassifier(weights: Self.random(4, 400), biases: [1, 2, 3, 4])
    let exact = classifier.logits(features)
    for (format, bound) in [(WeightFormat.float16, 0x1p-11), (.int8, 0.5 / 127)] {
      let other = classifier.rounded(to: format).logits(features)
      let difference = largestDifference(other, exact)
      // By Cauchy and Schwarz, from the error of each of 400 weights below 9.
      #expect(difference > 0 && difference <= bound * 9 * 20 + 1e-5)
    }
  }

  @Test("Halves end at 65,504: weights beyond become that")
  func largeWeights() throws {
    let weights = Matrix(rows: 1, columns: 4, values: [1e6, -1e6, 65_519, 0.1])
    let classifier = LinearClassifier(weights: weights, biases: [0]).rounded(to: .float16)
    #expect(classifier.weights.values == [65_504, -65_504, 65_504, 0.099975586])
  }

  @Test("A file that does not say its format has floats of 32 bits")
  func older() throws {
    let bytes = try ModelFileTests.edited { $0.metadata["weights"] = nil }
    #expect(try Model(bytes: bytes) == SampleModel.model())
  }

  // MARK: - Faults

  /// The file of a model in a format after a change; its digest is made to fit.
  static func edited(
    _ format: WeightFormat, _ change: (inout SafeTensors) throws -> Void
  ) throws -> [UInt8] {
    let model = try SampleModel.model(weights: random(3, 36)).rounded(to: format)
    var file = try SafeTensors(bytes: model.bytes())
    try change(&file)
    return try ModelSeal.bytes(of: file)
  }

  @Test("A format of the future is told")
  func unknown() throws {
    for name in ["int4", "", "FLOAT16"] {
      let bytes = try Self.edited(.float32) { $0.metadata["weights"] = name }
      ModelFileTests.expect(.unknownVersion("weights \(name)"), bytes)
    }
  }

  @Test(
    "Weights of another type than the file says are refused", arguments: WeightFormat.allCases,
    WeightFormat.allCases)
  func contradiction(said: WeightFormat, stored: WeightFormat) throws {
    let bytes = try Self.edited(stored) { $0.metadata["weights"] = said.rawValue }
    guard said != stored else {
      #expect(try Model(bytes: bytes).weightFormat == said)
      return
    }
    let (found, needed) = (try #require(Self.types[stored]), try #require(Self.types[said]))
    ModelFileTests.expect(
      .inconsistent("tensor classifier.weight is \(found) [3, 36], \(needed) [3, 36] needed"),
      bytes)
  }

  @Test("Weights of another shape are refused", arguments: WeightFormat.allCases)
  func shapes(format: WeightFormat) throws {
    for shape in [[36, 3], [108], [3, 36, 1], [1, 3, 36]] {
      let bytes = try Self.edited(format) { file in
        let sound = try #require(file.tensors["classifier.weight"])
        file.tensors["classifier.weight"] = .init(
          type: sound.type, shape: shape, bytes: sound.bytes)
      }
      let type = try #require(Self.types[format])
      ModelFileTests.expect(
        .inconsistent("tensor classifier.weight is \(type) \(shape), \(type) [3, 36] needed"),
        bytes)
    }
  }

  @Test("Whole numbers of another type are refused", arguments: ["U8", "BOOL"])
  func unsigned(type: String) throws {
    let bytes = try Self.edited(.int8) { file in
      let sound = try #require(file.tensors["classifier.weight"])
      file.tensors["classifier.weight"] = .init(
        type: type, shape: sound.shape, bytes: sound.bytes)
    }
    ModelFileTests.expect(
      .inconsistent("tensor classifier.weight is \(type) [3, 36], I8 [3, 36] needed"), bytes)
  }

  @Test("Missing weights and scales are named")
  func missing() throws {
    for name in ["classifier.weight", "classifier.scale", "classifier.bias"] {
      ModelFileTests.expect(
        .missing("tensor \(name)"), try Self.edited(.int8) { $0.tensors[name] = nil })
    }
  }

  @Test("Scales of another shape or type are refused")
  func scaleShapes() throws {
    let scales: [SafeTensors.Tensor] = [
      .init(floats: [1, 1], shape: [2]), .init(floats: [1, 1, 1, 1], shape: [4]),
      .init(floats: [1, 1, 1], shape: [3, 1]), .init(floats: [1], shape: []),
      .init(halves: [1, 1, 1], shape: [3]), .init(int8s: [1, 1, 1], shape: [3]),
    ]
    for scale in scales {
      let bytes = try Self.edited(.int8) { $0.tensors["classifier.scale"] = scale }
      ModelFileTests.expect(
        .inconsistent(
          "tensor classifier.scale is \(scale.type) \(scale.shape), F32 [3] needed"), bytes)
    }
  }

  @Test("Scales that are no positive numbers are refused")
  func badScales() throws {
    func file(_ scale: Float) throws -> [UInt8] {
      try Self.edited(.int8) { file in
        file.tensors["classifier.scale"] = .init(floats: [1, scale, 1], shape: [3])
      }
    }
    for scale in [Float.nan, .infinity, -.infinity] {
      ModelFileTests.expect(.notFinite(tensor: "classifier.scale"), try file(scale))
    }
    for scale in [Float(0), -0.0, -1] {
      ModelFileTests.expect(
        .inconsistent("tensor classifier.scale is not positive"), try file(scale))
    }
    // Finite itself, but not what it makes of 127.
    ModelFileTests.expect(
      .inconsistent("tensor classifier.scale has values beyond 1000000"), try file(3e38))
  }

  @Test("Halves that are no numbers are refused", arguments: [0x7E00, 0x7C00, 0xFC00] as [UInt16])
  func badHalves(half: UInt16) throws {
    let bytes = try Self.edited(.float16) { file in
      let sound = try #require(file.tensors["classifier.weight"])
      var bytes = sound.bytes
      bytes.replaceSubrange(
        40..<42, with: [UInt8(truncatingIfNeeded: half), UInt8(truncatingIfNeeded: half >> 8)])
      file.tensors["classifier.weight"] = .init(type: "F16", shape: sound.shape, bytes: bytes)
    }
    ModelFileTests.expect(.notFinite(tensor: "classifier.weight"), bytes)
  }

  @Test("A file cut anywhere is refused", arguments: [WeightFormat.float16, .int8])
  func cuts(format: WeightFormat) throws {
    let bytes = try Self.edited(format) { _ in }
    for length in stride(from: 0, to: bytes.count, by: 11) {
      #expect { try Model(bytes: Array(bytes[..<length])) } throws: {
        ModelFileTests.isBadModel($0)
      }
    }
  }
}
