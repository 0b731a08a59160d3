import Cupola
import CupolaTestSupport
import DrawnPictures
import Foundation
import Synchronization
import Testing

@testable import CupolaTraining
@testable import SampleCampus

@Suite("Trainer")
struct TrainerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func trainer() -> Trainer {
    var trainer = Trainer()
    trainer.recipe = .hog
    return trainer
  }

  private func photos(_ count: Int, labels: [String] = ["a", "b", "_c"]) throws -> [LabeledPhoto] {
    try folder.draw(count, to: labels)
    return try PhotoSet(root: folder.path).photos
  }

  @Test("A trained model names new photos of each kind")
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

  @Test("Reports the steps of a training in order")
  func steps() async throws {
    func told(_ photos: [LabeledPhoto]) async throws -> [TrainingProgress.Step] {
      let told = Mutex<[TrainingProgress.Step]>([])
      _ = try await Self.trainer().train(on: photos) { news in
        told.withLock { told in
          if told.last != news.step { told.append(news.step) }
        }
      }
      return told.withLock { $0 }
    }
    // With HOG, training excludes no buildings, and with one photo per label, no photos can be held out.
    let steps = try await told(photos(4))
    #expect(steps == [.learningFeatures, .describingPhotos, .choosingSettings, .fitting])
    let few = try photos(1, labels: ["x", "y"]).filter { ["x", "y"].contains($0.label) }
    #expect(try await told(few) == [.learningFeatures, .describingPhotos, .fitting])
  }

  @Test("The default recipe is that of the command")
  func defaultRecipe() { #expect(Trainer().recipe == .fisher(.balanced)) }

  @Test(
    "Drawn photos train unless disabled, and updates keep the choice"
  )
  func drawn() async throws {
    var trainer = Trainer()
    trainer.recipe = .fisher(.small())
    let photos = try photos(6, labels: ["a", "b"])
    let read = Mutex(0)
    let model = try await trainer.train(on: photos) { news in
      if news.step == .describingPhotos { read.withLock { $0 = max($0, news.done) } }
    }.model
    #expect(model.labels.names == DrawnPhotos.labels.sorted() + ["a", "b", Labels.unfamiliar])
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

  @Test("Calibration uses held-out photos")
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
    let point = Thresholds(calibration)
    #expect(point.shortfalls.map(\.photos) == [16, 8])
  }

  @Test("A given regularization is used unchanged")
  func givenRegularization() async throws {
    var trainer = Self.trainer()
    trainer.regularization = 3.5
    let result = try await trainer.train(on: try photos(4))
    #expect(result.model.provenance.regularization == 3.5)
    #expect(result.trials.map(\.settings.regularization) == [3.5])
  }

  @Test("One photo per label yields no calibration")
  func onePhotoEach() async throws {
    let result = try await Self.trainer().train(on: try photos(1))
    #expect(result.trials.isEmpty)
    #expect(result.model.calibration == .identity)
    #expect(result.model.provenance.regularization == 100)
    #expect(result.model.provenance.whitening == nil)
    #expect(result.model.provenance.photos == ["a": 1, "b": 1, "_c": 1])
  }

  @Test("Without backgrounds every photo is named")
  func noBackgrounds() async throws {
    let result = try await Self.trainer().train(on: try photos(8, labels: ["a", "b", "c"]))
    let calibration = result.model.calibration
    #expect(calibration.notBuildings == nil && calibration.wrongNames?.photos == 24)
    #expect(calibration.falseRejectionRate == 0)
    let answer = try Recognizer(model: result.model)
      .recognize(photo: try Pictures.jpeg(.rising, seed: 999))
    #expect(answer.label == "c" && answer.odds == nil)
  }

  @Test("Only backgrounds are calibrated if buildings have one session")
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

  @Test("Unusable photos are listed, and the others train")
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
    "Photos without edges yield a working model", arguments: ClassifierKind.allCases)
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
    "Unusable label sets throw the reason",
    arguments: [
      (["a"], TrainingError.oneLabel("a")), (["_a"], .oneLabel("_a")),
      (["_a", "_b"], .noBuildings),
    ])
  func refusals(labels: [String], error: TrainingError) async throws {
    let photos = try photos(2, labels: labels)
    await #expect(throws: error) { try await Self.trainer().train(on: photos) }
  }

  @Test("A training without usable photos throws")
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

  @Test("The provenance has version, seed and data digest")
  func provenance() async throws {
    var trainer = Self.trainer()
    trainer.seed = 42
    let photos = try photos(3)
    let first = try await trainer.train(on: photos).model.provenance
    #expect(first.version == cupolaVersion)
    #expect(first.seed == 42)
    #expect(first.dataDigest.count == 64)
    // The digest depends on the contents of the photos, but not on their names.
    try FileManager.default.moveItem(
      atPath: folder.path + "/a/2.jpg", toPath: folder.path + "/a/2b.jpg")
    let renamed = try PhotoSet(root: folder.path).photos
    #expect(try await trainer.train(on: renamed).model.provenance.dataDigest == first.dataDigest)
    try folder.write(try Pictures.jpeg(.upright, seed: 77), to: "a/2b.jpg")
    #expect(try await trainer.train(on: renamed).model.provenance.dataDigest != first.dataDigest)
  }
}

@Suite("Trainer input and cancellation") struct TrainerInputTests {
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

  @Test("Photos in memory and in files yield the same model")
  func memory() async throws {
    let photos = try Self.photos()
    let folder = try TemporaryFolder()
    for photo in photos { try folder.write(try photo.bytes(limit: .max), to: photo.name) }
    let files = try PhotoSet(root: folder.path).photos
    #expect(files.count == photos.count)
    let trained = try await Self.trainer.train(on: photos).model
    #expect(try await Self.trainer.train(on: files).model == trained)
  }

  @Test("A recipe without training geometries is rejected")
  func geometries() async throws {
    let photos = try Self.photos()
    var recipe = Recipe.hog
    recipe.trainingGeometries = []
    let trainer = Self.trainer(recipe)
    let refusal = ModelFault.inconsistent("invalid recipe: no training geometry")
    await #expect(throws: TrainingError.unusable(.badModel(refusal))) {
      try await trainer.train(on: photos)
    }
  }

  @Test(
    "Reserved labels are rejected",
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

  @Test("A canceled task throws and yields no model")
  func canceled() async throws {
    let photos = try Self.photos()
    let task = Task { try await Self.trainer.train(on: photos) }
    task.cancel()
    await #expect(throws: TrainingError.canceled) { try await task.value }
  }

  @Test("A fit stops at once if its task is canceled")
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

@Suite("Drawn photos")
struct DrawnPhotosTests {
  @Test("Drawn photos have the stated count and all differ")
  func different() throws {
    let drawn = try DrawnPhotos.all()
    #expect(drawn.count == DrawnPhotos.count)
    #expect(Set(drawn.map(\.name)).count == DrawnPhotos.count)
    #expect(Set(drawn.map(\.contents)).count == DrawnPhotos.count)
    #expect(drawn.allSatisfy { Labels.isBackground($0.label) })
    #expect(drawn.count { $0.label == DrawnPhotos.label } == 48)
    #expect(drawn.count { $0.label == DrawnPhotos.landscapeLabel } == 48)
  }

  // Other JPEG encoders produce different bytes.
  #if os(Linux)
    @Test(
      "The drawn photos match the output of Tools/SampleCampus")
    func drawn() throws { #expect(DrawnPictures.bytes == (try DrawnNegative.file())) }
  #endif

  @Test("The sample photos match the drawing exactly")
  func samples() throws {
    let samples = try DrawnPictures.samples()
    #expect(samples.count == DrawnPictures.sampleCount)
    for (index, sample) in samples.enumerated() { #expect(sample == DrawnNegative.picture(index)) }
  }

  @Test("Drawn photos are valid and not in the sample campus")
  func sound() throws {
    let drawn = try DrawnPhotos.all()
    for photo in drawn {
      let bytes = try #require(photo.contents)
      let image = try PhotoDecoder().open(bytes).image(minimumWidth: 256, minimumHeight: 256)
      #expect(image.width >= 256 && image.height >= 256)
    }
    let sample = try PhotoSet(root: Repository.sampleCampus).photos.map {
      try PhotoDecoder().open($0.bytes(limit: 1 << 24)).image(minimumWidth: 1, minimumHeight: 1)
    }
    for photo in drawn {
      let image = try PhotoDecoder().open(try #require(photo.contents)).image(
        minimumWidth: 1, minimumHeight: 1)
      #expect(!sample.contains(image))
    }
  }

  @Test("Drawn photos do not count toward error promises")
  func promises() {
    let names = Labels([DrawnPhotos.label, "_street", "hall", "tower"])
    var logits = Matrix(rows: 60, columns: 4)
    let truth = (0..<60).map { $0 % 4 }
    for (row, label) in truth.enumerated() { logits[row, label] = 5 + Float(row % 7) / 10 }
    let calibration = CalibrationFit(logits: logits, truth: truth, names: names).calibration
    #expect(calibration.notBuildings?.photos == 15)
    #expect(calibration.wrongNames?.photos == 30)
  }
}

@Suite("Misspelled labels")
struct MisspelledLabelTests {
  private static let known = [
    "hesburgh_library", "main_building", "hall", "building01", "zoo", "b1",
    "11-2", "annex_12",
  ]

  @Test(
    "Typos, case and separators are recognized",
    arguments: [
      ("hesburg_library", "hesburgh_library"), ("Hesburgh Library", "hesburgh_library"),
      ("mian_buidling", "main_building"), ("hal", nil), ("halll", "hall"), ("hill", "hall"),
      ("building02", nil), ("bilding01", "building01"), ("zo", nil), ("dining_hall", nil),
      ("main_building_annex", nil), ("hall2", nil), ("", nil), ("Zoo", "zoo"), ("z-oo", "zoo"),
      ("B_1", "b1"), ("1b", nil), ("b2", nil), ("+", nil), ("11 2", "11-2"), ("1-12", nil),
      ("Annex-12", "annex_12"), ("annex_1_2", nil),
    ])
  func likely(label: String, expected: String?) {
    let found = MisspelledLabel.all(of: [label], known: Self.known)
    #expect(found.first?.meant == expected && found.count == (expected == nil ? 0 : 1))
  }

  @Test("A background is not a misspelled building")
  func backgrounds() throws {
    try TrainingError.check(["_hall", "_zoo"], in: "walks", against: Self.known)
    #expect(throws: TrainingError.self) {
      try TrainingError.check(["_hall", "Hall"], in: "walks", against: Self.known)
    }
  }

  @Test("Known labels are not reported, others at most three times")
  func several() {
    #expect(MisspelledLabel.all(of: Set(Self.known), known: Self.known).isEmpty)
    let many = Set(["halls", "hull", "hell", "mall", "hails"])
    #expect(
      MisspelledLabel.all(of: many, known: ["hall"]).map(\.label) == ["halls", "hell", "hull"])
  }
}
