import CupolaTestSupport
import Foundation
import Testing

/// Where trainings keep features.
@Suite("cupola train --cache")
struct CacheTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try TinyCampus.writePhotos(to: folder)
  }

  private struct Training {
    let output: Tool.Output
    let reused: Int?
    let computed: Int?
    let bytes: [UInt8]
  }

  private func train(
    _ options: String..., environment: [String: String] = [:]
  ) throws -> Training {
    let output = try Tool.run(
      ["train", "photos", "-o", "m.safetensors", "--features", "hog", "-q", "--json"] + options,
      in: folder, environment: environment)
    expectSuccess(output)
    let summary = try #require(try output.json() as? [String: Any])
    return Training(
      output: output, reused: summary["features_reused"] as? Int,
      computed: summary["features_computed"] as? Int, bytes: try folder.bytes("m.safetensors"))
  }

  private func entries(_ path: String) throws -> [String] {
    // Finished fits are kept there too.
    try FileManager.default.contentsOfDirectory(atPath: folder.path(path)).sorted().filter {
      let bytes = try folder.bytes(path + "/" + $0).prefix(2_000)
      return !String(decoding: bytes, as: UTF8.self).contains("weights.0")
    }
  }

  @Test("a second training uses it, and makes the same model as one without")
  func secondTraining() throws {
    let plain = try train("--no-cache")
    #expect(plain.reused == 0 && plain.computed == 16)
    let first = try train("--cache", "deep/cache")
    #expect(first.reused == 0 && first.computed == 16)
    #expect(try entries("deep/cache").count == 16)
    let second = try train("--cache", "deep/cache", "--threads", "1")
    #expect(second.reused == 16 && second.computed == 0)
    #expect(first.bytes == plain.bytes && second.bytes == plain.bytes)
    // Nothing is read where nothing may be.
    let again = try train("--cache", "deep/cache", "--no-cache")
    #expect(again.reused == 0 && again.bytes == plain.bytes)
  }

  @Test("damaged entries are computed again and replaced")
  func damaged() throws {
    let first = try train("--cache", "cache")
    let names = try entries("cache")
    let whole = try names.map { try folder.bytes("cache/\($0)") }
    try folder.write("", to: "cache/\(names[0])")
    try folder.write("text", to: "cache/\(names[1])")
    try folder.write(Array(whole[2].dropLast(9)), to: "cache/\(names[2])")
    try folder.write(whole[4], to: "cache/\(names[3])")
    var changed = whole[5]
    changed[changed.count - 1] ^= 1
    try folder.write(changed, to: "cache/\(names[5])")
    let second = try train("--cache", "cache")
    #expect(second.reused == 11 && second.computed == 5)
    #expect(second.bytes == first.bytes)
    #expect(try names.map { try folder.bytes("cache/\($0)") } == whole)
    #expect(try entries("cache") == names)
  }

  @Test("its usual place is that of the XDG specification, else in the home")
  func usualPlace() throws {
    let home = ["HOME": folder.path("home")]
    #expect(try train(environment: home).computed == 16)
    #expect(try entries("home/.cache/cupola").count == 16)
    #expect(try train(environment: home).reused == 16)
    let both = home.merging(["XDG_CACHE_HOME": folder.path("xdg")]) { $1 }
    #expect(try train(environment: both).computed == 16)
    #expect(try entries("xdg/cupola").count == 16)
    #expect(try train("--no-cache", environment: both).reused == 0)
    let relative = home.merging(["XDG_CACHE_HOME": "relative"]) { $1 }
    #expect(try train(environment: relative).reused == 16)
    #expect(!FileManager.default.fileExists(atPath: folder.path("relative")))
  }

  @Test("a folder that cannot be made is a warning")
  func unwritable() throws {
    try folder.write("a file", to: "file")
    let training = try train("--cache", "file/cache")
    #expect(training.reused == 0 && training.computed == 16)
    #expect(training.output.stderr.contains("warning: no features are kept: file/cache: "))
    #expect(try training.bytes == train("--no-cache").bytes)
  }
}
