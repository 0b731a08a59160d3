import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTraining

@Suite("Prediction shards")
struct PredictionShardsTests {
  private let folder: TemporaryFolder
  private let evaluator: Evaluator
  private let photos: [LabeledPhoto]
  private let negatives: [LabeledPhoto]

  private static let digest = String(repeating: "d", count: 64)
  private static let model = Task {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    try folder.draw(6, to: ["a", "b", "_c"])
    var trainer = Trainer()
    trainer.recipe = .hog
    return try await trainer.train(on: PhotoSet(root: folder.path).photos).model
  }

  init() async throws {
    folder = try TemporaryFolder()
    try folder.draw(.upright, 10..<14, to: "photos/a")
    try folder.draw(.level, 10..<14, to: "photos/b")
    try folder.draw(.rising, 10..<13, to: "others/a")
    evaluator = Evaluator(try await Self.model.value)
    photos = try PhotoSet(root: folder.path("photos")).photos
    negatives = try PhotoSet(negatives: folder.path("others")).photos
  }

  private func write(_ count: Int, to name: String, only: [Int]? = nil) async throws {
    try Directory.createAll(folder.path(name))
    for number in only ?? Array((1...count).reversed()) {
      let seen = try await evaluator.write(
        photos, negatives: negatives, part: ShardPart(number, of: count), digest: Self.digest,
        to: folder.path("\(name)/\(number).safetensors"))
      #expect(seen.skipped.isEmpty)
    }
  }

  private func read(_ name: String) throws -> PredictionShards {
    try PredictionShards(
      folder: folder.path(name), of: evaluator.recognizer.model, digest: Self.digest)
  }

  private func expectBad(_ name: String, _ words: String) {
    do {
      _ = try read(name)
      Issue.record("\(name) was accepted")
    } catch TrainingError.badFile(_, let problem) {
      #expect(words.isEmpty || problem.contains(words), "\(problem)")
    } catch {
      Issue.record("\(error)")
    }
  }

  /// Everything that a report contains about photos, except the time that recognition took.
  private func figures(_ seen: ScoredPhotos) async throws -> String {
    var evaluation = await evaluator.evaluate(seen)
    evaluation = Evaluation(
      model: evaluator.recognizer.model,
      answers: evaluation.all.map { answer in
        var answer = answer
        answer.facts.milliseconds = [:]
        return answer
      }, errors: evaluation.errors)
    return String(decoding: try EvaluationReport(evaluation).bytes(), as: UTF8.self)
  }

  @Test("Any number and order of shards yields the same report")
  func sameReport() async throws {
    let wanted = try await figures(await evaluator.look(at: photos + negatives))
    for count in [1, 3, 7] {
      try await write(count, to: "\(count)")
      let shards = try read("\(count)")
      #expect(try await figures(shards.seen) == wanted)
      let seen = try shards.seen(of: photos + negatives)
      #expect(seen.listed == photos + negatives)
      #expect(try await figures(seen) == wanted)
    }
    // A restarted worker writes its shard a second time.
    try await write(3, to: "3", only: [2])
    #expect(try await figures(try read("3").seen) == wanted)
  }

  @Test("Unusable photos are reported")
  func skipped() async throws {
    try folder.write("no photo", to: "photos/a/9.jpg")
    let photos = try PhotoSet(root: folder.path("photos")).photos
    try Directory.createAll(folder.path("s"))
    let seen = try await evaluator.write(
      photos, digest: Self.digest, to: folder.path("s/x.safetensors"))
    #expect(seen.skipped.map(\.name) == ["a/9.jpg"])
    let shards = try read("s")
    #expect(shards.seen.skipped.map(\.message) == seen.skipped.map(\.message))
    #expect(try shards.seen(of: photos).count == photos.count)
  }

  @Test("Missing, repeated and foreign shards are reported")
  func foreign() async throws {
    try Directory.createAll(folder.path("empty"))
    let none = TrainingError.noShards(
      path: folder.path("empty"), command: "cupola evaluate --shard")
    #expect(throws: none) { try read("empty") }
    try await write(3, to: "s")
    let bytes = try folder.bytes("s/2.safetensors")
    try FileManager.default.removeItem(atPath: folder.path("s/2.safetensors"))
    expectBad("s", "shard 2 of 3 is missing; run cupola evaluate with --shard 2/3")
    try folder.write(bytes, to: "s/2.safetensors")
    try folder.write(bytes, to: "s/copy.safetensors")
    expectBad("s", "is also in")
    try FileManager.default.removeItem(atPath: folder.path("s/copy.safetensors"))
    try await write(2, to: "s", only: [2])
    expectBad("s", "in photos or number of shards (3)")
    #expect(throws: TrainingError.self) {
      try PredictionShards(
        folder: folder.path("s"), of: evaluator.recognizer.model, digest: "other")
    }
    try await write(3, to: "s", only: [2])
    let shards = try read("s")
    #expect(throws: TrainingError.self) { try shards.seen(of: photos) }
    #expect(throws: TrainingError.self) { try shards.seen(of: photos + negatives + photos) }
  }

  @Test("Photo names in a shard are never used as paths")
  func names() async throws {
    try await write(1, to: "s")
    try CraftedShard.change(folder.path("s/1.safetensors")) { file in
      let sound = try #require(file.metadata["photos"])
      file.metadata["photos"] = sound.replacing(
        #""name":""#, with: #""name":"\#(folder.path("photos"))/"#)
    }
    let listed = try read("s").seen.listed
    #expect(listed.count == photos.count + negatives.count)
    #expect(listed.allSatisfy { FileManager.default.fileExists(atPath: $0.name) })
    for photo in listed {
      #expect(throws: CupolaError.self) { try photo.bytes(limit: .max) }
    }
    let pictures = await ReportPictures().embedded(listed, size: .small)
    #expect(pictures.count == listed.count && pictures.allSatisfy { $0 == nil })
    #expect(throws: TrainingError.self) { try read("s").seen(of: photos + negatives) }
  }

  @Test(
    "A crafted shard with a valid digest is rejected",
    arguments: [
      ("part", #"{"listing":"x","number":1,"of":0}"#, "invalid part: shard 1 of 0"),
      ("sha256", "", "SHA-256"), ("milliseconds", "", "milliseconds"),
      ("rows", "", "tensor logits"), ("labels", "", "of a model with 2 labels"),
      ("type", "", "tensor logits"), ("infinite", "", "logits"),
      ("thumbnails", "", "tensor thumbnails"), ("many", "", "tensors"),
    ])
  func crafted(kind: String, text: String, words: String) async throws {
    try await write(1, to: "s")
    try CraftedShard.change(folder.path("s/1.safetensors")) { file in
      let photos = try #require(file.metadata["photos"])
      let logits = try #require(file.tensors["logits"])
      let count = logits.shape[0]
      switch kind {
      case "part": file.metadata["part"] = text
      case "sha256":
        file.metadata["photos"] = photos.replacing(#""sha256":""#, with: #""sha256":"x"#)
      case "milliseconds":
        file.metadata["photos"] = photos.replacing(#""decode":"#, with: #""decode":1e308,"x":"#)
        try #require(file.metadata["photos"] != photos)
      case "rows": file.tensors["logits"] = .init(floats: [], shape: [0, logits.shape[1]])
      case "labels":
        file.tensors["logits"] = .init(
          floats: [Float](repeating: 0, count: 2 * count), shape: [count, 2])
      case "type":
        file.tensors["logits"] = .init(type: "I32", shape: logits.shape, bytes: logits.bytes)
      case "infinite":
        let values = [Float](repeating: .infinity, count: logits.bytes.count / 4)
        file.tensors["logits"] = .init(floats: values, shape: logits.shape)
      case "thumbnails":
        file.tensors["thumbnails"] = .init(type: "U8", shape: [0, 1 << 40, 1 << 40], bytes: [])
      default:
        for number in 0..<300 { file.tensors["x\(number)"] = .init(floats: [], shape: [0]) }
      }
    }
    expectBad("s", words)
  }

  @Test("A damaged or foreign shard is rejected")
  func damaged() async throws {
    try await write(1, to: "s")
    let path = "s/1.safetensors"
    let sound = try folder.bytes(path)
    for number in 0..<12 {
      var bytes = sound
      switch number {
      case 0: bytes = []
      case 1: bytes = Array("no tensors".utf8)
      case 2: bytes = try evaluator.recognizer.model.bytes()
      case 3: bytes.removeLast()
      default:
        var generator = SplitMix64(seed: UInt64(number))
        bytes[Int.random(in: bytes.indices, using: &generator)] ^= 0x10
      }
      try folder.write(bytes, to: path)
      expectBad("s", "")
    }
  }
}
