import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTraining

@Suite("Trainer updates")
struct TrainerUpdateTests {
  private let folder: TemporaryFolder
  private let cache: FeatureCache

  init() throws {
    folder = try TemporaryFolder()
    cache = FeatureCache(folder: folder.path + "/cache")
    try cache.prepare()
    try folder.draw(4, to: ["photos/a", "photos/b", "photos/_c"])
  }

  private func add(_ count: Int, of kind: Pictures.Kind, to label: String) throws {
    try folder.draw(kind, 0..<count, to: "photos/" + label)
  }

  private func rename(_ label: String, to other: String) throws {
    try FileManager.default.moveItem(
      atPath: folder.path + "/photos/\(label)", toPath: folder.path + "/photos/\(other)")
  }

  private func remove(_ label: String) throws {
    try FileManager.default.removeItem(atPath: folder.path + "/photos/\(label)")
  }

  private static let small = Recipe.fisher(.small(.balanced))

  private func result(_ trainer: Trainer, threads: Int = 1) async throws -> TrainingResult {
    var trainer = trainer
    trainer.threads = threads
    return try await trainer.train(on: PhotoSet(root: folder.path + "/photos").photos)
  }

  private func full(
    _ recipe: Recipe = small, _ change: (inout Trainer) -> Void = { _ in }
  ) async throws -> Model {
    var trainer = Trainer()
    trainer.recipe = recipe
    trainer.addsDrawnNegatives = false
    trainer.cache = cache
    change(&trainer)
    return try Model(bytes: try await result(trainer).model.bytes())
  }

  private func update(
    _ model: Model, cached: Bool = true, threads: Int = 1
  ) async throws -> TrainingResult {
    var trainer = Trainer(updating: model)
    trainer.cache = cached ? cache : nil
    return try await result(trainer, threads: threads)
  }

  @Test(
    "An update with the same photos keeps the model",
    arguments: [(Recipe.hog, .float16), (small, .float32), (small, .int8)]
      as [(Recipe, WeightFormat)])
  func unchanged(recipe: Recipe, weights: WeightFormat) async throws {
    let model = try await full(recipe) {
      $0.weightFormat = weights
      $0.seed = 5
    }
    for cached in [true, false] {
      let result = try await update(model, cached: cached, threads: cached ? 1 : 2)
      #expect(try result.model.bytes() == model.bytes())
      #expect(result.reused == (cached ? 12 : 0) && result.described == (cached ? 0 : 12))
    }
  }

  @Test("Regularization, map and seed are kept unless given")
  func kept() async throws {
    let map = try Campus(
      geoJSON: Array(
        """
        {"type": "FeatureCollection", "features": [{"type": "Feature",
         "properties": {"role": "boundary"}, "geometry": {"type": "Polygon", "coordinates":
         [[[10, 48], [10.1, 48], [10.1, 48.1], [10, 48]]]}}]}
        """.utf8))
    let model = try await full {
      $0.regularization = 3.5
      $0.campus = map
      $0.seed = 9
    }
    #expect(try await update(model).model.bytes() == model.bytes())
    var trainer = Trainer(updating: model)
    trainer.seed = 10
    trainer.campus = nil
    trainer.regularization = 7
    let other = try await result(trainer).model
    #expect(other.campus == nil)
    #expect(other.provenance.seed == 10 && other.provenance.regularization == 7)
    #expect(other.extractor == model.extractor)
    #expect(
      other.provenance.featuresSource
        == .init(dataDigest: model.provenance.dataDigest, seed: 9))
  }

  @Test("A new building needs only its own photos to be processed")
  func added() async throws {
    let model = try await full()
    try add(3, of: .noise, to: "d")
    let result = try await update(model)
    #expect(result.reused == 12 && result.described == 3)
    #expect(result.model.labels.names == ["_c", "a", "b", "d", Labels.unfamiliar])
    #expect(result.model.extractor == model.extractor)
    let source = try #require(result.model.provenance.featuresSource)
    #expect(source == .init(dataDigest: model.provenance.dataDigest, seed: 0))
    // A second update keeps the original feature source.
    try remove("d")
    let back = try await update(result.model).model
    #expect(try back.bytes() == model.bytes())
  }

  @Test("Renaming a label processes no photo")
  func renamed() async throws {
    let model = try await full()
    try rename("a", to: "z")
    let result = try await update(model)
    #expect(result.reused == 12 && result.described == 0)
    #expect(result.model.labels.names == ["_c", "b", "z", Labels.unfamiliar])
    let changes = TrainingChanges(
      from: model.provenance, to: result.model.provenance)
    #expect(changes.renamed == [.init(from: "a", to: "z")])
    #expect(changes.photosAdded == 0 && changes.photosRemoved == 0 && changes.photosMoved == 0)
  }

  @Test("A removed building disappears from the model")
  func removed() async throws {
    try add(4, of: .noise, to: "d")
    let model = try await full()
    try remove("a")
    let result = try await update(model)
    #expect(result.reused == 12 && result.described == 0)
    #expect(result.model.labels.names == ["_c", "b", "d", Labels.unfamiliar])
    #expect(result.model.provenance.photoDigests["a"] == nil)
    #expect(result.model.provenance.recall["a"] == nil)
  }

  @Test("An update does not depend on threads and cache")
  func reproducible() async throws {
    for recipe in [Recipe.hog, Self.small] {
      let model = try await full(recipe)
      try add(3, of: .noise, to: "d")
      let first = try await update(model).model.bytes()
      #expect(try await update(model, threads: 2).model.bytes() == first)
      #expect(try await update(model, cached: false, threads: 2).model.bytes() == first)
      try remove("d")
    }
  }

  @Test("A HOG update equals a full training")
  func hog() async throws {
    let model = try await full(.hog)
    try add(3, of: .noise, to: "d")
    let updated = try await update(model).model
    #expect(updated.provenance.featuresSource == nil)
    #expect(try await updated.bytes() == full(.hog).bytes())
    let recognizer = Recognizer(model: updated)
    for (kind, label) in [(Pictures.Kind.upright, "a"), (.level, "b"), (.noise, "d")] {
      let answer = try recognizer.recognize(photo: try Pictures.jpeg(kind, seed: 999))
      #expect(answer.candidates.first?.label == label)
    }
  }

  @Test("A model stores photo digests and out-of-fold recall")
  func photoRecords() async throws {
    var trainer = Trainer()
    trainer.recipe = Self.small
    trainer.addsDrawnNegatives = false
    let result = try await result(trainer)
    let provenance = result.model.provenance
    #expect(provenance.photoDigests.mapValues(\.values.count) == provenance.photos)
    #expect(provenance.photoDigests.values.allSatisfy { $0.values == $0.values.sorted() })
    #expect(provenance.recall.keys.sorted() == ["a", "b"])
    let chosen = try #require(
      result.trials.first {
        $0.settings.regularization == provenance.regularization
          && $0.settings.whitening == provenance.whitening
      })
    let right = provenance.recall.values.reduce(0) { $0 + $1.right }
    let asked = provenance.recall.values.reduce(0) { $0 + $1.asked }
    #expect(asked == 8)
    #expect(Double(right) / Double(asked) == chosen.accuracy)
    #expect(provenance.isRegularizationGiven == false)
  }

  @Test("Learned features are stored in half precision")
  func halves() async throws {
    let file = try SafeTensors(bytes: try await full().bytes())
    for (name, tensor) in file.tensors where name.hasPrefix("fisher") {
      #expect(tensor.type == (name.hasSuffix("weights") ? "F32" : "F16"), "\(name)")
    }
  }

  @Test("Fewer bits shrink the file, and changed answers are counted")
  func weights() async throws {
    var sizes: [Int] = []
    for weights in WeightFormat.allCases {
      var trainer = Trainer()
      trainer.recipe = .hog
      trainer.weightFormat = weights
      trainer.cache = cache
      let result = try await result(trainer)
      sizes.append(try result.model.bytes().count)
      #expect(result.model.weightFormat == weights)
      #expect(result.changedAnswers?.asked == (weights == .float32 ? nil : 12))
      #expect(try Model(bytes: result.model.bytes()) == result.model)
    }
    // Three labels with 8100 weights each.
    #expect(sizes[0] - sizes[1] > 48_000 && sizes[1] - sizes[2] > 24_000)
  }
}
