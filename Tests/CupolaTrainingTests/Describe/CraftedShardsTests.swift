import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

/// A shard may come from any source, and its digest proves only that no byte was lost.
@Suite("Crafted feature shards")
struct CraftedShardsTests {
  private let folder: TemporaryFolder
  private let photos: [LabeledPhoto]

  init() throws {
    folder = try TemporaryFolder()
    try folder.draw(4, to: ["photos/a", "photos/b"])
    photos = try PhotoSet(root: folder.path("photos")).photos
    try Directory.create(folder.path("s"))
  }

  private func plan() async throws -> FeaturePlan {
    var trainer = Trainer()
    trainer.recipe = .fisher(.small())
    return try await trainer.plan(for: photos)
  }

  /// A valid shard, which all tests share because they use the same photos.
  private static let shard = Task { try await CraftedShardsTests().sound() }

  private func sound() async throws -> [UInt8] {
    let path = folder.path("s/1.safetensors")
    _ = try await ShardDescriber(plan: try await plan()).write(
      photos, part: ShardPart(1, of: 1), to: path)
    return try FileAccess.read(path)
  }

  private func write() async throws -> String {
    let path = folder.path("s/1.safetensors")
    try FileAccess.write(try await Self.shard.value, to: path)
    return path
  }

  private func expectBad(_ words: String) {
    do {
      _ = try FeatureShards(folder: folder.path("s"))
      Issue.record("the shards were accepted")
    } catch TrainingError.badFile(_, let problem) {
      #expect(problem.contains(words), "\(problem)")
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test(
    "An impossible shard number is reported",
    arguments: [(1, 0), (1, -3), (0, 2), (-1, 2), (3, 2), (1, Int.max), (Int.min, Int.max)])
  func place(number: Int, of: Int) async throws {
    let path = try await write()
    try CraftedShard.change(path) { file in
      file.metadata["part"] = #"{"listing":"x","number":\#(number),"of":\#(of)}"#
    }
    expectBad(number == 1 && of == .max ? "shard 2 of" : "invalid part: shard")
  }

  @Test(
    "Impossible feature values are rejected",
    arguments: [[0, 0x7E], [0, 0x7C], [0, 0xFC], [0xFF, 0x7B], [0, 0x40]] as [[UInt8]])
  func features(half: [UInt8]) async throws {
    let path = try await write()
    for place in [0, -1] {
      let sound = try FileAccess.read(path)
      try CraftedShard.change(path) { file in
        let tensor = try #require(file.tensors["features"])
        var bytes = tensor.bytes
        let start = place == 0 ? 0 : bytes.count - 2
        bytes.replaceSubrange(start..<start + 2, with: half)
        file.tensors["features"] = .init(type: tensor.type, shape: tensor.shape, bytes: bytes)
      }
      expectBad("features are out of range")
      try FileAccess.write(sound, to: path)
    }
    _ = try FeatureShards(folder: folder.path("s"))
  }

  @Test("Feature values are checked across odd block boundaries")
  func oddPlace() {
    let half: [UInt8] = [0xFF, 0x3F]
    #expect(FeatureBlock.areFeatures([]) && FeatureBlock.areFeatures((half + half)[...]))
    #expect(!FeatureBlock.areFeatures([0, 0x3F, 0, 0x40]))
    // The first byte is the high byte of a value whose low byte preceded it.
    #expect(FeatureBlock.areFeatures([0x3F, 0xFF, 0x3F], after: 1))
    #expect(!FeatureBlock.areFeatures([0x40, 0, 0x3F], after: 3))
    #expect(!FeatureBlock.areFeatures([0x3F, 0, 0x7C], after: 1))
  }

  @Test("A recipe without training geometries is rejected")
  func geometries() async throws {
    let path = try await write()
    try CraftedShard.change(path) { file in
      let recipe = try #require(file.metadata["recipe"])
      file.metadata["recipe"] = recipe.replacing(
        #""trainingGeometries":["squash","centreCrop"]"#, with: #""trainingGeometries":[]"#)
      try #require(file.metadata["recipe"] != recipe)
      let shape = try #require(file.tensors["features"]).shape
      file.tensors["features"] = .init(type: "F16", shape: [shape[0], 0, shape[2]], bytes: [])
    }
    expectBad("0 geometries")
  }

  @Test("An invalid photo digest is rejected")
  func digests() async throws {
    let path = try await write()
    try CraftedShard.change(path) { file in
      let photos = try #require(file.metadata["photos"])
      file.metadata["photos"] = photos.replacing(#""sha256":""#, with: #""sha256":"X"#)
    }
    expectBad("invalid SHA-256 for a photo")
  }

  @Test(
    "Malformed tensors are rejected",
    arguments: ["many", "large", "missing", "none", "wide", "type", "end"])
  func tensors(kind: String) async throws {
    let path = try await write()
    try CraftedShard.change(path, end: kind == "end" ? [1, 2, 3] : []) { file in
      switch kind {
      case "many":
        for number in 0..<300 { file.tensors["x\(number)"] = .init(floats: [], shape: [0]) }
      case "large":
        let count = FeaturePlan.mostBytes + 1
        file.tensors["x"] = .init(
          type: "U8", shape: [count], bytes: [UInt8](repeating: 0, count: count))
      case "missing": file.tensors["thumbnails"] = nil
      case "none":
        file.tensors["features"] = .init(type: "F16", shape: [0, 1 << 40, 1 << 40], bytes: [])
      case "wide":
        let tensor = try #require(file.tensors["features"])
        file.tensors["features"] = .init(
          type: "F16", shape: [tensor.bytes.count / 2], bytes: tensor.bytes)
      case "type":
        let tensor = try #require(file.tensors["features"])
        file.tensors["features"] = .init(
          type: "BF16", shape: tensor.shape, bytes: tensor.bytes)
      default: break
      }
    }
    expectBad("unusable shard")
  }

  @Test("An oversized feature plan is rejected")
  func largePlan() async throws {
    let path = folder.path("plan")
    try await plan().write(to: path)
    var file = try SafeTensors(bytes: try FileAccess.read(path))
    for number in 0..<300 { file.tensors["x\(number)"] = .init(floats: [], shape: [0]) }
    try FileAccess.write(try file.bytes(), to: path)
    #expect(throws: TrainingError.self) { try FeaturePlan(contentsOf: path) }
    let count = FeaturePlan.mostBytes + 1
    try FileAccess.write([UInt8](repeating: 0, count: count), to: path)
    #expect(throws: TrainingError.file(.tooLarge(bytes: count, limit: count - 1))) {
      try FeaturePlan(contentsOf: path)
    }
  }

  @Test("Photo counts of parts match round-robin dealing")
  func counts() throws {
    for photos in [0, 1, 2, 12, 13] {
      for of in 1...14 {
        let parts = try (1...of).map { try #require(ShardPart($0, of: of)) }
        for part in parts {
          let dealt = (0..<photos).count { $0 % of == part.number - 1 }
          #expect(part.count(of: photos) == dealt)
        }
      }
    }
    let last = try #require(ShardPart(.max, of: .max))
    #expect(last.count(of: 12) == 0 && last.count(of: .max) == 1)
    #expect(try #require(ShardPart(1, of: .max)).count(of: 12) == 1)
  }
}

/// Shards that are invalid but have a valid digest.
enum CraftedShard {
  /// Changes a shard and updates its digest.
  ///
  /// - Parameter end: Bytes to add after the digest.
  static func change(
    _ path: String, end: [UInt8] = [], _ edit: (inout SafeTensors) throws -> Void
  ) throws {
    var file = try SafeTensors(bytes: try FileAccess.read(path))
    file.tensors["sha256"] = nil
    try edit(&file)
    let large = ["logits", "features", "thumbnails"]
    let ordered =
      SafeTensors.ordered(file.tensors.filter { !large.contains($0.key) })
      + large.compactMap { name in file.tensors[name].map { (name: name, tensor: $0) } }
    var places: [(name: String, type: String, shape: [Int])] = ordered.map {
      (name: $0.name, type: $0.tensor.type, shape: $0.tensor.shape)
    }
    places.append((name: "sha256", type: "U8", shape: [32]))
    if !end.isEmpty { places.append((name: "end", type: "U8", shape: [end.count])) }
    let head = try SafeTensors.head(places, metadata: file.metadata)
    let bytes = ordered.reduce(into: head) { $0 += $1.tensor.bytes }
    var hash = SHA256()
    hash.update(Array(bytes.dropFirst(8)))
    try FileAccess.write(bytes + hash.digest() + end, to: path)
  }
}
