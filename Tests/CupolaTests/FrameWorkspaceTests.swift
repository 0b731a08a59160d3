import CAllocations
import Testing

@testable import Cupola

@Suite("Frame workspaces") struct FrameWorkspaceTests {
  private static func model(_ settings: FisherSettings) -> Model {
    var model = SampleFisher.model()
    let recipe = Recipe.fisher(settings)
    model = Model(
      recipe: recipe, extractor: .fisher(SampleFisher.extractor(settings)),
      labels: model.labels,
      classifier: .softmax(
        LinearClassifier(
          weights: SampleFisher.matrix(3, recipe.featureCount, in: -9...9, seed: 30),
          biases: [0.5, 0, -0.5])),
      calibration: model.calibration, campus: nil, provenance: model.provenance)
    return model
  }

  enum Kind: String, CaseIterable {
    case hog
    case retrieval
    case fast
    case balanced
    case best
    case detecting

    func model() throws -> Model {
      switch self {
      case .hog: try SampleModel.model()
      case .retrieval: try SampleRetrieval.model()
      case .fast: FrameWorkspaceTests.model(.fast)
      case .balanced: FrameWorkspaceTests.model(.balanced)
      case .best: FrameWorkspaceTests.model(.best)
      case .detecting: SampleFisher.detecting()
      }
    }
  }

  @Test(
    "No frame after the first ones allocates memory",
    .enabled(if: callocations_counts(), "allocations are counted with glibc only"),
    arguments: Kind.allCases)
  func allocations(kind: Kind) throws {
    let recognizer = Recognizer(model: try kind.model())
    let frames = (0..<3).map { RGBImage.random(320, 240, seed: $0) }
    var logits: [Float] = []
    for frame in frames { try recognizer.look(at: frame, into: &logits) }
    let before = callocations_count()
    // Without optimization, iterators allocate memory.
    var number = 0
    while number < frames.count {
      try recognizer.look(at: frames[number], into: &logits)
      number += 1
    }
    #expect(callocations_count() - before == 0)
  }

  @Test(
    "Allocations are counted",
    .enabled(if: callocations_counts(), "allocations are counted with glibc only"))
  func counting() {
    let before = callocations_count()
    let array = [UInt8](repeating: UInt8(before % 7), count: 1000)
    #expect(callocations_count() > before && array.count == 1000)
  }

  @Test("Earlier frames do not affect later ones of any size", arguments: Kind.allCases)
  func earlierFrames(kind: Kind) throws {
    let model = try kind.model()
    let recognizer = Recognizer(model: model)
    let flat = RGBImage.gray(200, 200) { _, _ in 9 }
    let frames = [
      RGBImage.random(320, 240, seed: 1), flat, .random(300, 400, seed: 2),
      .random(320, 240, seed: 3),
    ]
    for frame in frames + frames {
      let found = try recognizer.look(at: frame)
      #expect(try found == Recognizer(model: model).look(at: frame))
    }
  }

  @Test("Concurrent threads do not affect each other's frames")
  func threads() async throws {
    let model = Self.model(SampleFisher.settings)
    let recognizer = Recognizer(model: model)
    let frames = (0..<16).map { RGBImage.random(40, 40, seed: UInt64($0)) }
    let expected = try frames.map { try Recognizer(model: model).look(at: $0) }
    let found = try await withThrowingTaskGroup(of: (Int, [Float]).self) { group in
      for (index, frame) in frames.enumerated() {
        group.addTask { (index, try recognizer.look(at: frame)) }
      }
      return try await group.reduce(into: [Int: [Float]]()) { $0[$1.0] = $1.1 }
    }
    for index in frames.indices { #expect(found[index] == expected[index]) }
  }
}
