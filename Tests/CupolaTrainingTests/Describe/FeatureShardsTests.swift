import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTraining

@Suite("Feature shards")
struct FeatureShardsTests {
  private let folder: TemporaryFolder
  private let photos: [LabeledPhoto]
  private let negatives: [LabeledPhoto]

  init() throws {
    folder = try TemporaryFolder()
    try folder.draw(6, to: ["photos/a", "photos/b", "others/a"])
    photos = try PhotoSet(root: folder.path + "/photos").photos
    negatives = try PhotoSet(negatives: folder.path + "/others").photos
  }

  private func trainer(seed: UInt64 = 0) -> Trainer {
    var trainer = Trainer()
    trainer.recipe = .fisher(.small())
    trainer.seed = seed
    return trainer
  }

  private func plan(_ trainer: Trainer? = nil) async throws -> FeaturePlan {
    guard let trainer else { return try await Self.plan.value }
    return try await trainer.plan(for: photos + negatives)
  }

  private static let plan = Task { try await FeatureShardsTests().learned() }

  private func learned() async throws -> FeaturePlan { try await plan(trainer()) }

  @discardableResult
  private func write(
    _ count: Int, to name: String, plan: FeaturePlan, only: [Int]? = nil
  ) async throws -> [String] {
    try Directory.createAll(folder.path + "/" + name)
    var generator = SplitMix64(seed: UInt64(count))
    var paths: [String] = []
    for number in generator.shuffled(only ?? Array(1...count)) {
      var describer = ShardDescriber(plan: plan)
      describer.threads = 1 + number % 2
      let path = folder.path + "/\(name)/\(number).safetensors"
      let summary = try await describer.write(
        photos, negatives: negatives, part: ShardPart(number, of: count), to: path)
      #expect(summary.skipped.isEmpty)
      paths.append(path)
    }
    return paths.sorted()
  }

  private func model(_ name: String) async throws -> [UInt8] {
    try await Trainer().train(on: FeatureShards(folder: folder.path + "/" + name)).model.bytes()
  }

  private func expectBad(_ name: String, _ words: String) {
    do {
      _ = try FeatureShards(folder: folder.path + "/" + name)
      Issue.record("\(name) was accepted")
    } catch TrainingError.badFile(_, let problem) {
      #expect(words.isEmpty || problem.contains(words), "\(problem)")
    } catch {
      Issue.record("\(error)")
    }
  }

  private func change(_ path: String, _ name: String, to text: String) throws {
    try CraftedShard.change(path) { $0.metadata[name] = text }
  }

  @Test("Any number and order of shards yields the same model")
  func sameModel() async throws {
    let wanted = try await trainer().train(on: photos + negatives).model.bytes()
    let plan = try await plan()
    for count in [1, 3, 7] {
      try await write(count, to: "\(count)", plan: plan)
      #expect(try await model("\(count)") == wanted)
    }
    // A restarted worker writes its shard a second time.
    try await write(3, to: "3", plan: plan, only: [2])
    #expect(try await model("3") == wanted)
  }

  @Test("Bounded training with shards yields the same model")
  func bounded() async throws {
    var trainer = trainer(seed: 7)
    trainer.scale = .bounded
    let wanted = try await trainer.train(on: photos + negatives).model.bytes()
    try await write(2, to: "2", plan: try await plan(trainer))
    #expect(try await model("2") == wanted)
  }

  @Test("A plan survives a round trip and yields the same shard")
  func planFile() async throws {
    let plan = try await plan()
    let path = folder.path + "/plan"
    try plan.write(to: path)
    let read = try FeaturePlan(contentsOf: path)
    #expect(read.difference(to: plan) == nil)
    let first = try await write(1, to: "first", plan: plan)
    let second = try await write(1, to: "second", plan: read)
    #expect(try FileAccess.read(first[0]) == FileAccess.read(second[0]))
    let bytes = try FileAccess.read(path)
    for end in [0, 7, 100, bytes.count / 2, bytes.count - 1] {
      try FileAccess.write(Array(bytes.prefix(end)), to: path)
      #expect(throws: TrainingError.self) { try FeaturePlan(contentsOf: path) }
    }
  }

  @Test("Unusable photos are reported, and the others train")
  func skipped() async throws {
    try folder.write("no photo", to: "photos/a/9.jpg")
    let photos = try PhotoSet(root: folder.path + "/photos").photos
    let path = folder.path + "/shards"
    try Directory.createAll(path)
    let summary = try await ShardDescriber(plan: try await plan())
      .write(photos, to: path + "/x.safetensors")
    #expect(summary.photos == 12)
    #expect(summary.skipped.map(\.name) == ["a/9.jpg"])
    let shards = try FeatureShards(folder: path)
    #expect(shards.skipped.map(\.message) == summary.skipped.map(\.message))
    let result = try await Trainer().train(on: shards)
    #expect(result.skipped.map(\.name) == ["a/9.jpg"])
  }

  @Test("Shards without usable photos are reported")
  func noneUsable() async throws {
    for label in ["a", "b"] { try folder.write("no photo", to: "bad/\(label)/1.jpg") }
    let bad = try PhotoSet(root: folder.path + "/bad").photos
    let path = folder.path + "/none"
    try Directory.createAll(path)
    let describer = ShardDescriber(plan: try await plan())
    for number in 1...2 {
      let part = ShardPart(number, of: 2)
      let summary = try await describer.write(bad, part: part, to: path + "/\(number).safetensors")
      #expect(summary.photos == 0)
    }
    let shards = try FeatureShards(folder: path)
    let problem = "no usable photos (2 failed)"
    await #expect(throws: TrainingError.badShard(path: path, problem: problem)) {
      _ = try await Trainer().train(on: shards)
    }
  }

  @Test("Missing, repeated and foreign shards are reported")
  func parts() async throws {
    try Directory.createAll(folder.path + "/empty")
    let empty = folder.path + "/empty"
    #expect(throws: TrainingError.noShards(path: empty, command: "cupola features")) {
      try FeatureShards(folder: empty)
    }
    let plan = try await plan()
    let paths = try await write(3, to: "s", plan: plan)
    let bytes = try FileAccess.read(paths[1])
    try FileManager.default.removeItem(atPath: paths[1])
    expectBad("s", "shard 2 of 3 is missing; run cupola features with --shard 2/3")
    try FileAccess.write(bytes, to: paths[1])
    try FileAccess.write(bytes, to: folder.path + "/s/copy.safetensors")
    expectBad("s", "is also in")
    try FileManager.default.removeItem(atPath: folder.path + "/s/copy.safetensors")
    try await write(2, to: "s", plan: plan, only: [2])
    expectBad("s", "in photos or number of shards (3)")
    try await write(3, to: "s", plan: plan, only: [2])
    _ = try FeatureShards(folder: folder.path + "/s")
  }

  @Test(
    "Conflicting shards are rejected with a reason",
    arguments: [
      ("kernel", "OpenBLAS Other", "numeric kernels OpenBLAS Other"),
      ("cupola_version", "0.0.1", "0.0.1"),
      ("seed", "5", "fitted to different photos"), ("scale", "bounded", ""),
      ("lenient", "true", "different recipes"), ("probe", "x", "decoded differently"),
      ("format", "other", "not a feature shard"), ("scale", "other", "invalid scale or seed"),
      ("photos", "[]", ""), ("photos", "[{}]", ""),
    ])
  func disagree(name: String, text: String, words: String) async throws {
    let paths = try await write(2, to: "s", plan: try await plan())
    try change(paths[1], "x", to: "y")
    _ = try FeatureShards(folder: folder.path + "/s")
    try change(paths[1], name, to: text)
    expectBad("s", words)
  }

  @Test("Shards of another kernel or version are rejected with advice")
  func otherMachine() async throws {
    let paths = try await write(1, to: "s", plan: try await plan())
    try change(paths[0], "kernel", to: "OpenBLAS Other")
    expectBad("s", "describe the photos again")
    try change(paths[0], "kernel", to: PackedMatrix.kernel)
    try change(paths[0], "cupola_version", to: "0.0.1")
    expectBad("s", "written by Cupola 0.0.1")
  }

  @Test(
    "A machine that differs from the plan's writes no shard",
    arguments: [
      ("kernel", "OpenBLAS Other"), ("cupola_version", "0.0.1"), ("probe", "x"),
    ])
  func otherWorker(name: String, text: String) async throws {
    let path = folder.path + "/plan"
    try await plan().write(to: path)
    var file = try SafeTensors(bytes: try FileAccess.read(path))
    file.metadata[name] = text
    try FileAccess.write(try file.bytes(), to: path)
    let describer = ShardDescriber(plan: try FeaturePlan(contentsOf: path))
    let shard = folder.path + "/x.safetensors"
    await #expect(throws: TrainingError.self) { try await describer.write(photos, to: shard) }
    #expect(!Directory.exists(shard))
  }

  @Test("A damaged, truncated or foreign shard is reported")
  func damaged() async throws {
    let path = try await write(1, to: "s", plan: try await plan())[0]
    let bytes = try FileAccess.read(path)
    var generator = SplitMix64(seed: 4)
    for place in [8, 300, bytes.count / 2, bytes.count - 40, bytes.count - 1]
      + (0..<8).map({ _ in generator.below(bytes.count) })
    {
      var changed = bytes
      changed[place] ^= 1
      try FileAccess.write(changed, to: path)
      expectBad("s", "")
    }
    for end in [0, 5, 9, 1_000, bytes.count / 2, bytes.count - 1] {
      try FileAccess.write(Array(bytes.prefix(end)), to: path)
      expectBad("s", "")
    }
    var foreign = SafeTensors()
    foreign.tensors["x"] = .init(floats: [1], shape: [1])
    try FileAccess.write(try foreign.bytes(), to: path)
    expectBad("s", "not a feature shard")
  }

  @Test("A shard that disappears ends the training")
  func missingShard() async throws {
    let path = try await write(1, to: "s", plan: try await plan())[0]
    let shards = try FeatureShards(folder: folder.path + "/s")
    try FileManager.default.removeItem(atPath: path)
    await #expect(throws: TrainingError.file(.cannotRead(path: path, code: ENOENT))) {
      try await Trainer().train(on: shards)
    }
  }

  @Test("No shard is written if cached features disappear")
  func missingCachedFeatures() async throws {
    var describer = ShardDescriber(plan: try await plan())
    let cache = FeatureCache(folder: folder.path + "/cache")
    try cache.prepare()
    describer.cache = cache
    try Directory.createAll(folder.path + "/s")
    let count = photos.count
    let error = try await #require(throws: TrainingError.self) {
      try await describer.write(photos, to: folder.path + "/s/1.safetensors") { read in
        if read == count { try? FileManager.default.removeItem(atPath: cache.folder) }
      }
    }
    guard case .file(.cannotRead(_, ENOENT)) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(try Directory.entries(of: folder.path + "/s").isEmpty)
  }

  @Test("A training that cannot read its shard caches nothing")
  func missingShardWithCache() async throws {
    var bounded = trainer()
    bounded.scale = .bounded
    let path = try await write(1, to: "s", plan: try await plan(bounded))[0]
    let wanted = try await model("s")
    var trainer = Trainer()
    let cache = FeatureCache(folder: folder.path + "/cache")
    try cache.prepare()
    trainer.cache = cache
    let shards = try FeatureShards(folder: folder.path + "/s")
    try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
    await #expect(throws: TrainingError.file(.cannotRead(path: path, code: ENOENT))) {
      try await trainer.train(on: shards)
    }
    try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
    let again = try FeatureShards(folder: folder.path + "/s")
    #expect(try await trainer.train(on: again).model.bytes() == wanted)
  }
}

@Suite("Metadata in feature shards")
struct ShardMetadataTests {
  private let folder: TemporaryFolder
  private let plan: FeaturePlan

  init() throws {
    folder = try TemporaryFolder()
    try Directory.create(folder.path("s"))
    plan = FeaturePlan(
      recipe: .hog, extractor: FeatureExtractor(hog: .standard), scale: .full, seed: 0,
      decoder: PhotoDecoder())
  }

  private static func photo() throws -> LabeledPhoto {
    typealias Tag = EXIFBuilder.Tag
    let facing: [UInt16: EXIFBuilder.Value] = [
      Tag.directionReference: .text("T"), Tag.direction: .rationals([(905, 10)]),
    ]
    let exif = EXIFBuilder().payload([
      Tag.exif: .directory([Tag.time: .text("2025:06:07 08:09:10"), Tag.focalLength: .short(150)]),
      Tag.gps: .directory(EXIFBuilder.place.merging(facing) { $1 }),
    ])
    let pixels = [UInt8](repeating: 90, count: 64 * 64 * 3)
    let jpeg = try JPEGEncoder.encode(RGBImage(width: 64, height: 64, pixels: pixels), exif: exif)
    return LabeledPhoto(contents: jpeg, name: "1.jpg", label: "a")
  }

  private func metadata() throws -> PhotoMetadata {
    try #require(try FeatureShards(folder: folder.path("s")).rows.first).metadata
  }

  @Test("A shard keeps all EXIF values that training uses")
  func same() async throws {
    let photo = try Self.photo()
    _ = try await ShardDescriber(plan: plan).write([photo], to: folder.path("s/1.safetensors"))
    let known = try photo.opened(by: PhotoDecoder()).metadata
    try #require(known.focalLength == 150 && known.heading != nil && known.faults.isEmpty)
    #expect(try metadata() == known)
  }

  @Test("A shard without a focal length can be read")
  func older() async throws {
    let path = folder.path("s/1.safetensors")
    _ = try await ShardDescriber(plan: plan).write([try Self.photo()], to: path)
    try CraftedShard.change(path) { file in
      let text = try #require(file.metadata["photos"])
      let older = text.replacing(#""focalLength":150,"#, with: "")
      try #require(older != text)
      file.metadata["photos"] = older
    }
    let read = try metadata()
    #expect(read.focalLength == nil && read.captureTime == "2025:06:07 08:09:10")
  }
}
