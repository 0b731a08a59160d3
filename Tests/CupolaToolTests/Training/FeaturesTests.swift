import Cupola
import CupolaTestSupport
import Foundation
import Testing

@Suite("cupola features")
struct FeaturesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try TinyCampus.writePhotos(to: folder)
  }

  private func features(_ options: String...) throws -> Tool.Output {
    try Tool.run(["features"] + options + ["-q", "--no-cache"], in: folder)
  }

  private func train(_ options: String...) throws -> Tool.Output {
    try Tool.run(["train"] + options + ["-q", "--no-cache"], in: folder)
  }

  @Test("Shards yield the model of a single run")
  func shards() throws {
    expectSuccess(try train("photos", "-o", "one.safetensors", "--features", "hog"))
    for shard in ["3/3", "1/3", "2/3"] {
      let output = try features(
        "photos", "--features", "hog", "--shard", shard, "-o", "deep/shards")
      expectSuccess(output)
      let name = "deep/shards/shard-\(shard.prefix(1))-of-3.safetensors"
      #expect(output.stdout.hasPrefix("shard \(name), "))
    }
    let output = try train("--features", "deep/shards", "-o", "many.safetensors")
    expectSuccess(output)
    #expect(output.stdout.contains("12 photos of 3 buildings, 4 non-building photos\n"))
    #expect(try folder.bytes("many.safetensors") == folder.bytes("one.safetensors"))
  }

  @Test("Shards of separate tables share one mixture")
  func tables() throws {
    expectSuccess(try features("photos", "--preset", "fast", "--mixture", "mixture"))
    let mixture = try folder.bytes("mixture")
    let lines = String(decoding: try folder.bytes("photos/split.csv"), as: UTF8.self).split(
      separator: "\n")
    for (number, part) in [lines[1...9], lines[10...]].enumerated() {
      let table = ([lines[0]] + part).joined(separator: "\n")
      try folder.write(table, to: "part\(number).csv")
      expectSuccess(
        try features(
          "photos", "--split", "part\(number).csv", "--mixture", "mixture", "--name",
          "part\(number)", "-o", "shards"))
    }
    #expect(try folder.bytes("mixture") == mixture)
    expectSuccess(try train("--features", "shards", "-o", "many.safetensors"))
    expectSuccess(try train("photos", "--preset", "fast", "-o", "one.safetensors"))
    #expect(try folder.bytes("many.safetensors") == folder.bytes("one.safetensors"))
    expectFailure(
      try features("photos", "--mixture", "mixture", "--preset", "best", "-o", "shards"), 64,
      "mixture exists and determines the features")
    // Nothing to learn and nothing to write.
    let again = try features("photos", "--mixture", "mixture")
    expectSuccess(again)
    #expect(again.messages == ["mixture mixture exists and was not changed"])
  }

  @Test("Mixed kinds of shards are rejected")
  func bothKinds() throws {
    expectSuccess(
      try features(
        "photos", "--features", "hog", "--mixture", "mixture", "--shard", "1/2", "-o", "s"))
    try folder.write("path,label,split\narch/1.jpg,arch,train\n", to: "one.csv")
    expectSuccess(
      try features(
        "photos", "--split", "one.csv", "--mixture", "mixture", "--name", "a", "-o", "s"))
    expectFailure(
      try train("--features", "s", "-o", "m"), 65,
      "cupola: s/a.safetensors: does not match s/shard-1-of-2.safetensors in photos or number of "
        + "shards (2)")
  }

  @Test("A preset is rejected with HOG features")
  func hogPreset() throws {
    let options = ["photos", "--features", "hog", "--preset", "best", "-o", "new"]
    for command in ["features", "train"] {
      expectUsageError(
        try Tool.run([command] + options, in: folder), "leave it out with --features hog")
    }
  }

  @Test("--lenient applies only if the mixture was lenient")
  func lenient() throws {
    let photo = try folder.bytes("photos/arch/1.jpg")
    try folder.write(Array(photo.prefix(photo.count / 2)), to: "photos/arch/1.jpg")
    func shard(_ mixture: String, _ options: [String]) throws -> Tool.Output {
      try Tool.run(
        ["features", "photos", "--mixture", mixture, "-o", "s", "-q", "--no-cache"] + options,
        in: folder)
    }
    expectSuccess(try shard("strict", ["--features", "hog"]))
    expectFailure(
      try shard("strict", ["--lenient"]), 64, "cupola: strict was created without --lenient")
    for options in [["--features", "hog", "--lenient"], [], ["--lenient"]] {
      let output = try shard("lenient", options)
      expectSuccess(output)
      #expect(output.stdout.hasSuffix(", 16 photos\n"))
    }
    // Shards cannot be read leniently.
    expectUsageError(try train("--features", "s", "-o", "m", "--lenient"), "--lenient")
  }

  @Test("Unusable photos are reported, and an error with --strict")
  func skipped() throws {
    try folder.write("no photo", to: "photos/arch/1.jpg")
    let output = try Tool.run(
      [
        "features", "photos", "--features", "hog", "-o", "shards", "-q", "--no-cache", "--strict",
        "--json",
      ], in: folder)
    #expect(output.status == 1)
    #expect(output.stderr.contains("skipped: arch/1.jpg: "))
    let summary = try #require(try output.json() as? [String: Any])
    #expect(summary["schema"] as? String == "cupola.shard/1")
    #expect(summary["photos"] as? Int == 15)
    #expect((summary["skipped"] as? [[String: Any]])?.count == 1)
    let trained = try train("--features", "shards", "-o", "m.safetensors")
    expectSuccess(trained)
    #expect(trained.stdout.contains("arch/1.jpg"))
  }

  @Test("Misplaced photos are reported when shards are written")
  func leftOut() throws {
    try FileManager.default.removeItem(atPath: folder.path("photos/split.csv"))
    try folder.write(try TinyCampus.jpeg(.arch, seed: 70), to: "photos/stray.jpg")
    try expectStray(
      try features("photos", "--features", "hog", "-o", "shards", "--strict", "--json"))
    // Also when only a mixture is written.
    let mixture = try features("photos", "--features", "hog", "--mixture", "mixture", "--strict")
    #expect(mixture.status == 1 && mixture.stderr.contains("skipped: stray.jpg: "))
    #expect(FileManager.default.fileExists(atPath: folder.path("mixture")))
  }

  @Test("Photos that are all unusable yield no shard")
  func noneUsable() throws {
    for label in ["a", "b"] { try folder.write("no photo", to: "bad/\(label)/1.jpg") }
    let words = "bad: no usable photos (2 failed)"
    expectFailure(try features("bad", "--preset", "fast", "-o", "shards"), 65, words)
    expectFailure(try features("bad", "--features", "hog", "-o", "shards"), 65, words)
    expectSuccess(try features("photos", "--preset", "fast", "--mixture", "mixture"))
    try folder.write(
      "path,label,split\nlost/1.jpg,arch,train\nlost/2.jpg,barn,train\n", to: "part.csv")
    let listed = try features(
      "photos", "--split", "part.csv", "--mixture", "mixture", "--name", "part", "-o", "shards")
    expectFailure(listed, 65, "part.csv: no usable photos (2 failed)")
    #expect(!listed.stderr.contains("cupola check"))
    #expect(try !folder.contents().keys.contains { $0.hasSuffix(".safetensors") })
  }

  @Test("Unwritable outputs are rejected before work starts")
  func closedPlaces() throws {
    for label in ["a", "b"] { try folder.write("no photo", to: "bad/\(label)/1.jpg") }
    try folder.write("", to: "file")
    // Otherwise the unusable photos would be reported.
    for places in [["-o", "file/shards"], ["--mixture", "none/m"], ["--mixture", "file/m"]] {
      let output = try Tool.run(
        ["features", "bad", "--preset", "fast", "-q", "--no-cache"] + places, in: folder)
      #expect(output.status == 73, "\(places) \(output.stderr)")
    }
    let words = "no usable photos (2 failed)"
    expectFailure(try features("bad", "--preset", "fast", "--mixture", "m"), 65, words)
  }

  @Test("A part without usable photos exits with 1 but is written")
  func partWithoutPhotos() throws {
    try folder.write(try TinyCampus.jpeg(.arch, seed: 1), to: "bad/a/1.jpg")
    try folder.write("no photo", to: "bad/b/1.jpg")
    func part(_ part: String) throws -> Tool.Output {
      try features("bad", "--features", "hog", "--shard", part, "-o", "shards")
    }
    let second = try part("2/2")
    #expect(second.status == 1)
    #expect(second.stdout == "shard shards/shard-2-of-2.safetensors, 0 photos\n")
    #expect(
      second.messages.last
        == "cupola: shards/shard-2-of-2.safetensors: no usable photos (1 failed)")
    expectSuccess(try part("1/2"))
    // More parts than photos is not an error.
    expectSuccess(try part("3/3"))
  }

  @Test("Invalid inputs are reported with file and exit code")
  func refused() async throws {
    expectFailure(
      try features("nowhere", "-o", "shards"), 66, "nowhere: ")
    expectFailure(
      try features("photos", "--mixture", "gone", "--name", "x", "-o", "shards"), 66, "gone: ")
    try folder.write("text", to: "text")
    expectFailure(
      try features("photos", "--mixture", "text", "-o", "shards"), 65,
      "text: not a feature plan: not a safetensors file")
    let model = try await TinyCampus.model()
    try folder.write(model, to: "model")
    expectFailure(
      try features("photos", "--mixture", "model", "-o", "shards"), 65,
      "model: not a feature plan: it is a cupola.model; use a file")
    try folder.write(try SafeTensors().bytes(), to: "foreign")
    expectFailure(
      try features("photos", "--mixture", "foreign", "-o", "shards"), 65,
      "foreign: not a feature plan: it is a file from another program; use a file")
    var later = try SafeTensors(bytes: model)
    later.metadata["format"] = "cupola.features/2"
    try folder.write(try later.bytes(), to: "later")
    expectFailure(
      try features("photos", "--mixture", "later", "-o", "shards"), 65,
      "unsupported version: cupola.features/2")
    expectFailure(try train("--features", "nowhere", "-o", "m"), 66, "nowhere: ")
    try folder.write("text", to: "none/readme.txt")
    expectFailure(try train("--features", "none", "-o", "m"), 66, "none: no shards found")
    try folder.write("text", to: "bad/a.safetensors")
    expectFailure(try train("--features", "bad", "-o", "m"), 65, "bad/a.safetensors: ")
    #expect(!FileManager.default.fileExists(atPath: folder.path("m")))
  }

  @Test("A list of photos is answered like stdin")
  func list() async throws {
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    try folder.write("photos/arch/5.jpg\r\nphotos/barn/5.jpg\n", to: "list.txt")
    let listed = try Tool.run(
      ["classify", "m.safetensors", "--list", "list.txt"], in: folder)
    expectSuccess(listed)
    let named = try Tool.run(
      ["classify", "m.safetensors", "photos/arch/5.jpg", "photos/barn/5.jpg"],
      in: folder)
    #expect(listed.stdout == named.stdout)
    let marked = try folder.bytes("list.txt")
    try folder.write([0xEF, 0xBB, 0xBF] + marked, to: "list.txt")
    #expect(
      try Tool.run(["classify", "m.safetensors", "--list", "list.txt"], in: folder).stdout
        == named.stdout)
    expectFailure(
      try Tool.run(["classify", "m.safetensors", "--list", "gone"], in: folder), 66, "gone: ")
  }
}

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
    try FileManager.default.contentsOfDirectory(atPath: folder.path(path)).sorted().filter {
      let bytes = try folder.bytes(path + "/" + $0).prefix(2_000)
      return !String(decoding: bytes, as: UTF8.self).contains("weights.0")
    }
  }

  @Test("A second training uses the cache and yields the same model")
  func secondTraining() throws {
    let plain = try train("--no-cache")
    #expect(plain.reused == 0 && plain.computed == 16)
    let first = try train("--cache", "deep/cache")
    #expect(first.reused == 0 && first.computed == 16)
    #expect(try entries("deep/cache").count == 16)
    let second = try train("--cache", "deep/cache", "--threads", "1")
    #expect(second.reused == 16 && second.computed == 0)
    #expect(first.bytes == plain.bytes && second.bytes == plain.bytes)
    // --no-cache takes precedence.
    let again = try train("--cache", "deep/cache", "--no-cache")
    #expect(again.reused == 0 && again.bytes == plain.bytes)
  }

  @Test("Damaged entries are recomputed and replaced")
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

  @Test("The default folder follows the XDG specification")
  func usualPlace() throws {
    let home = ["HOME": folder.path("home"), "XDG_CACHE_HOME": ""]
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

  @Test("A folder that cannot be created causes a warning")
  func unwritable() throws {
    try folder.write("a file", to: "file")
    let training = try train("--cache", "file/cache")
    #expect(training.reused == 0 && training.computed == 16)
    #expect(
      training.output.stderr.contains("warning: cannot write to the feature cache: file/cache: "))
    #expect(try training.bytes == train("--no-cache").bytes)
  }
}

@Suite("cupola cache")
struct CacheCommandTests {
  @Test("Shows, shrinks and clears the cache, and keeps other files")
  func cache() throws {
    let folder = try TemporaryFolder()
    func run(_ options: String...) throws -> Tool.Output {
      try Tool.run(["cache", "--cache", "c"] + options, in: folder)
    }
    #expect(try run().stdout == "c: 0 files, 0.0 MB (limit 2.0 GB)\n")
    let files = ["a", "b"].map { "c/" + String(repeating: $0, count: 64) + ".safetensors" }
    for (number, file) in files.enumerated() {
      let path = try folder.write([UInt8](repeating: 0, count: 600_000), to: file)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: Double(1000 + number))], ofItemAtPath: path)
    }
    try folder.write("mine", to: "c/notes.txt")
    #expect(try run().stdout == "c: 2 files, 1.2 MB (limit 2.0 GB)\n")
    #expect(
      try run("--shrink", "1").stdout
        == "deleted 1 file, 0.6 MB\nc: 1 file, 0.6 MB (limit 2.0 GB)\n")
    #expect(try folder.contents().keys.sorted() == [files[1], "c/notes.txt"])
    #expect(try run("--clear").stdout.hasSuffix("\nc: 0 files, 0.0 MB (limit 2.0 GB)\n"))
    #expect(try folder.contents().keys.sorted() == ["c/notes.txt"])
    expectUsageError(try run("--clear", "--shrink", "1"), "not both")
    expectUsageError(try run("--shrink", "-1"), "--shrink must be 0")
  }
}
