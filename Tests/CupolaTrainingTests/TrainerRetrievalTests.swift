import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTraining

@Suite("Retrieval training")
struct TrainerRetrievalTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.draw(8, to: ["photos/a", "photos/b", "photos/_c"])
  }

  private func add(_ numbers: Range<Int>, of kind: Pictures.Kind, to label: String) throws {
    try folder.draw(kind, numbers, to: "photos/" + label)
  }

  private func remove(_ path: String) throws {
    try FileManager.default.removeItem(atPath: folder.path + "/photos/" + path)
  }

  private func photos() throws -> [LabeledPhoto] {
    try PhotoSet(root: folder.path + "/photos").photos
  }

  private func trainer(threads: Int = 1) -> Trainer {
    var trainer = Trainer()
    trainer.recipe = .fisher(.small(components: 32, hogDimensions: 16))
    trainer.classifier = .retrieval
    trainer.threads = threads
    return trainer
  }

  private func model() async throws -> Model { try Model(bytes: try await Self.bytes.value) }

  private static let bytes = Task { try await TrainerRetrievalTests().trained() }

  private func trained() async throws -> [UInt8] {
    try await trainer().train(on: photos()).model.bytes()
  }

  private func updated(
    _ model: Model, adding: Bool = false, _ photos: [LabeledPhoto]? = nil
  ) async throws -> TrainingResult {
    var trainer = Trainer(updating: model)
    trainer.keepsOthers = adding
    return try await trainer.train(on: try photos ?? self.photos())
  }

  private func right(_ model: Model, _ kinds: [(Pictures.Kind, String)]) throws -> Int {
    let recognizer = Recognizer(model: model)
    return try kinds.reduce(0) { sum, kind in
      try sum
        + (50..<55).count { seed in
          let answer = try recognizer.recognize(
            photo: Pictures.jpeg(kind.0, seed: UInt64(kind.0.rawValue * 100 + seed)))
          return answer.candidates.first?.label == kind.1
        }
    }
  }

  @Test("Photos with dates added to photos without keep the days unknown")
  func captureDays() async throws {
    let base = try await model()
    #expect(base.provenance.captureDays.isEmpty)
    try add(20..<23, of: .upright, to: "a")
    try add(30..<33, of: .noise, to: "d")
    let dated = try photos().map { photo in
      var photo = photo
      photo.attributes["time"] = "2024:05:03 10:00:00"
      return photo
    }
    #expect(try await updated(base, dated).model.provenance.captureDays == ["d": 1])
  }

  @Test("Reported probabilities are 0 for buildings out of reach")
  func placed() async throws {
    var model = try await model()
    model.campus = try Self.map([("a", "[-77.01,-12.5]"), ("b", "[-77.05,-12.5]")])
    model.place = PlaceModel(positionWeight: 1, headingWeight: 1)
    let exif = EXIFBuilder().payload([EXIFBuilder.Tag.gps: .directory(EXIFBuilder.place)])
    for seed in [150, 151] as [UInt64] {
      let image = try PhotoDecoder().open(Pictures.jpeg(.level, seed: seed)).image()
      try folder.write(
        try JPEGEncoder.encode(image, quality: 95, exif: exif), to: "asked/a/\(seed).jpg")
    }
    let asked = try PhotoSet(root: folder.path("asked")).photos
    let known = await Evaluator(model).evaluate(asked).known
    #expect(known.count == 2)
    for answer in known {
      let opened = try PhotoDecoder().open(path: answer.photo.path)
      let said = try Recognizer(model: model).recognize(opened).candidates
      #expect(said.map(\.label) == ["a"])
      let shares = Dictionary(
        uniqueKeysWithValues: answer.candidates.map { ($0.label, $0.probability) })
      #expect(shares == ["a": said.first?.probability ?? -1, "b": 0])
      #expect(answer.facts.isPlaced)
    }
    model.campus = try Self.map([
      ("a", "[-77.01,-12.5]"), ("c", "[-77.01,-12.5]"), ("c", "[-77.01,-12.5]"),
    ])
    #expect(await Evaluator(model).evaluate(asked).known.count == 2)
  }

  private static func map(_ buildings: [(id: String, point: String)]) throws -> Campus {
    try Campus(
      geoJSON: GeoJSONText.collection(
        [GeoJSONText.boundary("[\(GeoJSONText.square(-77, -12.5, halfSide: 0.5))]")]
          + buildings.map { id, point in
            GeoJSONText.feature(#"{"role":"building","id":"\#(id)"}"#, GeoJSONText.point(point))
          }))
  }

  @Test(
    "Retrieval models name photos and do not depend on threads")
  func same() async throws {
    let model = try await model()
    #expect(model.classifierKind == .retrieval && model.weightFormat == .float16)
    let kinds = Array(zip(Pictures.Kind.allCases, ["a", "b"]))
    var softmax = trainer()
    softmax.classifier = .softmax
    let wanted = try right(try await softmax.train(on: photos()).model, kinds)
    let named = try right(model, kinds)
    #expect(named >= wanted - 1, "\(named), \(wanted) with softmax")
    let bytes = try model.bytes()
    #expect(try await trainer(threads: 2).train(on: photos()).model.bytes() == bytes)
    let shuffled = try photos().reversed()
    let other = try await trainer().train(on: Array(shuffled)).model
    #expect(other.provenance.photoDigests == model.provenance.photoDigests)
    var bounded = trainer()
    bounded.scale = .bounded
    let result = try await bounded.train(on: photos())
    let namedThen = try right(result.model, kinds)
    #expect(namedThen >= wanted - 1 && result.iterations == 0 && result.converged)
  }

  @Test("Every photo is stored with its digest and all views")
  func digests() async throws {
    let model = try await model()
    guard case .retrieval(let retrieval) = model.classifier else {
      Issue.record("not a retrieval model")
      return
    }
    #expect(retrieval.viewsPerPhoto == model.recipe.trainingGeometries.count)
    for photo in try photos() where !Labels.isBackground(photo.label) {
      let opened = try PhotoDecoder().open(path: photo.path)
      let explanation = try Explainer(model: model).explain(opened, label: photo.label)
      let match = try #require(explanation.match)
      let digest = SHA256.hexadecimal(of: opened.bytes)
      #expect(digest.hasPrefix(match.digest) && match.cosine > 0.9)
      let sum = explanation.map.values.reduce(explanation.biasDifference, +)
      #expect(abs(sum - explanation.logitDifference) < 1e-2)
    }
  }

  @Test("An update with the same photos keeps the model")
  func unchanged() async throws {
    let model = try await model()
    let result = try await updated(model)
    #expect(try result.model.bytes() == model.bytes())
    #expect(result.described == 0 && result.keepsCalibration)
    #expect(try await updated(model, adding: true, []).model.bytes() == model.bytes())
  }

  @Test("Adding a building from its photos or all yields the same model")
  func added() async throws {
    let model = try await model()
    let before = try photos()
    let kind = Pictures.Kind.allCases[3]
    try add(0..<8, of: kind, to: "d")
    let all = try await updated(model)
    let known = Set(before.map(\.path))
    let new = try photos().filter { !known.contains($0.path) }
    let alone = try await updated(model, adding: true, new)
    #expect(try all.model.bytes() == alone.model.bytes())
    #expect(all.described == 8 && alone.described == 8)
    #expect(all.model.labels.names.filter { !$0.hasPrefix("_") } == ["a", "b", "d"])
    #expect(all.model.provenance.photos["d"] == 8 && all.model.provenance.featuresSource != nil)
    #expect(all.model.calibration == model.calibration)
    #expect(try right(all.model, [(kind, "d")]) >= 4)
    #expect(try await updated(all.model).model.bytes() == all.model.bytes())
  }

  @Test("Photos are added and removed in digest order")
  func changed() async throws {
    let model = try await model()
    try add(8..<10, of: Pictures.Kind.allCases[0], to: "a")
    try remove("b/3.jpg")
    let result = try await updated(model)
    #expect(result.model.provenance.photos["a"] == 10 && result.model.provenance.photos["b"] == 7)
    #expect(result.described == 9)
    #expect(result.model.provenance.photoHashes["b"]?.values.count == 7)
    try remove("a/8.jpg")
    try remove("a/9.jpg")
    try add(3..<4, of: Pictures.Kind.allCases[1], to: "b")
    let back = try await updated(result.model).model
    #expect(back.classifier == model.classifier)
    #expect(back.provenance.photoDigests == model.provenance.photoDigests)
    try remove("b")
    let less = try await updated(model).model
    #expect(!less.labels.names.contains("b") && less.provenance.photos["b"] == nil)
    #expect(try await updated(model, adding: true).model.labels == model.labels)
  }

  @Test("A model with inconsistent photo records cannot be updated")
  func inconsistent() async throws {
    var model = try await model()
    model.provenance.photoDigests["a"] = PhotoDigests(sha256: [])
    await #expect(throws: TrainingError.self) { try await updated(model) }
  }

  @Test("A model with other views than its recipe cannot be updated")
  func otherViews() async throws {
    var model = try await model()
    for geometries in [Array(model.recipe.trainingGeometries.prefix(1)), []] {
      model.recipe.trainingGeometries = geometries
      await #expect(throws: TrainingError.self) { try await updated(model) }
    }
  }

  @Test("An update without buildings throws")
  func nothing() async throws {
    let model = try await model()
    for label in ["a", "b"] { try remove(label) }
    await #expect(throws: TrainingError.self) { try await updated(model) }
  }

  @Test("Shards and photos yield the same model")
  func shards() async throws {
    let photos = try photos()
    let plan = try await trainer().plan(for: photos)
    try Directory.createAll(folder.path + "/shards")
    for number in 1...3 {
      _ = try await ShardDescriber(plan: plan).write(
        photos, negatives: [], part: ShardPart(number, of: 3),
        to: folder.path + "/shards/\(number).safetensors")
    }
    let shards = try FeatureShards(folder: folder.path + "/shards")
    #expect(try await trainer().train(on: shards).model.bytes() == Self.bytes.value)
  }
}
