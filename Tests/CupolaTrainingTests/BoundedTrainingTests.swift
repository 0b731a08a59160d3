import Cupola
import CupolaTestSupport
import Foundation
import Synchronization
import Testing

@testable import CupolaTraining

@Suite("Bounded training")
struct BoundedTrainingTests {
  private let folder: TemporaryFolder
  private let photos: [LabeledPhoto]

  init() throws {
    folder = try TemporaryFolder()
    try folder.draw(8, to: ["photos/a", "photos/b", "photos/_c"])
    photos = try PhotoSet(root: folder.path + "/photos").photos
  }

  /// A trained model with its cache, which all tests share because they use the same photos.
  private static let first = Task {
    let tests = try BoundedTrainingTests()
    let model = try await tests.trainer(cached: true).train(on: tests.photos).model
    return (tests: tests, model: model)
  }

  /// The shared model; also copies the shared cache to this test's folder.
  private func trained() async throws -> Model {
    let first = try await Self.first.value
    try FileManager.default.copyItem(
      atPath: first.tests.folder.path + "/cache", toPath: folder.path + "/cache")
    return first.model
  }

  private func trainer(cached: Bool = false, threads: Int = 1) throws -> Trainer {
    var trainer = Trainer()
    trainer.recipe = .fisher(.small(components: 32, hogDimensions: 16))
    trainer.scale = .bounded
    trainer.threads = threads
    if cached {
      let cache = FeatureCache(folder: folder.path + "/cache")
      try cache.prepare()
      trainer.cache = cache
    }
    return trainer
  }

  private func right(_ model: Model) throws -> Int {
    let recognizer = Recognizer(model: model)
    return try (0..<20).count { number in
      let (kind, label) = number < 10 ? (Pictures.Kind.upright, "a") : (.level, "b")
      let answer = try recognizer.recognize(
        photo: try Pictures.jpeg(kind, seed: UInt64(900 + number)))
      return answer.candidates.first?.label == label
    }
  }

  @Test("Threads and caching do not change a bounded model")
  func same() async throws {
    let result = try await trainer().train(on: photos)
    #expect(result.converged)
    #expect(result.iterations <= TrainingScale.mostSteps)
    var full = try trainer()
    full.scale = .full
    let wanted = try right(try await full.train(on: photos).model)
    let found = try right(result.model)
    #expect(found >= wanted - 1, "\(found) of 20, \(wanted) with full training")
    let bytes = try result.model.bytes()
    #expect(try await trainer(threads: 2).train(on: photos).model.bytes() == bytes)
    #expect(try await trained().bytes() == bytes)
    #expect(try await trainer(cached: true, threads: 2).train(on: photos).model.bytes() == bytes)
  }

  @Test("A repeated training reuses cached fits")
  func fits() async throws {
    let first = try await trained()
    let paths = try Directory.entries(of: folder.path + "/cache")
      .map { folder.path + "/cache/" + $0.name }
    var changed = 0
    for path in paths {
      var file = try SafeTensors(bytes: try FileAccess.read(path))
      guard let biases = file.tensors["biases.0"]?.floats else { continue }
      file.tensors["biases.0"] = .init(floats: biases.map { $0 + 1 }, shape: [biases.count])
      file.metadata["tensors_sha256"] = ModelFile.digest(of: file.tensors)
      try FileAccess.write(try file.bytes(), to: path)
      changed += 1
    }
    #expect(changed > 5)
    let again = try await trainer(cached: true).train(on: photos).model
    #expect(again.classifier.biases != first.classifier.biases)
    #expect(again.classifier.front.weights == first.classifier.front.weights)
  }

  @Test(
    "Invalid cached fits are recomputed",
    arguments: ["labels", "columns", "infinite", "huge", "steps", "none"])
  func craftedFits(kind: String) async throws {
    let bytes = try await trained().bytes()
    var changed = 0
    for entry in try Directory.entries(of: folder.path + "/cache") {
      let path = folder.path + "/cache/" + entry.name
      var file = try SafeTensors(bytes: try FileAccess.read(path))
      guard let weights = file.tensors["weights.0"], let values = weights.floats else { continue }
      let (rows, columns) = (weights.shape[0], weights.shape[1])
      switch kind {
      case "labels":
        file.tensors["weights.0"] = .init(
          floats: values + values[..<columns], shape: [rows + 1, columns])
        file.tensors["biases.0"] = .init(
          floats: [Float](repeating: 0, count: rows + 1), shape: [rows + 1])
      case "columns":
        file.tensors["weights.0"] = .init(
          floats: [Float](repeating: 0, count: 2 * values.count), shape: [rows, 2 * columns])
      case "infinite", "huge":
        let value = kind == "huge" ? Float.greatestFiniteMagnitude : .nan
        file.tensors["weights.0"] = .init(
          floats: [Float](repeating: value, count: values.count), shape: weights.shape)
      case "steps": file.tensors["steps.0"] = .init(floats: [.nan, 1], shape: [2])
      default:
        file.tensors["weights.0"] = .init(floats: [], shape: [0, 1 << 40])
        file.tensors["biases.0"] = .init(floats: [], shape: [0])
      }
      file.metadata["tensors_sha256"] = ModelFile.digest(of: file.tensors)
      try FileAccess.write(try file.bytes(), to: path)
      changed += 1
    }
    #expect(changed > 5)
    #expect(try await trainer(cached: true).train(on: photos).model.bytes() == bytes)
  }

  @Test("A bounded training reuses the features of a full one")
  func fewerViews() async throws {
    var full = try trainer(cached: true)
    full.scale = .full
    _ = try await full.train(on: photos)
    let bounded = try await trainer(cached: true).train(on: photos)
    #expect(bounded.described == 0)
    #expect(try await bounded.model.bytes() == trainer().train(on: photos).model.bytes())
  }

  @Test("Every step reports its progress in order from start to end")
  func steps() async throws {
    for scale in [TrainingScale.full, .bounded] {
      var trainer = try trainer()
      trainer.scale = scale
      let told = Mutex<[TrainingProgress]>([])
      _ = try await trainer.train(on: photos) { news in told.withLock { $0.append(news) } }
      let news = told.withLock { $0 }
      #expect(news.map(\.step.rawValue) == news.map(\.step.rawValue).sorted())
      for step in TrainingProgress.Step.allCases {
        let own = news.filter { $0.step == step }
        #expect(own.first?.done == 0)
        #expect(own.last.map { $0.done == $0.total } == true, "\(step) of \(scale)")
        #expect(own.map(\.done) == own.map(\.done).sorted())
      }
    }
  }
}
