import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTraining

/// Files in a cache that no cache wrote.
@Suite("FeatureCache, bounds")
struct FeatureCacheBoundsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a file of more tensors than any has is neither read nor written")
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
    @Test("files that claim more bytes together than there are numbers are trimmed like others")
    func holes() throws {
      // Most file systems have no files as large; the one in memory has.
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
