import Cupola
import CupolaTestSupport
import Foundation
import Testing

@Suite("cupola train --update")
struct UpdateTests {
  private let folder: TemporaryFolder

  /// Labeled photos, a map and a model with a feature cache, created once.
  private static let made = Result {
    let folder = try TemporaryFolder()
    for kind in [TinyCampus.Kind.arch, .barn, .street] { try add(kind, to: folder) }
    try folder.write(TinyCampus.map, to: "campus.geojson")
    expectSuccess(
      try run(
        "--features", "hog", "--campus", "campus.geojson", "--seed", "3", to: "old", in: folder))
    return try folder.contents()
  }

  init() throws {
    folder = try TemporaryFolder()
    for (name, bytes) in try Self.made.get() { try folder.write(Array(bytes), to: name) }
  }

  private static func add(_ kind: TinyCampus.Kind, to folder: TemporaryFolder) throws {
    for number in 1...6 {
      try folder.write(
        try TinyCampus.jpeg(kind, seed: UInt64(number)), to: "photos/\(kind.label)/\(number).jpg")
    }
  }

  private func add(_ kind: TinyCampus.Kind) throws { try Self.add(kind, to: folder) }

  private func move(_ label: String, to place: String) throws {
    try FileManager.default.moveItem(
      atPath: folder.path("photos/\(label)"), toPath: folder.path(place))
  }

  private static func run(
    _ options: String..., to output: String, in folder: TemporaryFolder
  ) throws -> Tool.Output {
    try run(options, to: output, in: folder)
  }

  private static func run(
    _ options: [String], to output: String, in folder: TemporaryFolder
  ) throws -> Tool.Output {
    try Tool.run(
      ["train", "photos", "-o", output, "--cache", "cache", "-q"] + options, in: folder)
  }

  private func run(_ options: String..., to output: String) throws -> Tool.Output {
    try Self.run(options, to: output, in: folder)
  }

  private func model(_ name: String) throws -> Model { try Model(contentsOf: folder.path(name)) }

  private func update(_ output: Tool.Output) throws -> [String: Any] {
    let summary = try #require(try output.json() as? [String: Any])
    return try #require(summary["update"] as? [String: Any])
  }

  @Test("Prints added, renamed and removed labels and recall")
  func summary() throws {
    try add(.cone)
    try move("arch", to: "photos/gate")
    try move("barn", to: "barn")
    let output = try run("--update", "old", to: "new")
    expectSuccess(output)
    try expectSnapshot(output.stdout.withoutFigures + "stderr:\n" + output.stderr, "train-update")
    #expect(try model("new").labels.names == ["_street", "cone", "gate"])
    #expect(try model("new").campus?.buildings.count == 3)
    #expect(try model("new").provenance.seed == 3)
  }

  @Test("Names with line breaks are escaped")
  func oddNames() throws {
    try move("arch", to: "photos/gate\nhouse")
    let output = try run("--update", "old", to: "new")
    expectSuccess(output)
    #expect(output.stdout.contains("\n  renamed: arch to gate\\u{a}house\n"))
  }

  @Test("Prints changes as JSON")
  func json() throws {
    try add(.cone)
    try move("arch", to: "photos/gate")
    try move("barn", to: "barn")
    let output = try run("--update", "old", "--json", to: "new")
    expectSuccess(output)
    let update = try update(output)
    #expect(
      update.keys.sorted() == [
        "labels_added", "labels_removed", "labels_renamed", "model", "photos_added",
        "photos_moved", "photos_removed", "recall_changed",
      ])
    #expect(update["model"] as? String == "old")
    #expect(update["labels_added"] as? [String] == ["cone"])
    #expect(update["labels_removed"] as? [String] == ["barn"])
    #expect(update["labels_renamed"] as? [[String: String]] == [["from": "arch", "to": "gate"]])
    #expect(update["photos_added"] as? Int == 6)
    #expect(update["photos_removed"] as? Int == 6)
    #expect(update["photos_moved"] as? Int == 0)
    let recall = try #require(update["recall_changed"] as? [[String: Any]])
    let cone = try #require(recall.first { $0["label"] as? String == "cone" })
    #expect(cone["before"] == nil)
    #expect((cone["after"] as? [String: Int])?["asked"] == 6)
    let summary = try #require(try output.json() as? [String: Any])
    #expect(summary["features_reused"] as? Int == 12)
    #expect(summary["features_computed"] as? Int == 6)
  }

  @Test("An update with the same photos keeps the file")
  func unchanged() throws {
    let before = try folder.bytes("old")
    let output = try run("--update", "old", to: "old")
    expectSuccess(output)
    #expect(output.stdout.contains("features: 18 reused, 0 computed"))
    #expect(output.stdout.contains("out-of-fold recall: unchanged"))
    #expect(try folder.bytes("old") == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 4)
  }

  @Test("Without a cache the update is slower but equal")
  func clearedCache() throws {
    try add(.cone)
    expectSuccess(try run("--update", "old", to: "new"))
    try FileManager.default.removeItem(atPath: folder.path("cache"))
    let output = try run("--update", "old", "--threads", "1", to: "again")
    expectSuccess(output)
    #expect(output.stdout.contains("features: 0 reused, 24 computed"))
    #expect(
      output.stderr.contains(
        "warning: the features of 18 photos of old were not in the cache and were computed again"))
    #expect(try folder.bytes("again") == folder.bytes("new"))
  }

  @Test("A missing background is reported")
  func backgroundGone() throws {
    try move("_street", to: "streets")
    let output = try run("--update", "old", to: "new")
    expectSuccess(output)
    #expect(
      output.stderr.contains(
        "warning: the background class _street of old was removed; to keep it, give"))
    #expect(try model("new").labels.backgrounds.isEmpty)
    let again = try run("--update", "old", "--negatives", "streets", to: "new")
    expectSuccess(again)
    #expect(again.stdout.contains("renamed: _street to _not_a_building"))
    #expect(again.stdout.contains("features: 18 reused, 0 computed"))
    #expect(!again.stderr.contains("was removed"))
  }

  @Test("A new map, seed or weight format replaces the old one")
  func given() throws {
    try folder.write(
      TinyCampus.map.replacing("Old Arch", with: "New Arch"), to: "other.geojson")
    let output = try run(
      "--update", "old", "--campus", "other.geojson", "--seed", "4", "--weights", "int8", to: "new")
    expectSuccess(output)
    let (old, new) = (try model("old"), try model("new"))
    #expect(new.campus?.building(labeled: "arch")?.name == "New Arch")
    #expect(new.provenance.seed == 4 && new.weightFormat == .int8)
    #expect(new.recipe == old.recipe)
    // The next update keeps them.
    let kept = try folder.bytes("new")
    expectSuccess(try run("--update", "new", to: "new"))
    #expect(try folder.bytes("new") == kept)
  }

  @Test("Fisher features are kept")
  func fisher() throws {
    expectSuccess(try run("--preset", "fast", to: "old"))
    try add(.cone)
    let output = try run("--update", "old", to: "new")
    expectSuccess(output)
    #expect(output.stdout.contains("features: 114 reused, 6 computed"))
    #expect(try model("new").extractor == model("old").extractor)
    let card = try Tool.run(
      ["model", "new"], in: folder, environment: ["COLUMNS": "400"])
    #expect(
      card.stdout.contains(
        "features from    other photos, sha256 \(try model("old").provenance.dataDigest), seed 0"))
  }

  @Test(
    "Features cannot be changed by an update",
    arguments: [
      ["--features", "fisher"], ["--features", "hog"], ["--preset", "fast"],
      ["--no-drawn-negatives"],
    ])
  func features(options: [String]) throws {
    let output = try Tool.run(
      ["train", "photos", "-o", "new", "--update", "old"] + options, in: folder)
    expectUsageError(output, "leave out --features, --preset and")
  }

  @Test(
    "An unusable model leaves the output unchanged",
    arguments: [
      ("missing", 66, "missing: cannot be read"), ("photos", 66, "photos: cannot be read"),
      ("text", 65, "text: not a usable model"), ("cut", 65, "cut: not a usable model"),
      ("older", 65, "older: not a usable model: it does not list its training photos"),
    ] as [(String, Int32, String)])
  func unreadable(name: String, status: Int32, words: String) throws {
    try folder.write("no model", to: "text")
    let old = try folder.bytes("old")
    try folder.write(Array(old.prefix(old.count / 2)), to: "cut")
    var older = try model("old")
    older.provenance.photoDigests = [:]
    try folder.write(try older.bytes(), to: "older")
    try folder.write("keep", to: "new")
    let before = try folder.contents()
    expectFailure(try run("--update", name, to: "new"), status, words)
    #expect(try folder.contents() == before)
  }

  @Test("An update without labels to learn keeps the model")
  func nothingLeft() throws {
    try move("arch", to: "arch")
    try move("_street", to: "street")
    let before = try folder.contents()
    expectFailure(
      try run("--update", "old", to: "old"), 65, "only one label has usable photos (barn)"
    )
    #expect(try folder.contents() == before)
  }

  @Test("--add extends a retrieval model and keeps its calibration")
  func add() throws {
    expectSuccess(try run("--features", "hog", "--classifier", "retrieval", to: "base"))
    #expect(try model("base").classifierKind == .retrieval)
    try add(.cone)
    try move("cone", to: "new-cone")
    try FileManager.default.createDirectory(
      atPath: folder.path("only"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: folder.path("new-cone"), toPath: folder.path("only/cone"))
    let output = try Tool.run(
      ["train", "only", "--update", "base", "--add", "-o", "more", "--cache", "cache", "-q"],
      in: folder)
    expectSuccess(output)
    try expectSnapshot(
      output.stdout.withoutFigures + "stderr:\n" + output.stderr, "train-update-add")
    #expect(
      try model("more").labels.names.filter { !$0.hasPrefix("_") } == ["arch", "barn", "cone"])
    let json = try Tool.run(
      ["train", "only", "--update", "base", "--add", "-o", "again", "--json", "-q"], in: folder)
    let figures = try #require(try json.json() as? [String: Any])
    #expect(figures["classifier"] as? String == "retrieval" && figures["regularisation"] == nil)
    #expect(try model("again") == model("more"))
    // A photo given under another label keeps its old label, too.
    try folder.write(try folder.bytes("photos/arch/1.jpg"), to: "only/cone/arch.jpg")
    let doubled = try Tool.run(
      ["train", "only", "--update", "base", "--add", "-o", "again", "-q"], in: folder)
    #expect(doubled.stderr.contains("warning: 1 photo of base found under two labels; "))
    #expect(
      doubled.stderr.contains("if --add caused this, train again on all photos without --add"))
  }

  @Test(
    "Photos that are all unusable exit with 65",
    arguments: [["--preset", "fast"], ["--features", "hog", "--classifier", "retrieval"]])
  func noneUsable(options: [String]) throws {
    expectSuccess(
      try Tool.run(["train", "photos", "-o", "base", "-q", "--no-cache"] + options, in: folder))
    for label in ["arch", "barn"] { try folder.write("text", to: "bad/\(label)/1.jpg") }
    let additions: [[String]] = options.contains("retrieval") ? [[], ["--add"]] : [[]]
    for add in additions {
      let output = try Tool.run(
        ["train", "bad", "-o", "new", "-q", "--no-cache", "--update", "base"] + add, in: folder)
      expectFailure(output, 65, "cupola: bad: no usable photos (2 failed)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
  }

  @Test("Unsupported options of retrieval models are reported")
  func wrongOptions() throws {
    expectFailure(
      try run("--update", "old", "--add", to: "new"), 64,
      "cupola: old: --add requires a retrieval model, not a softmax model")
    expectUsageError(
      try run("--update", "old", "--add", "--classifier", "softmax", to: "new"),
      "--add requires a retrieval classifier")
    expectUsageError(try run("--add", to: "new"), "--update")
    for options in [["--weights", "int8"], ["--regularization", "3"]] {
      expectUsageError(
        try Tool.run(
          ["train", "photos", "-o", "new", "--classifier", "retrieval"] + options, in: folder),
        "leave out")
    }
    expectSuccess(try run("--features", "hog", "--classifier", "retrieval", to: "base.safetensors"))
    for options in [["--weights", "int8"], ["--regularization", "3"], ["--seed", "4"]] {
      expectFailure(
        try Tool.run(
          ["train", "photos", "-o", "new", "--update", "base.safetensors"] + options, in: folder),
        64, "cupola: base.safetensors: a retrieval model keeps its seed")
    }
    expectFailure(
      try Tool.run(["export", "base.safetensors", "--format", "onnx", "-o", "out"], in: folder), 65,
      "--classifier softmax")
  }
}
