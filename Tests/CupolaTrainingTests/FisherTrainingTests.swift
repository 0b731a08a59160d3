import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTraining

/// Training with small Fisher features, end to end.
@Suite("Fisher training")
struct FisherTrainingTests {
  private static let settings: FisherSettings = {
    var settings = FisherSettings.balanced
    settings.sides = [96, 64]
    settings.step = 8
    settings.components = 16
    settings.hogDimensions = 16
    settings.colorDimensions = 8
    return settings
  }()

  private static func trainer(threads: Int = 1, seed: UInt64 = 0) -> Trainer {
    var trainer = Trainer()
    trainer.recipe = .fisher(settings)
    trainer.addsDrawnNegatives = false
    trainer.threads = threads
    trainer.seed = seed
    return trainer
  }

  private static func sampleCampus(_ parts: Set<Split>) throws -> [LabeledPhoto] {
    try PhotoSet(root: Repository.sampleCampus).photos(for: parts)
  }

  @Test("fewer patches than components teach nothing")
  func fewPatches() async throws {
    let photos = try Self.sampleCampus([.train]).filter { !Labels.isBackground($0.label) }
    var fit = FisherFit(
      settings: Self.settings, decoder: PhotoDecoder(), recipe: .fisher(Self.settings))
    (fit.photos, fit.patches) = (1, Self.settings.components - 1)
    var generator = SplitMix64(seed: 0)
    let learned = await fit.fit(photos, threads: 1, using: &generator)
    #expect(learned == nil)
  }

  @Test("what was learned when a training was canceled is not kept, whenever that was")
  func canceled() async throws {
    let folder = try TemporaryFolder()
    let photos = try (0..<12).map { number in
      LabeledPhoto(
        contents: try Pictures.jpeg(.rising, seed: UInt64(number)), name: "\(number).jpg",
        label: "a")
    }
    let fit = FisherFit(
      settings: .small(), decoder: PhotoDecoder(), recipe: .fisher(.small()))
    let wanted = await fit.extractor(for: photos, seed: 0, threads: 1, cache: nil)
    for milliseconds in [2, 8, 32, 64, 128] {
      let cache = FeatureCache(folder: folder.path + "/\(milliseconds)")
      try cache.prepare()
      let task = Task { await fit.extractor(for: photos, seed: 0, threads: 1, cache: cache) }
      try await Task.sleep(for: .milliseconds(milliseconds))
      task.cancel()
      _ = await task.value
      #expect(await fit.extractor(for: photos, seed: 0, threads: 1, cache: cache) == wanted)
    }
  }

  @Test("the same photos give the same model file, byte for byte, on one thread or two")
  func reproducible() async throws {
    let photos = try Self.sampleCampus([.train, .val])
    let first = try await Self.trainer().train(on: photos).model.bytes()
    #expect(try await Self.trainer(threads: 2).train(on: photos).model.bytes() == first)
    #expect(try await Self.trainer(seed: 1).train(on: photos).model.bytes() != first)
  }

  @Test("the model names most of the sample campus's held-out photos, also when read again")
  func accuracy() async throws {
    let result = try await Self.trainer(threads: 2).train(
      on: try Self.sampleCampus([.train, .val]))
    #expect(result.converged && result.skipped.isEmpty && !result.trials.isEmpty)
    #expect(Set(result.trials.map(\.settings.whitening)).count > 1)
    let provenance = result.model.provenance
    #expect(
      result.trials.contains {
        $0.settings.whitening == provenance.whitening
          && $0.settings.regularization == provenance.regularization
          && $0.settings.colorWeight == result.model.recipe.colorWeight
      })
    let model = try Model(bytes: try result.model.bytes())
    #expect(model == result.model)
    let test = try Self.sampleCampus([.test])
    let evaluation = await Evaluator(model).evaluate(test)
    #expect((evaluation.top1 ?? 0) >= 0.6)
    #expect(!evaluation.usesHOGFeatures)
    #expect(EvaluationReport(evaluation).baselineHOGTop1 == nil)
  }

  @Test("the weight of color is training's to choose, whatever the recipe says")
  func colorWeight() async throws {
    let photos = try Self.sampleCampus([.train])
    var other = Self.trainer(threads: 2)
    var settings = Self.settings
    settings.colorWeight = 2
    other.recipe = .fisher(settings)
    let result = try await Self.trainer(threads: 2).train(on: photos)
    #expect(try await other.train(on: photos).model.bytes() == result.model.bytes())
    let weights = result.trials.compactMap(\.settings.colorWeight)
    #expect(Set(weights) == [0.35, 0.2, 0.5])
    let chosen = try #require(result.model.recipe.colorWeight)
    #expect(weights.contains(chosen))
    #expect(result.model.extractor.settings == result.model.recipe.features)
  }

  @Test(
    "photos without any edge, also black ones, still make a model that answers", arguments: [60, 0])
  func flat(grayStep: Int) async throws {
    let folder = try TemporaryFolder()
    for (number, label) in ["a", "b", "a", "b"].enumerated() {
      let photo = try Pictures.flat(gray: UInt8(grayStep * number))
      try folder.write(photo, to: "\(label)/\(number).jpg")
    }
    let result = try await Self.trainer().train(on: try PhotoSet(root: folder.path).photos)
    #expect(result.model.provenance.photos == ["a": 2, "b": 2])
    let model = try Model(bytes: try result.model.bytes())
    let answer = try Recognizer(model: model).recognize(photo: try Pictures.flat(gray: 99))
    #expect(answer.candidates.count == 2)
    #expect(answer.candidates.allSatisfy { $0.probability.isFinite })
  }

  @Test("photos that cannot be read are skipped, and none at all are told")
  func unreadable() async throws {
    let folder = try TemporaryFolder()
    for label in ["a", "b"] { try folder.write("text", to: "\(label)/0.jpg") }
    let broken = try PhotoSet(root: folder.path).photos
    let error = try await #require(throws: TrainingError.self) {
      try await Self.trainer().train(on: broken)
    }
    guard case .noUsablePhotos(_, failures: 2) = error else {
      Issue.record("\(error)")
      return
    }
    for (kind, label) in zip(Pictures.Kind.allCases, ["a", "b"]) {
      for number in 1...2 {
        try folder.write(
          try Pictures.jpeg(kind, seed: UInt64(number)), to: "\(label)/\(number).jpg")
      }
    }
    let result = try await Self.trainer().train(on: try PhotoSet(root: folder.path).photos)
    #expect(result.skipped.map(\.name) == ["a/0.jpg", "b/0.jpg"])
    #expect(result.model.provenance.photos == ["a": 2, "b": 2])
  }
}
