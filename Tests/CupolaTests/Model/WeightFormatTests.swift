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

  @Test("A model survives a round trip in every format", arguments: WeightFormat.allCases)
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

  @Test("The file declares its format, and its tensors match", arguments: WeightFormat.allCases)
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

  @Test("Writing rounds the weights of a model")
  func unrounded() throws {
    var model = SampleFisher.model()
    for format in WeightFormat.allCases {
      model.weightFormat = format
      #expect(try Model(bytes: model.bytes()) == model.rounded(to: format))
    }
  }

  @Test("Rounding changes logits only within the error bound")
  func logits() {
    let features = VectorMath.unit(SampleFisher.matrix(1, 400, in: -1...1, seed: 3).values)
    let classifier = LinearClassifier(weights: Self.random(4, 400), biases: [1, 2, 3, 4])
    let exact = classifier.logits(features)
    for (format, bound) in [(WeightFormat.float16, 0x1p-11), (.int8, 0.5 / 127)] {
      let other = classifier.rounded(to: format).logits(features)
      let difference = largestDifference(other, exact)
      // Cauchy-Schwarz bound with the rounding errors of 400 weights below 9.
      #expect(difference > 0 && difference <= bound * 9 * 20 + 1e-5)
    }
  }

  @Test("Weights above 65,504 are clamped to the largest half")
  func largeWeights() throws {
    let weights = Matrix(rows: 1, columns: 4, values: [1e6, -1e6, 65_519, 0.1])
    let classifier = LinearClassifier(weights: weights, biases: [0]).rounded(to: .float16)
    #expect(classifier.weights.values == [65_504, -65_504, 65_504, 0.099975586])
  }

  @Test("A file without a format has 32-bit floats")
  func older() throws {
    let bytes = try ModelFileTests.edited { $0.metadata["weights"] = nil }
    #expect(try Model(bytes: bytes) == SampleModel.model())
  }

  static func edited(
    _ format: WeightFormat, _ change: (inout SafeTensors) throws -> Void
  ) throws -> [UInt8] {
    let model = try SampleModel.model(weights: random(3, 36)).rounded(to: format)
    var file = try SafeTensors(bytes: model.bytes())
    try change(&file)
    return try ModelSeal.bytes(of: file)
  }

  @Test("An unknown format is reported")
  func unknown() throws {
    for name in ["int4", "", "FLOAT16"] {
      let bytes = try Self.edited(.float32) { $0.metadata["weights"] = name }
      ModelFileTests.expect(.unknownVersion("weights \(name)"), bytes)
    }
  }

  @Test(
    "Weights of another type than declared are rejected", arguments: WeightFormat.allCases,
    WeightFormat.allCases)
  func contradiction(said: WeightFormat, stored: WeightFormat) throws {
    let bytes = try Self.edited(stored) { $0.metadata["weights"] = said.rawValue }
    guard said != stored else {
      #expect(try Model(bytes: bytes).weightFormat == said)
      return
    }
    let (found, needed) = (try #require(Self.types[stored]), try #require(Self.types[said]))
    ModelFileTests.expect(
      .inconsistent("tensor classifier.weight is \(found) [3, 36], expected \(needed) [3, 36]"),
      bytes)
  }

  @Test("Weights of another shape are rejected", arguments: WeightFormat.allCases)
  func shapes(format: WeightFormat) throws {
    for shape in [[36, 3], [108], [3, 36, 1], [1, 3, 36]] {
      let bytes = try Self.edited(format) { file in
        let sound = try #require(file.tensors["classifier.weight"])
        file.tensors["classifier.weight"] = .init(
          type: sound.type, shape: shape, bytes: sound.bytes)
      }
      let type = try #require(Self.types[format])
      ModelFileTests.expect(
        .inconsistent("tensor classifier.weight is \(type) \(shape), expected \(type) [3, 36]"),
        bytes)
    }
  }

  @Test("8-bit weights of another type are rejected", arguments: ["U8", "BOOL"])
  func unsigned(type: String) throws {
    let bytes = try Self.edited(.int8) { file in
      let sound = try #require(file.tensors["classifier.weight"])
      file.tensors["classifier.weight"] = .init(
        type: type, shape: sound.shape, bytes: sound.bytes)
    }
    ModelFileTests.expect(
      .inconsistent("tensor classifier.weight is \(type) [3, 36], expected I8 [3, 36]"), bytes)
  }

  @Test("Missing weights and scales are named")
  func missing() throws {
    for name in ["classifier.weight", "classifier.scale", "classifier.bias"] {
      ModelFileTests.expect(
        .missing("tensor \(name)"), try Self.edited(.int8) { $0.tensors[name] = nil })
    }
  }

  @Test("Scales of another shape or type are rejected")
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
          "tensor classifier.scale is \(scale.type) \(scale.shape), expected F32 [3]"), bytes)
    }
  }

  @Test("Scales that are not positive and finite are rejected")
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
        .inconsistent("tensor classifier.scale has values that are not positive"), try file(scale))
    }
    // The scale is finite, but 127 times the scale is not.
    ModelFileTests.expect(
      .inconsistent("tensor classifier.scale has values above 1000000"), try file(3e38))
  }

  @Test(
    "Half-precision weights that are NaN or infinite are rejected",
    arguments: [0x7E00, 0x7C00, 0xFC00] as [UInt16])
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

  @Test("A truncated file is rejected", arguments: [WeightFormat.float16, .int8])
  func cuts(format: WeightFormat) throws {
    let bytes = try Self.edited(format) { _ in }
    for length in stride(from: 0, to: bytes.count, by: 11) {
      #expect { try Model(bytes: Array(bytes[..<length])) } throws: {
        ModelFileTests.isBadModel($0)
      }
    }
  }
}

#if !(os(macOS) && arch(x86_64))
  @Suite("Half precision") struct HalfPrecisionTests {
    @Test("Every half matches Float16 and survives a round trip")
    func halves() {
      for bits in UInt16.min...UInt16.max {
        let expected = Float(Float16(bitPattern: bits))
        let value = HalfPrecision.value(of: bits)
        guard !expected.isNaN else {
          #expect(value.isNaN && Float16(bitPattern: HalfPrecision.bits(of: value)).isNaN)
          continue
        }
        #expect(value.bitPattern == expected.bitPattern)
        #expect(HalfPrecision.bits(of: value) == bits)
      }
    }

    @Test("Floats are rounded to the nearest half, as by Float16")
    func rounding() {
      var generator = SplitMix64(seed: 1)
      let random = (0..<100_000).map { _ in
        Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &generator))
      }
      let halves = (UInt16(0)..<0x7C00).map { Float(Float16(bitPattern: $0)) }
      let ties = zip(halves, halves.dropFirst()).map { ($0 + $1) / 2 }
      let near = ties.flatMap { [$0, -$0, $0.nextUp, $0.nextDown] }
      for value in random + near + [65_519.99, 65_520, 65_536, .infinity, -.infinity, 0, -0.0]
      where !value.isNaN {
        #expect(HalfPrecision.bits(of: value) == Float16(value).bitPattern, "\(value)")
      }
    }

    @Test("A tensor of halves contains the rounded floats")
    func tensor() {
      let values: [Float] = [0, -0.0, 1, 0.1, -1e-7, 3.25]
      let tensor = SafeTensors.Tensor(halves: values, shape: [2, 3])
      #expect(tensor.type == "F16")
      #expect(tensor.bytes.count == 12)
      #expect(tensor.halves == values.map { Float(Float16($0)) })
      #expect(tensor.floats == nil)
      #expect(SafeTensors.Tensor(floats: values, shape: [6]).halves == nil)
    }

    @Test("A compact tensor uses halves if they are exact")
    func compact() {
      let halves: [Float] = [0, -0.0, 1, 65_504, 0x1p-24, -3.25]
      let tensor = SafeTensors.Tensor(compact: halves, shape: [6])
      #expect(tensor.type == "F16")
      #expect(tensor.halves?.map(\.bitPattern) == halves.map(\.bitPattern))
      for other in [Float(0.1), 65_505, 0x1p-25, .nan] {
        let tensor = SafeTensors.Tensor(compact: halves + [other], shape: [7])
        #expect(tensor.type == "F32")
        #expect(tensor.floats?.map(\.bitPattern) == (halves + [other]).map(\.bitPattern))
      }
    }

    @Test("A matrix is rounded to halves and clamped to the largest one")
    func matrix() {
      let values: [Float] = [0.1, -0.1, 1, 70_000, -.infinity, 1e-9]
      let halved = Matrix(rows: 2, columns: 3, values: values).halved
      #expect(halved.rows == 2 && halved.columns == 3)
      let expected: [Float] = [Float(Float16(0.1)), -Float(Float16(0.1)), 1, 65_504, -65_504, 0]
      #expect(halved.values == expected)
      #expect(halved.halved == halved)
    }
  }
#endif

@Suite("Int8 weights") struct Int8WeightsTests {
  static func random(_ rows: Int, _ columns: Int, seed: UInt64 = 1) -> Matrix {
    SampleFisher.matrix(rows, columns, in: -3...3, seed: seed)
  }

  @Test("Each weight becomes the nearest multiple of its row scale")
  func nearest() {
    let weights = Self.random(5, 301)
    let rounded = Int8Weights(weights)
    #expect(rounded.rows == 5 && rounded.columns == 301 && rounded.scales.count == 5)
    for row in 0..<5 {
      let scale = Double(rounded.scales[row])
      for column in 0..<301 {
        let (weight, value) = (Double(weights[row, column]), rounded.values[row * 301 + column])
        let distances = (-127...127).map { abs(Double($0) * scale - weight) }
        let least = distances.min() ?? 0
        #expect(distances[Int(value) + 127] <= least + 1e-6 * scale)
        #expect(Double(rounded.matrix[row, column]) == Double(value) * scale)
      }
    }
  }

  @Test("The largest magnitude of a row becomes 127")
  func largest() {
    let sizes: [Float] = [1, 1e-30, .leastNonzeroMagnitude * 200, .greatestFiniteMagnitude, 127.5]
    for (row, size) in sizes.enumerated() {
      let weights = Matrix(rows: 1, columns: 3, values: [size, -size, size / 2])
      let rounded = Int8Weights(weights)
      #expect(rounded.matrix.values.allSatisfy { $0.isFinite }, "row \(row)")
      guard size >= .leastNormalMagnitude else { continue }
      #expect(rounded.values[0] == 127 && rounded.values[1] == -127)
      #expect(abs(rounded.matrix.values[0] / size - 1) < 0x1p-16)
      #expect(abs(rounded.scales[0] / (size / 127) - 1) < 0x1p-16)
    }
  }

  @Test("Ties are rounded to even")
  func ties() {
    let values: [Float] = [127, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 63.5]
    let rounded = Int8Weights(Matrix(rows: 1, columns: 8, values: values))
    #expect(rounded.scales == [1])
    #expect(rounded.values == [127, 0, 2, 2, 0, -2, -2, 64])
  }

  @Test("A zero row stays zero, and rows are independent")
  func rows() {
    var weights = Self.random(3, 40)
    for column in 0..<40 { weights[1, column] = 0 }
    let rounded = Int8Weights(weights)
    #expect(rounded.scales[1] == 1)
    #expect(rounded.matrix.values[weights.range(ofRow: 1)].allSatisfy { $0 == 0 })
    for row in 0..<3 {
      let alone = Int8Weights(weights.selecting(rows: [row]))
      #expect(alone.values == Array(rounded.values[weights.range(ofRow: row)]))
      #expect(alone.scales == [rounded.scales[row]])
    }
  }

  @Test("Scaled values are exact, so rounding is idempotent")
  func exact() {
    for seed in 0..<200 as Range<UInt64> {
      let rounded = Int8Weights(Self.random(2, 9, seed: seed))
      for (index, weight) in rounded.matrix.values.enumerated() {
        let exact = Double(rounded.values[index]) * Double(rounded.scales[index / 9])
        #expect(Double(weight) == exact)
      }
      #expect(Int8Weights(rounded.matrix) == rounded)
    }
  }

  @Test("Tensors store Int8 values as bytes in two's complement")
  func tensor() {
    let tensor = SafeTensors.Tensor(int8s: [0, 1, -1, 127, -127, -128], shape: [2, 3])
    #expect(tensor.type == "I8" && tensor.bytes == [0, 1, 255, 127, 129, 128])
    #expect(tensor.int8s == [0, 1, -1, 127, -127, -128])
    #expect(tensor.floats == nil && tensor.halves == nil)
    #expect(SafeTensors.Tensor(floats: [1], shape: [1]).int8s == nil)
  }

  @Test("NaN weights and mismatched sizes trap")
  func notFinite() async {
    await #expect(processExitsWith: .failure) {
      _ = Int8Weights(Matrix(rows: 1, columns: 1, values: [.nan]))
    }
    await #expect(processExitsWith: .failure) {
      _ = Int8Weights(rows: 1, columns: 2, values: [1], scales: [1])
    }
    await #expect(processExitsWith: .failure) {
      _ = Int8Weights(rows: 1, columns: 1, values: [1], scales: [])
    }
  }
}
