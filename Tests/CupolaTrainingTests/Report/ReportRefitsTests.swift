import CupolaTestSupport
import Testing

@testable import Cupola
@testable import CupolaTraining

/// The data that a report requires from photos while the model processes them.
@Suite("ReportPreparation")
struct ReportPreparationTests {
  private let folder: TemporaryFolder
  private let set: PhotoSet

  init() throws {
    folder = try TemporaryFolder()
    set = try Self.draw(in: folder)
  }

  private static func draw(in folder: TemporaryFolder) throws -> PhotoSet {
    try folder.draw(.upright, 0..<9, to: "photos/train/a")
    try folder.draw(.level, 0..<9, to: "photos/train/b")
    try folder.draw(.upright, 20..<25, to: "photos/test/a")
    try folder.draw(.level, 20..<25, to: "photos/test/b")
    return try PhotoSet(root: folder.path("photos"))
  }

  private static func model(of photos: PhotoSet) async throws -> Model {
    var settings = FisherSettings.small()
    settings.sides = [256]
    var trainer = Trainer()
    trainer.recipe = .fisher(settings)
    return try await trainer.train(on: photos.photos(for: [.train])).model
  }

  private static let model = Task {
    let folder = try TemporaryFolder()
    return try await model(of: draw(in: folder))
  }

  @Test("Reusing decoded photos does not change check and baseline")
  func same() async throws {
    let model = try await Self.model.value
    var evaluator = Evaluator(model)
    #expect(model.recipe.inputSide == Light.side)
    var refits = ReportRefits()
    refits.training = set.photos(for: [.train])
    let told = Locked<[String: Int]>([:])
    refits.progress = { part, _ in { @Sendable done in told.withLock { $0[part] = done } } }
    let look = await refits.preparation(of: set, beside: model)
    evaluator.preparation = look
    let tests = set.photos(for: [.test])
    let seen = await evaluator.look(at: tests)
    #expect(seen.checked.count == tests.count)
    let evaluation = await evaluator.evaluate(seen)
    var report = EvaluationReport(evaluation)
    #expect(await refits.add(to: &report, of: seen, look, model: model) == nil)
    #expect(
      await refits.check(
        set, campus: nil, hasNegatives: false, of: seen, look, for: &report) == nil)

    evaluator.preparation = nil
    let again = await evaluator.look(at: tests)
    #expect(again.checked.isEmpty && again.ofBaseline == nil)
    var other = EvaluationReport(evaluation)
    #expect(await refits.add(to: &other, of: again, look, model: model) == nil)
    #expect(
      await refits.check(
        set, campus: nil, hasNegatives: false, of: again, look, for: &other) == nil)
    #expect(report.baseline?.answers == other.baseline?.answers)
    #expect(report.baseline?.answers.count == tests.count)
    let (first, second) = (try #require(report.check), try #require(other.check))
    #expect(first.text == second.text)
    let all = set.photos.count
    #expect(told.withLock { $0["checking photos"] } == all)
    #expect(told.withLock { $0["comparing photos"] } == all)
  }

  @Test("The baseline trains only on labels of the model")
  func sameLabels() async throws {
    try folder.draw(.noise, 0..<6, to: "photos/train/_street")
    let model = try await Self.model.value
    let all = try PhotoSet(root: folder.path("photos"))
    var refits = ReportRefits()
    refits.training = all.photos(for: [.train])
    #expect(refits.training.count == 24)
    let look = await refits.preparation(of: all, beside: model)
    #expect(look.baseline?.photos == 18 && look.failure == nil)
    #expect(look.baseline?.recognizer.model.labels.names.contains("_street") == false)
  }

  @Test("A baseline without all tested buildings is omitted with a reason")
  func fewerBuildings() async throws {
    try folder.draw(.noise, 0..<9, to: "photos/train/c")
    let all = try PhotoSet(root: folder.path("photos"))
    let model = try await Self.model(of: all)
    let evaluator = Evaluator(model)
    var refits = ReportRefits()
    refits.training = all.photos(for: [.train]).filter { $0.label != "b" }
    let look = await refits.preparation(of: all, beside: model)
    #expect(look.baseline?.photos == 18 && look.failure == nil)
    let seen = await evaluator.look(at: all.photos(for: [.test]))
    var report = EvaluationReport(await evaluator.evaluate(seen))
    let lack = await refits.add(to: &report, of: seen, look, model: model)
    #expect(lack?.hasPrefix("no hog baseline: 1 tested building without training photos") == true)
    #expect(lack?.hasSuffix("such as b") == true && report.baseline == nil)
    refits.asked = seen.listed
    let early = await refits.preparation(of: all, beside: model)
    #expect(early.baseline == nil && early.lack == lack)
    // The baseline does not have to contain unknown buildings.
    for index in refits.asked.indices where refits.asked[index].label == "b" {
      refits.asked[index].split = .testUnknown
    }
    #expect(await refits.preparation(of: all, beside: model).baseline != nil)
    let page = try await ReportPage(report, of: evaluator.recognizer).html()
    #expect(page.contains("There is no hog baseline: 1 tested building without training photos"))
    let untried = EvaluationReport(report.evaluation)
    let other = try await ReportPage(untried, of: evaluator.recognizer).html()
    #expect(other.contains("There is no hog baseline: add training photos"))
  }

  @Test("The baseline distinguishes photos and negatives of equal names")
  func sameNames() async throws {
    try folder.draw(.noise, 20..<22, to: "more/test/a")
    let negatives = try PhotoSet(negatives: folder.path("more")).photos
    let model = try await Self.model.value
    let evaluator = Evaluator(model)
    var refits = ReportRefits()
    refits.training = set.photos(for: [.train])
    let look = await refits.preparation(of: set, beside: model)
    let tests = set.photos(for: [.test])
    #expect(Set(tests.map(\.name)).isSuperset(of: negatives.map(\.name)))
    let seen = await evaluator.look(at: tests + negatives)
    var report = EvaluationReport(await evaluator.evaluate(seen))
    #expect(await refits.add(to: &report, of: seen, look, model: model) == nil)
    #expect(report.baseline?.answers.count == tests.count + 2)
  }

  @Test("Photos decoded at another size are not reused")
  func otherSize() async throws {
    var trainer = Trainer()
    trainer.recipe = .fisher(.small())
    var evaluator = Evaluator(try await trainer.train(on: set.photos(for: [.train])).model)
    evaluator.preparation = await ReportRefits().preparation(
      of: set, beside: evaluator.recognizer.model)
    let seen = await evaluator.look(at: set.photos(for: [.test]))
    #expect(seen.checked.isEmpty)
    #expect(seen.listed.count == 10)
  }
}

@Suite("Training overlap")
struct TrainingOverlapTests {
  @Test("Names that differ only in bytes are different photos")
  func equalNames() async throws {
    let contents = [
      try Pictures.jpeg(.level, seed: 1), try Pictures.jpeg(.noise, seed: 2),
    ]
    let photos = zip(contents, ["cafe\u{301}.jpg", "caf\u{E9}.jpg"]).map { bytes, name in
      LabeledPhoto(contents: bytes, name: name, label: "chapel")
    }
    var model = ReportFixture.model()
    model.provenance.photoDigests = [
      "chapel": PhotoDigests(sha256: [SHA256.hexadecimal(of: contents[0])])
    ]
    var evaluator = Evaluator(model)
    let seen = await evaluator.look(at: photos)
    let overlap = await TrainingOverlap(
      of: seen, with: model, decoder: PhotoDecoder(), threads: 1)
    #expect(overlap.found == [Array("cafe\u{301}.jpg".utf8): .same])
    evaluator.overlap = overlap
    let leaks = await evaluator.evaluate(seen).known.map(\.facts.leak)
    #expect(leaks == [.same, nil])
  }
}
