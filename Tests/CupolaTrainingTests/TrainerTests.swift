import Cupola
import CupolaTestSupport
import CupolaTraining
import Foundation
import Synchronization
import Testing

@Suite("Trainer")
struct TrainerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func trainer() -> Trainer {
    var trainer = Trainer()
    trainer.recipe = .hog
    return trainer
  }

  /// Drawn photos of three labels, `count` of each.
  private func photos(_ count: Int, labels: [String] = ["a", "b", "_c"]) throws -> [LabeledPhoto] {
    try folder.draw(count, to: labels)
    return try PhotoSet(root: folder.path).photos
  }

  @Test("learns to tell what it was shown from what is like it")
  func learns() async throws {
    let result = try await Self.trainer().train(on: try photos(8))
    #expect(result.converged)
    #expect(result.iterations > 0)
    #expect(result.skipped.isEmpty)
    #expect(result.model.labels.names == ["_c", "a", "b"])
    let recognizer = Recognizer(model: result.model)
    for (kind, label) in [(Pictures.Kind.upright, "a"), (.level, "b")] {
      let answer = try recognizer.recognize(photo: try Pictures.jpeg(kind, seed: 999))
      #expect(answer.label == label)
    }
    let rising = try recognizer.recognize(photo: try Pictures.jpeg(.rising, seed: 999))
    #expect(rising.verdict == .notACampusBuilding)
  }

  @Test("the steps that a training takes are counted, no others")
  func steps() async throws {
    func told(_ photos: [LabeledPhoto]) async throws -> [[Int]] {
      let told = Mutex<[[Int]]>([])
      _ = try await Self.trainer().train(on: photos) { news in
        told.withLock { told in
          let step = [news.step.rawValue, news.number, news.count]
          if told.last != step { told.append(step) }
        }
      }
      return told.withLock { $0 }
    }
    // With hog no buildings are left out, and with one photo a label nothing is.
    #expect(try await told(photos(4)) == [[0, 1, 4], [1, 2, 4], [2, 3, 4], [4, 4, 4]])
    let few = try photos(1, labels: ["x", "y"]).filter { ["x", "y"].contains($0.label) }
    #expect(try await told(few) == [[0, 1, 4], [1, 2, 4], [4, 3, 3]])
  }

  @Test("a trainer that is told nothing has the recipe of the command")
  func usual() { #expect(Trainer().recipe == .fisher(.balanced)) }

  @Test(
    "drawn photos train beside those given, unless told otherwise, and as the model that is updated has it"
  )
  func drawn() async throws {
    var trainer = Trainer()
    trainer.recipe = .fisher(.small())
    let photos = try photos(6, labels: ["a", "b"])
    let read = Mutex(0)
    let model = try await trainer.train(on: photos) { news in
      if news.step == .describingPhotos { read.withLock { $0 = max($0, news.done) } }
    }.model
    #expect(model.labels.names == DrawnPhotos.labels.sorted() + ["a", "b"])
    #expect(
      model.provenance.photos == [
        DrawnPhotos.label: 48, DrawnPhotos.landscapeLabel: 48, "a": 6, "b": 6,
      ])
    #expect(read.withLock { $0 } == photos.count + DrawnPhotos.count)
    #expect(try await Trainer(updating: model).train(on: photos).model.labels == model.labels)

    trainer.addsDrawnNegatives = false
    let without = try await trainer.train(on: photos).model
    #expect(without.labels.names == ["a", "b"])
    #expect(try await Trainer(updating: without).train(on: photos).model.labels == without.labels)

    trainer.addsDrawnNegatives = true
    trainer.recipe = .hog
    #expect(try await trainer.train(on: photos).model.labels.names == ["a", "b"])
  }

  @Test("calibrates on photos that the fits did not see")
  func calibration() async throws {
    let result = try await Self.trainer().train(on: try photos(8))
    #expect(!result.trials.isEmpty)
    #expect(Set(result.trials.map(\.settings.regularization)).count == result.trials.count)
    #expect(result.trials.allSatisfy { $0.settings.whitening == nil })
    for trial in result.trials {
      #expect((0...1).contains(trial.accuracy))
      #expect(trial.loss >= 0 && trial.loss.isFinite)
    }
    let tried = result.trials.map(\.settings.regularization)
    #expect(tried.contains(result.model.provenance.regularization))
    let calibration = result.model.calibration
    #expect((0.049...20.1).contains(calibration.temperature))
    #expect(calibration.wrongNames?.photos == 16 && calibration.notBuildings?.photos == 8)
    #expect(try #require(calibration.wrongNames).scores.allSatisfy { (0...1).contains($0) })
    #expect((0...1).contains(try #require(calibration.falseRejectionRate)))
    let point = OperatingPoint(calibration)
    #expect(point.shortfalls.map(\.photos) == [16, 8])
  }

  @Test("a given regularization is used as it is")
  func givenRegularization() async throws {
    var trainer = Self.trainer()
    trainer.regularization = 3.5
    let result = try await trainer.train(on: try photos(4))
    #expect(result.model.provenance.regularization == 3.5)
    #expect(result.trials.map(\.settings.regularization) == [3.5])
  }

  @Test("with one photo a label it neither calibrates nor refuses")
  func onePhotoEach() async throws {
    let result = try await Self.trainer().train(on: try photos(1))
    #expect(result.trials.isEmpty)
    #expect(result.model.calibration == .identity)
    #expect(result.model.provenance.regularization == 100)
    #expect(result.model.provenance.whitening == nil)
    #expect(result.model.provenance.photos == ["a": 1, "b": 1, "_c": 1])
  }

  @Test("without photos of no buildings nothing is known about them, and every building is named")
  func noBackgrounds() async throws {
    let result = try await Self.trainer().train(on: try photos(8, labels: ["a", "b", "c"]))
    let calibration = result.model.calibration
    #expect(calibration.notBuildings == nil && calibration.wrongNames?.photos == 24)
    #expect(calibration.falseRejectionRate == 0)
    let answer = try Recognizer(model: result.model)
      .recognize(photo: try Pictures.jpeg(.rising, seed: 999))
    #expect(answer.label == "c" && answer.odds == nil)
  }

  @Test("with two sessions of the background alone, only that is calibrated")
  func onlyBackgroundHeldOut() async throws {
    try folder.write(
      """
      path,label,split,group
      a/0.jpg,a,train,1
      a/1.jpg,a,train,1
      b/0.jpg,b,train,2
      b/1.jpg,b,train,2
      _c/0.jpg,_c,train,3
      _c/1.jpg,_c,train,4

      """, to: "split.csv")
    _ = try photos(2)
    let result = try await Self.trainer().train(on: try PhotoSet(root: folder.path).photos)
    #expect(result.trials.isEmpty && result.model.provenance.regularization == 100)
    let calibration = result.model.calibration
    #expect(calibration.temperature == 1 && calibration.wrongNames == nil)
    #expect(calibration.notBuildings?.photos == 2 && calibration.falseRejectionRate == nil)
  }

  @Test("lists photos that cannot be used, and learns from the others")
  func skips() async throws {
    try folder.write("no photo", to: "a/text.jpg")
    try folder.write(to: "b/empty.jpg")
    try folder.write("no photo", to: "lost/text.jpg")
    let result = try await Self.trainer().train(on: try photos(3))
    #expect(
      result.skipped == [
        SkippedFile(name: "a/text.jpg", reason: .unusable(.unsupportedFormat(.text))),
        SkippedFile(name: "b/empty.jpg", reason: .unusable(.unsupportedFormat(.empty))),
        SkippedFile(name: "lost/text.jpg", reason: .unusable(.unsupportedFormat(.text))),
      ])
    #expect(result.model.labels.names == ["_c", "a", "b"])
    #expect(result.model.provenance.photos == ["a": 3, "b": 3, "_c": 3])
  }

  @Test(
    "photos without any edge still make a model that answers", arguments: ClassifierKind.allCases)
  func flat(classifier: ClassifierKind) async throws {
    for (number, label) in ["a", "b", "a", "b"].enumerated() {
      try folder.write(try Pictures.flat(gray: UInt8(60 * number)), to: "\(label)/\(number).jpg")
    }
    var trainer = Self.trainer()
    trainer.classifier = classifier
    let result = try await trainer.train(on: try PhotoSet(root: folder.path).photos)
    let model = try Model(bytes: try result.model.bytes())
    let answer = try Recognizer(model: model).recognize(photo: try Pictures.flat(gray: 99))
    #expect(answer.candidates.allSatisfy { $0.probability.isFinite })
    #expect(answer.candidates.count == 2)
  }

  @Test(
    "says why nothing can be learned",
    arguments: [
      (["a"], TrainingError.oneLabel("a")), (["_a"], .oneLabel("_a")),
      (["_a", "_b"], .noBuildings),
    ])
  func refusals(labels: [String], error: TrainingError) async throws {
    let photos = try photos(2, labels: labels)
    await #expect(throws: error) { try await Self.trainer().train(on: photos) }
  }

  @Test("says when no photo can be used")
  func noUsable() async throws {
    try folder.write("text", to: "a/1.jpg")
    try folder.write("text", to: "b/2.jpg")
    let photos = try PhotoSet(root: folder.path).photos
    let error = try await #require(throws: TrainingError.self) {
      try await Self.trainer().train(on: photos)
    }
    guard case .noUsablePhotos(_, failures: 2) = error else {
      Issue.record("\(error)")
      return
    }
  }

  @Test("the model says where it comes from")
  func provenance() async throws {
    var trainer = Self.trainer()
    trainer.seed = 42
    let photos = try photos(3)
    let first = try await trainer.train(on: photos).model.provenance
    #expect(first.version == cupolaVersion)
    #expect(first.seed == 42)
    #expect(first.dataDigest.count == 64)
    // Another byte in one photo is other data; another name is not.
    try FileManager.default.moveItem(
      atPath: folder.path + "/a/2.jpg", toPath: folder.path + "/a/2b.jpg")
    let renamed = try PhotoSet(root: folder.path).photos
    #expect(try await trainer.train(on: renamed).model.provenance.dataDigest == first.dataDigest)
    try folder.write(try Pictures.jpeg(.upright, seed: 77), to: "a/2b.jpg")
    #expect(try await trainer.train(on: renamed).model.provenance.dataDigest != first.dataDigest)
  }
}
