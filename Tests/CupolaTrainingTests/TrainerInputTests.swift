import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("What a trainer takes, and when it stops") struct TrainerInputTests {
  static func photos() throws -> [LabeledPhoto] {
    try [Pictures.Kind.level, .upright].enumerated().flatMap { index, kind in
      try (0..<4).map { number in
        LabeledPhoto(
          contents: try Pictures.jpeg(kind, seed: UInt64(10 * index + number)),
          name: "\(kind)/\(number).jpg", label: "\(kind)")
      }
    }
  }

  static var trainer: Trainer { trainer(.hog) }

  static func trainer(_ recipe: Recipe) -> Trainer {
    var trainer = Trainer()
    trainer.recipe = recipe
    return trainer
  }

  @Test("photos in memory give the model that their files give")
  func memory() async throws {
    let photos = try Self.photos()
    let folder = try TemporaryFolder()
    for photo in photos { try folder.write(try photo.bytes(limit: .max), to: photo.name) }
    let files = try PhotoSet(root: folder.path).photos
    #expect(files.count == photos.count)
    let trained = try await Self.trainer.train(on: photos).model
    #expect(try await Self.trainer.train(on: files).model == trained)
  }

  @Test("a recipe without a geometry to train with is refused")
  func geometries() async throws {
    let photos = try Self.photos()
    var recipe = Recipe.hog
    recipe.trainingGeometries = []
    let trainer = Self.trainer(recipe)
    let refusal = ModelFault.inconsistent("its recipe has no geometry to train with")
    await #expect(throws: TrainingError.unusable(.badModel(refusal))) {
      try await trainer.train(on: photos)
    }
  }

  @Test(
    "labels that Cupola keeps for itself are refused",
    arguments: ["_unfamiliar", "_drawn", "_drawn_landscape"])
  func reservedLabels(label: String) async throws {
    let photos = try Self.photos().enumerated().map { number, photo in
      LabeledPhoto(
        contents: try photo.bytes(limit: .max), name: photo.name,
        label: number == 3 ? label : photo.label)
    }
    let error = TrainingError.reservedLabel(label)
    await #expect(throws: error) { try await Self.trainer.train(on: photos) }
    await #expect(throws: error) { try await Self.trainer.plan(for: photos) }
    #expect(error.message.hasPrefix("\(label): ") && error.message.contains("rename the folder"))
  }

  @Test("a task that is canceled makes no model and says so")
  func canceled() async throws {
    let photos = try Self.photos()
    let task = Task { try await Self.trainer.train(on: photos) }
    task.cancel()
    await #expect(throws: TrainingError.canceled) { try await task.value }
  }

  @Test("a fit stops at once when its task is canceled")
  func fits() async {
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return LBFGS(gradientTolerance: 0).minimize(from: [3]) { point, gradient in
        gradient = [2 * point[0]]
        return Double(point[0] * point[0])
      }
    }
    #expect(await task.value.iterations == 0)
  }
}
