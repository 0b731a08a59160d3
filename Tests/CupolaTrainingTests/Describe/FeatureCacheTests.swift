import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTraining

@Suite("FeatureCache")
struct FeatureCacheTests {
  private let folder: TemporaryFolder
  private let cache: FeatureCache

  init() throws {
    folder = try TemporaryFolder()
    cache = FeatureCache(folder: folder.path + "/deep/cache")
    try cache.prepare()
  }

  private static let key = FeatureCache.Key(["some", "thing"])
  private static let tensors = ["x": SafeTensors.Tensor(floats: [1, 2.5, -3], shape: [3])]

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: cache.folder).sorted()
  }

  private func featureNames() throws -> [String] {
    try names().filter { name in
      try SafeTensors(bytes: try bytes(name)).tensors["weights.0"] == nil
    }
  }

  private func path(_ name: String) -> String { cache.folder + "/" + name }

  private func bytes(_ name: String) throws -> [UInt8] { try FileAccess.read(path(name)) }

  @Test("The first write failure is kept")
  func failure() throws {
    #expect(cache.write(Self.tensors, Self.key) && cache.failure == nil)
    try FileManager.default.removeItem(atPath: cache.folder)
    #expect(!cache.write(Self.tensors, Self.key))
    #expect(cache.failure?.message.contains("cache") == true)
  }

  @Test("Tensors are read back under their own key only")
  func roundTrip() throws {
    #expect(cache.read(Self.key) == nil)
    cache.write(Self.tensors, Self.key)
    #expect(cache.read(Self.key)?.tensors == Self.tensors)
    #expect(cache.read(FeatureCache.Key(["somet", "hing"])) == nil)
    #expect(try names() == [Self.key.name + ".safetensors"])
    #expect(Self.key.name.count == 64)
  }

  @Test(
    "Damaged and foreign files are ignored and replaced",
    arguments: ["empty", "short", "text", "bit", "header", "other", "foreign", "folder"])
  func damaged(kind: String) throws {
    cache.write(Self.tensors, Self.key)
    let other = FeatureCache.Key(["other"])
    cache.write(["x": .init(floats: [7, 8, 9], shape: [3])], other)
    let name = Self.key.name + ".safetensors"
    var bytes = try bytes(name)
    switch kind {
    case "empty": bytes = []
    case "short": bytes.removeLast(5)
    case "text": bytes = Array("no tensors".utf8)
    case "bit": bytes[bytes.count - 2] ^= 1
    case "header": bytes[3] = 0xFF
    case "other": bytes = try self.bytes(other.name + ".safetensors")
    case "foreign":
      var file = SafeTensors()
      file.tensors = Self.tensors
      bytes = try file.bytes()
    default: break
    }
    try FileManager.default.removeItem(atPath: path(name))
    if kind == "folder" {
      try Directory.create(path(name))
    } else {
      try FileAccess.write(bytes, to: path(name))
    }
    #expect(cache.read(Self.key) == nil)
    cache.write(Self.tensors, Self.key)
    if kind != "folder" { #expect(cache.read(Self.key)?.tensors == Self.tensors) }
    #expect(try names().count == 2)
  }

  @Test("A folder that cannot be created throws but harms no training")
  func unwritable() async throws {
    try folder.write("a file", to: "file")
    let closed = FeatureCache(folder: folder.path + "/file/cache")
    #expect(throws: FileError.cannotWrite(path: closed.folder, code: ENOTDIR)) {
      try closed.prepare()
    }
    let file = FeatureCache(folder: folder.path + "/file")
    #expect(throws: FileError.cannotWrite(path: folder.path + "/file", code: ENOTDIR)) {
      try file.prepare()
    }
    closed.write(Self.tensors, Self.key)
    #expect(closed.read(Self.key) == nil)
    closed.trim()
    let photos = try photos()
    #expect(try await model(photos, closed, .hog) == model(photos, nil, .hog))
  }

  @Test("Trimming removes the least recently used cache files only")
  func trim() throws {
    let keys = (0..<4).map { FeatureCache.Key(["\($0)"]) }
    for (age, key) in keys.enumerated() {
      cache.write(Self.tensors, key)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1e9 - Double(age))],
        ofItemAtPath: path(key.name + ".safetensors"))
    }
    try folder.write([UInt8](repeating: 0, count: 100_000), to: "deep/cache/notes.safetensors")
    let size = try bytes(keys[0].name + ".safetensors").count
    cache.trim()
    #expect(try names().count == 5)
    #expect(cache.read(keys[3]) != nil)
    var small = cache
    small.limit = 2 * size + 1
    small.trim()
    let kept = [keys[0], keys[3]].map { $0.name + ".safetensors" } + ["notes.safetensors"]
    #expect(try names() == kept.sorted())
  }

  private static let small = Recipe.fisher(.small(.balanced))

  private func photos() throws -> [LabeledPhoto] {
    try folder.draw(4, to: ["photos/a", "photos/b", "photos/_c"])
    return try PhotoSet(root: folder.path + "/photos").photos
  }

  private func model(
    _ photos: [LabeledPhoto], _ cache: FeatureCache?, _ recipe: Recipe, threads: Int = 1
  ) async throws -> [UInt8] {
    var trainer = Trainer()
    trainer.recipe = recipe
    trainer.addsDrawnNegatives = false
    trainer.threads = threads
    trainer.cache = cache
    return try await trainer.train(on: photos).model.bytes()
  }

  @Test("Cached features depend on photo, recipe and leniency")
  func features() throws {
    var reused: [Bool] = []
    func features(
      _ photo: [UInt8], _ recipe: Recipe = .hog, lenient: Bool = false
    ) throws -> SafeTensors.Tensor {
      var decoder = PhotoDecoder()
      decoder.lenient = lenient
      let source = FeatureSource(
        recipe: recipe, extractor: try recipe.features.extractor(in: SafeTensors()),
        decoder: decoder, cache: cache)
      let described = try source.describe(decoder.open(photo), digest: "\(photo)")
      reused.append(described.isReused)
      return described.features
    }
    let photo = try Pictures.jpeg(.rising, seed: 1)
    let first = try features(photo)
    #expect(first.shape == [6, 8100])
    #expect(try features(photo) == first)
    // The cached values are returned, so no features are computed.
    let name = try #require(try names().first)
    let zeros = SafeTensors.Tensor(
      halves: [Float](repeating: 0, count: 6 * 8100), shape: [6, 8100])
    var file = try SafeTensors(bytes: try bytes(name))
    let original = file
    file.tensors["features"] = zeros
    file.metadata["tensors_sha256"] = ModelFile.digest(of: file.tensors)
    try FileAccess.write(try file.bytes(), to: path(name))
    #expect(try features(photo) == zeros)
    // Cached values that are impossible are ignored.
    for value in [Float.nan, .infinity, -2] {
      file.tensors["features"] = .init(
        halves: [Float](repeating: value, count: 6 * 8100), shape: [6, 8100])
      file.metadata["tensors_sha256"] = ModelFile.digest(of: file.tensors)
      try FileAccess.write(try file.bytes(), to: path(name))
      #expect(try features(photo) == first)
    }
    #expect(reused.suffix(3) == [false, false, false])
    reused.removeLast(3)
    file.tensors["features"] = .init(halves: [1], shape: [1])
    file.metadata["tensors_sha256"] = ModelFile.digest(of: file.tensors)
    try FileAccess.write(try file.bytes(), to: path(name))
    #expect(try features(photo) == first)
    #expect(try SafeTensors(bytes: try bytes(name)) == original)
    file = original
    file.tensors["luma"] = nil
    file.metadata["tensors_sha256"] = ModelFile.digest(of: file.tensors)
    try FileAccess.write(try file.bytes(), to: path(name))
    #expect(try features(photo) == first)
    #expect(try SafeTensors(bytes: try bytes(name)) == original)

    #expect(try names().count == 1)
    _ = try features(photo, lenient: true)
    #expect(try names().count == 2)
    var recipe = Recipe.hog
    recipe.trainingGeometries.removeLast()
    #expect(try features(photo, recipe).shape == [5, 8100])
    #expect(try names().count == 3)
    #expect(try features(try Pictures.jpeg(.rising, seed: 2)) != first)
    #expect(try names().count == 4)
    #expect(reused == [false, true, true, false, false, false, false, false])
  }

  @Test("Caching and threads do not change the model")
  func sameModel() async throws {
    let photos = try photos()
    for (recipe, count) in [(Recipe.hog, 12), (Self.small, 12 + 13)] {
      let plain = try await model(photos, nil, recipe)
      #expect(try await model(photos, cache, recipe, threads: 2) == plain)
      let files = try names()
      #expect(try await model(photos, cache, recipe, threads: 1) == plain)
      #expect(try names() == files)
      #expect(try featureNames().count == count)
      for name in files { try FileAccess.write(Array("damaged".utf8), to: path(name)) }
      #expect(try await model(photos, cache, recipe, threads: 2) == plain)
      #expect(try names() == files)
    }
  }

  private func extractor(_ photos: [LabeledPhoto], _ seed: UInt64 = 0) async -> FisherExtractor? {
    guard case .fisher(let settings) = Self.small.features else { return nil }
    return await FisherFit(settings: settings, decoder: PhotoDecoder(), recipe: Self.small)
      .extractor(for: photos, seed: seed, threads: 2, cache: cache)
  }

  @Test("Extractors of photos in memory are cached by their bytes")
  func learnedInMemory() async throws {
    func photos(_ kind: Pictures.Kind) throws -> [LabeledPhoto] {
      try (0..<4).map { number in
        LabeledPhoto(
          contents: try Pictures.jpeg(kind, seed: UInt64(number)), name: "\(number).jpg",
          label: number < 2 ? "a" : "b")
      }
    }
    let (upright, level) = (try photos(.upright), try photos(.level))
    let first = try #require(await extractor(upright))
    let second = try #require(await extractor(level))
    #expect(second != first)
    #expect(try names().count == 2)
    #expect(await extractor(upright) == first)
  }

  @Test("Cached extractors depend on seed, photos and order")
  func learned() async throws {
    let photos = try photos()
    let first = try #require(await extractor(photos))
    #expect(await extractor(photos) == first)
    #expect(try names().count == 1)
    #expect(await extractor(photos, 1) != first)
    #expect(try names().count == 2)
    _ = await extractor(photos.reversed())
    #expect(try names().count == 3)
    try folder.write(try Pictures.jpeg(.rising, seed: 77), to: "photos/a/0.jpg")
    #expect(await extractor(photos) != first)
    #expect(try names().count == 4)
    #expect(await extractor([]) == nil)
    // Extractors are fitted only to building photos, so background photos have no effect.
    #expect(await extractor(photos.filter { $0.label != "_c" }) == extractor(photos))
    #expect(try names().count == 4)
    #expect(await extractor(photos.filter { $0.label != "a" }) != first)
    #expect(try names().count == 5)
  }

  @Test("Unusable photos are skipped with a cache, too")
  func skipped() async throws {
    _ = try photos()
    try folder.write("no photo", to: "photos/a/text.jpg")
    let photos = try PhotoSet(root: folder.path + "/photos").photos
    var trainer = Trainer()
    trainer.recipe = .hog
    trainer.cache = cache
    for _ in 0..<2 {
      let result = try await trainer.train(on: photos)
      #expect(result.skipped.map(\.name) == ["a/text.jpg"])
      #expect(try featureNames().count == 12)
    }
  }
}

@Suite("FeatureCache bounds")
struct FeatureCacheBoundsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("A file with too many tensors is neither read nor written")
  func manyTensors() throws {
    let cache = FeatureCache(folder: folder.path)
    let key = FeatureCache.Key(["some", "thing"])
    let tensors = ["x": SafeTensors.Tensor(floats: [1, 2.5, -3], shape: [3])]
    let many = Dictionary(
      uniqueKeysWithValues: (0...FeatureCache.mostTensors).map {
        ("\($0)", SafeTensors.Tensor(floats: [], shape: [0]))
      })
    #expect(!cache.write(many, key))
    #expect(!Directory.exists(cache.path(of: key)))
    cache.write(tensors, key)
    #expect(cache.read(key)?.tensors == tensors)
    let path = cache.path(of: key)
    var file = try SafeTensors(bytes: try FileAccess.read(path))
    file.tensors = many
    file.metadata["tensors_sha256"] = ModelFile.digest(of: many)
    try FileAccess.write(try file.bytes(), to: path)
    #expect(cache.read(key) == nil)
  }

  #if os(Linux)
    @Test("Huge sparse files are trimmed without overflow")
    func sparseFiles() throws {
      // Most file systems do not allow files of this size, but tmpfs does.
      let memory = "/dev/shm/cupola-\(UUID().uuidString)"
      guard (try? Directory.create(memory)) != nil else { return }
      defer { try? FileManager.default.removeItem(atPath: memory) }
      var cache = FeatureCache(folder: memory)
      cache.limit = 10
      let keys = (0..<3).map { FeatureCache.Key(["\($0)"]) }
      for (age, key) in keys.enumerated() {
        let path = cache.path(of: key)
        try FileAccess.write([1], to: path)
        if age > 0, unsafe truncate(path, 1 << 62) != 0 { return }
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 1e9 - Double(age))], ofItemAtPath: path)
      }
      cache.trim()
      let left = try FileManager.default.contentsOfDirectory(atPath: memory)
      #expect(left == [keys[0].name + ".safetensors"])
    }
  #endif
}
