import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola
@testable import CupolaExport
@testable import CupolaTraining

/// What nothing but `Mosaic.swift` says of a third kind of features is enough for all that Cupola does.
@Suite("A third kind of features") struct ThirdExtractorTests {
  /// Runs as if ``FeatureSettings/kinds`` named the third kind, too.
  static func knowing<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    try await FeatureSettings.$kinds.withValue(
      FeatureSettings.kinds + [Mosaic.self], operation: body)
  }

  static func photo(brightest corner: Int, seed: UInt64) throws -> [UInt8] {
    var generator = SplitMix64(seed: seed)
    let pixels = (0..<64 * 64).flatMap { index -> [UInt8] in
      let (x, y) = (index % 64, index / 64)
      let isBright = (x < 32 ? 0 : 1) + (y < 32 ? 0 : 2) == corner
      return [UInt8](
        repeating: (isBright ? 180 : 40) + UInt8(generator.next() % 32), count: 3)
    }
    return try JPEGEncoder.encode(RGBImage(width: 64, height: 64, pixels: pixels))
  }

  /// Three labels of six photos each, every label with another bright corner.
  static func model(in folder: TemporaryFolder) async throws -> Model {
    for (corner, label) in ["hall", "tower", "_street"].enumerated() {
      for number in 0..<6 {
        try folder.write(
          try photo(brightest: corner, seed: UInt64(10 * corner + number)),
          to: "\(label)/\(number).jpg")
      }
    }
    var trainer = Trainer()
    trainer.recipe = .hog
    trainer.recipe.inputSide = 64
    trainer.recipe.trainingGeometries = [.squash]
    trainer.recipe.features = FeatureSettings(Mosaic(tile: 8))
    return try await trainer.train(on: PhotoSet(root: folder.path).photos).model
  }

  @Test("It trains, is stored, recognizes and explains")
  func pipeline() async throws {
    try await Self.knowing {
      let folder = try TemporaryFolder()
      let trained = try await Self.model(in: folder)
      let model = try Model(bytes: try trained.bytes())
      #expect(model == trained && model.recipe.features.kind == "mosaic")
      let photo = try Self.photo(brightest: 1, seed: 99)
      let answer = try Recognizer(model: model).recognize(photo: photo)
      #expect(answer.candidates.first?.label == "tower")
      let explanation = try Explainer(model: model).explain(PhotoDecoder().open(photo))
      #expect(explanation.label == "tower" && explanation.map.columns == 8)
      #expect(
        abs(explanation.map.total + explanation.biasDifference - explanation.logitDifference)
          < 1e-4)
    }
  }

  @Test("A model of a kind that is not known is refused")
  func unknown() async throws {
    let folder = try TemporaryFolder()
    let bytes = try await Self.knowing { try await Self.model(in: folder).bytes() }
    #expect(throws: CupolaError.self) { try Model(bytes: bytes) }
  }

  @Test("A recipe with numbers that its kind refuses is refused")
  func refused() async throws {
    let folder = try TemporaryFolder()
    var model = try await Self.knowing { try await Self.model(in: folder) }
    model.recipe.features = FeatureSettings(Mosaic(tile: 0))
    let bytes = try model.bytes()
    await Self.knowing {
      _ = #expect(throws: CupolaError.self) { try Model(bytes: bytes) }
    }
  }

  @Test("Its graph and its C answer as the recognizer does")
  func exports() async throws {
    let folder = try TemporaryFolder()
    let model = try await Self.knowing { try await Self.model(in: folder) }
    let square = SampleSquares.steps.image(side: 64)
    let expected = try GraphModelTests.expected(model, square)
    for layout in [GraphLayout.channelsFirst, .channelsLast] {
      let graph = try Graph(model: model, layout: layout, weights: .float32)
      let found = GraphInterpreter(graph).probabilities(of: square)
      #expect(GraphModelTests.difference(expected, found) <= 1e-5)
    }
    if CProgram.isPossible {
      let program = try CProgram(try CSource(model: model, weights: .float32))
      let answer = try #require(try program.answers([square]).first)
      #expect(CSourceTests.largestDifference(answer.probabilities, expected) < 1e-5)
    }
  }
}
