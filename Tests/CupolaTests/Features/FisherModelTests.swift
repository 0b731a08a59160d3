import CupolaTestSupport
import Testing

@testable import Cupola

@Suite("Fisher model file") struct FisherModelTests {
  static let names = ["fisher.hog", "fisher.colour"].flatMap { encoder in
    ["projection", "offset", "mixture.weights", "mixture.means", "mixture.variances"]
      .map { "\(encoder).\($0)" }
  }

  static func edited(_ change: (inout SafeTensors) throws -> Void) throws -> [UInt8] {
    var file = try SafeTensors(bytes: SampleFisher.model().bytes())
    try change(&file)
    return try ModelSeal.bytes(of: file)
  }

  @Test("A model survives a round trip and gives the same answers")
  func roundTrip() throws {
    let model = SampleFisher.model()
    let bytes = try model.bytes()
    let again = try Model(bytes: bytes)
    #expect(again == model)
    #expect(try again.bytes() == bytes)
    let file = try SafeTensors(bytes: bytes)
    #expect(Set(file.tensors.keys) == Set(Self.names + ["classifier.weight", "classifier.bias"]))
    let photo = try SampleModel.photo(.tower)
    let answer = try Recognizer(model: model).recognize(photo: photo)
    #expect(answer.candidates.count == 2)
    #expect(answer.candidates.allSatisfy { $0.probability.isFinite })
    let other = try Recognizer(model: again).recognize(photo: photo)
    #expect(other.candidates.map(\.probability) == answer.candidates.map(\.probability))
  }

  @Test("A missing tensor is named", arguments: names)
  func missing(name: String) throws {
    let bytes = try Self.edited { $0.tensors[name] = nil }
    #expect(throws: CupolaError.badModel(.missing("tensor \(name)"))) { try Model(bytes: bytes) }
  }

  @Test("A wrong shape or type is reported with the expected one", arguments: names)
  func misshaped(name: String) throws {
    let sound = try #require(SafeTensors(bytes: SampleFisher.model().bytes()).tensors[name])
    let floats = try #require(sound.floats)
    let others: [SafeTensors.Tensor] = [
      .init(floats: floats, shape: [floats.count, 1]),
      .init(floats: Array(floats.dropLast()), shape: [floats.count - 1]),
      .init(floats: [], shape: [0]),
      .init(type: "I32", shape: sound.shape, bytes: sound.bytes),
    ]
    for other in others {
      let bytes = try Self.edited { $0.tensors[name] = other }
      let fault = ModelFault.inconsistent(
        "tensor \(name) is \(other.type) \(other.shape), expected F32 or F16 \(sound.shape)")
      #expect(throws: CupolaError.badModel(fault)) { try Model(bytes: bytes) }
    }
  }

  @Test("Values that fit half precision are stored as F16 exactly")
  func halves() throws {
    var extractor = SampleFisher.extractor()
    func halved(_ encoder: FisherExtractor.Encoder) -> FisherExtractor.Encoder {
      let (components, mixture) = (encoder.components, encoder.mixture)
      return FisherExtractor.Encoder(
        components: PrincipalComponents(
          projection: components.projection.halved, offset: components.offset),
        mixture: GaussianMixture(
          weights: mixture.weights, means: mixture.means.halved,
          variances: mixture.variances.halved))
    }
    extractor = FisherExtractor(
      settings: extractor.settings, hog: halved(extractor.hog), color: extractor.color)
    var model = SampleFisher.model()
    model.extractor = .fisher(extractor)
    let bytes = try model.bytes()
    #expect(try Model(bytes: bytes) == model)
    for (name, tensor) in try SafeTensors(bytes: bytes).tensors {
      let isHalved =
        name.hasPrefix("fisher.hog") && !name.hasSuffix("weights") && !name.hasSuffix("offset")
      #expect(tensor.type == (isHalved ? "F16" : "F32"), "\(name)")
    }
  }

  @Test("Tensors with NaN or infinity are rejected", arguments: names)
  func notFinite(name: String) throws {
    for value in [Float.nan, .infinity] {
      let bytes = try Self.edited { file in
        let sound = try #require(file.tensors[name])
        var floats = try #require(sound.floats)
        floats[floats.count - 1] = value
        file.tensors[name] = .init(floats: floats, shape: sound.shape)
      }
      #expect(throws: CupolaError.badModel(.notFinite(tensor: name))) { try Model(bytes: bytes) }
    }
  }

  @Test(
    "Variances and weights that are not positive are rejected",
    arguments: names.filter { $0.hasSuffix("variances") || $0.hasSuffix("weights") },
    [0, -1] as [Float])
  func notPositive(name: String, value: Float) throws {
    let bytes = try Self.edited { file in
      let sound = try #require(file.tensors[name])
      var floats = try #require(sound.floats)
      floats[2] = value
      file.tensors[name] = .init(floats: floats, shape: sound.shape)
    }
    let fault = ModelFault.inconsistent("tensor \(name) has values that are not positive")
    #expect(throws: CupolaError.badModel(fault)) { try Model(bytes: bytes) }
  }

  struct Change: Sendable {
    let words: String
    let change: @Sendable (inout FisherSettings) -> Void
  }

  @Test(
    "Invalid settings are rejected",
    arguments: [
      Change(words: "0 sides") { $0.sides = [] },
      Change(words: "9 sides") { $0.sides = Array(repeating: 32, count: 9) },
      Change(words: "a side of 15 pixels") { $0.sides = [32, 15] },
      Change(words: "a side of 0 pixels") { $0.sides = [0] },
      Change(words: "a side of -32 pixels") { $0.sides = [-32] },
      Change(words: "a side of 33 pixels") { $0.sides = [32, 33] },
      Change(words: "a side of \(Int.max) pixels") { $0.sides = [.max] },
      Change(words: "steps of 0 pixels") { $0.step = 0 },
      Change(words: "steps of 5 pixels") { $0.step = 5 },
      Change(words: "steps of -4 pixels") { $0.step = -4 },
      Change(words: "steps of 66 pixels") { $0.step = 66 },
      Change(words: "mixtures of 0 components") { $0.components = 0 },
      Change(words: "mixtures of 12 components") { $0.components = 12 },
      Change(words: "mixtures of -8 components") { $0.components = -8 },
      Change(words: "mixtures of 1032 components") { $0.components = 1032 },
      Change(words: "0 dimensions of HOG") { $0.hogDimensions = 0 },
      Change(words: "129 dimensions of HOG") { $0.hogDimensions = 129 },
      Change(words: "0 dimensions of color") { $0.colorDimensions = 0 },
      Change(words: "97 dimensions of color") { $0.colorDimensions = 97 },
      Change(words: "a color weight of -0.5") { $0.colorWeight = -0.5 },
      Change(words: "a color weight of inf") { $0.colorWeight = .infinity },
      Change(words: "a color weight of nan") { $0.colorWeight = .nan },
      Change(words: "contrasts of -0.1 to 0.11") { $0.flatContrast = -0.1 },
      Change(words: "contrasts of 0.11 to 0.11") { $0.flatContrast = 0.11 },
      Change(words: "contrasts of nan to 0.11") { $0.flatContrast = .nan },
      Change(words: "contrasts of 0.02 to 0.01") { $0.fullContrast = 0.01 },
      Change(words: "contrasts of 0.02 to 1.5") { $0.fullContrast = 1.5 },
      Change(words: "contrasts of 0.02 to inf") { $0.fullContrast = .infinity },
      Change(words: "contrasts of 0.02 to nan") { $0.fullContrast = .nan },
      Change(words: "a flattening of -0.1") { $0.componentFlattening = -0.1 },
      Change(words: "a flattening of 1.1") { $0.componentFlattening = 1.1 },
      Change(words: "a flattening of nan") { $0.componentFlattening = .nan },
    ])
  func broken(change: Change) {
    var settings = SampleFisher.settings
    change.change(&settings)
    var recipe = Recipe.fisher(SampleFisher.settings)
    recipe.features = .fisher(settings)
    let fault = ModelFault.inconsistent("invalid recipe: \(change.words)")
    #expect(throws: CupolaError.badModel(fault)) { try recipe.check() }
  }

  @Test(
    "Settings at their bounds are accepted",
    arguments: [
      FisherSettings(
        sides: [16], step: 2, components: 8, hogDimensions: 1, colorDimensions: 1,
        colorWeight: 0, flatContrast: 0, fullContrast: 1, componentFlattening: 0),
      FisherSettings(
        sides: [2048, 16, 17, 31, 32, 33, 64, 128], step: 64, components: 1024,
        hogDimensions: 128, colorDimensions: 96, colorWeight: 1000, flatContrast: 0.9,
        fullContrast: 1, componentFlattening: 1),
      .fast, .balanced, .best,
    ])
  func bounds(settings: FisherSettings) throws {
    let recipe = Recipe.fisher(settings)
    try recipe.check()
    #expect(recipe.inputSide == settings.sides.max())
    #expect(try throughJSON(recipe) == recipe)
  }

  @Test(
    "A file with an invalid recipe is rejected",
    arguments: [
      (#""step":4"#, #""step":0"#), (#""components":8"#, #""components":9223372036854775800"#),
      (#""sides":[32,23]"#, #""sides":[]"#), (#""sides":[32,23]"#, #""sides":[64]"#),
      (#""hogDimensions":5"#, #""hogDimensions":-5"#),
      (#""colourWeight":0.5"#, #""colourWeight":-0.5"#),
      (#""flatContrast":0.02"#, #""flatContrast":0.2"#),
      (#""componentFlattening":0.7"#, #""componentFlattening":7"#),
    ])
  func file(sound: String, broken: String) throws {
    let recipe = try jsonText(Recipe.fisher(SampleFisher.settings))
    try #require(recipe.contains(sound), "\(recipe)")
    let bytes = try Self.edited { $0.metadata["recipe"] = recipe.replacing(sound, with: broken) }
    #expect { try Model(bytes: bytes) } throws: {
      if case CupolaError.badModel(let fault) = $0 {
        fault.message.hasPrefix("invalid recipe: ")
      } else {
        false
      }
    }
  }
}
