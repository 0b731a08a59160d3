import Cupola
import CupolaTestSupport
import Foundation
import Testing

@Suite("cupola evaluate")
struct EvaluateTests {
  private let folder: TemporaryFolder

  init() async throws { folder = try await TinyCampus.folder() }

  private func evaluate(_ options: String...) throws -> Tool.Output {
    try Tool.run(["evaluate", "m.safetensors", "photos", "--quiet"] + options, in: folder)
  }

  private func figures(_ output: Tool.Output) throws -> [String: Any] {
    try #require(try output.json() as? [String: Any])
  }

  @Test("Prints the figures of the test photos")
  func text() throws {
    let output = try evaluate()
    expectSuccess(output)
    #expect(output.stderr.isEmpty)
    try expectSnapshot(output.stdout, "evaluate")
  }

  @Test("--verbose prints all figures")
  func verbose() throws {
    let output = try evaluate("--verbose")
    expectSuccess(output)
    #expect(output.stderr.isEmpty)
    let text = output.stdout.replacing(/((?:ECE\)|Brier score|risk-coverage) +)\d\.\d+/) {
      "\($0.1)N"
    }
    try expectSnapshot(text, "evaluate-verbose")
  }

  @Test("Non-building photos that trained the model are left out")
  func trainedNegatives() throws {
    for number in 1...4 {
      try folder.write(
        try folder.bytes("photos/_street/\(number).jpg"), to: "streets/\(number).jpg")
    }
    try folder.write(try TinyCampus.jpeg(.street, seed: 50), to: "streets/5.jpg")
    func photos(_ options: String...) throws -> (Int?, [String]) {
      let output = try Tool.run(
        ["evaluate", "m.safetensors", "photos", "-q", "--negatives", "streets", "--json"] + options,
        in: folder)
      expectSuccess(output)
      let rejection = try #require(try figures(output)["rejection"] as? [String: Any])
      return (rejection["photos"] as? Int, output.messages)
    }
    let kept = try photos()
    #expect(kept.0 == 3)
    #expect(
      kept.1 == ["note: 4 of 7 non-building photos trained the model and are not evaluated"])
    #expect(try photos("--allow-leaks").0 == 7)
  }

  @Test("--track supplies positions, and reports how many photos got one")
  func track() throws {
    for number in 0..<4 {
      let exif = EXIFBuilder().payload([
        EXIFBuilder.Tag.exif: .directory([
          EXIFBuilder.Tag.time: .text("2026:05:01 10:0\(number):00")
        ])
      ])
      try folder.write(
        try TinyCampus.jpeg(.arch, seed: UInt64(number) + 200, exif: exif),
        to: "walk/arch/\(number).jpg")
    }
    try folder.write(
      """
      <gpx><trk><trkseg><trkpt lat="48.5" lon="10.01"><time>2026-05-01T08:00:00Z</time></trkpt>
      </trkseg></trk></gpx>
      """, to: "walk.gpx")
    let options = ["-q", "--track", "walk.gpx", "--track-zone", "+02:00"]
    let output = try Tool.run(
      ["evaluate", "m.safetensors", "walk", "--json"] + options, in: folder)
    expectSuccess(output)
    let told =
      "track: 2 of 4 photos without a position got one; 2 were not taken within 60 s of a track point"
    #expect(output.messages.last == told)
    let verdicts = try #require(try figures(output)["verdicts"] as? [String: [String: Int]])
    #expect(verdicts["buildings"]?["not_on_campus"] == 2)
    let shard = try Tool.run(
      ["features", "walk", "-o", "shards", "--features", "hog", "--no-cache"] + options, in: folder)
    expectSuccess(shard)
    #expect(shard.messages.last == told)
    expectUsageError(
      try Tool.run(
        ["evaluate", "m.safetensors", "--predictions", "x", "--track", "walk.gpx"], in: folder),
      "--track, --allow-outside")
  }

  @Test("--json has the documented fields")
  func json() throws {
    let output = try evaluate("--json")
    expectSuccess(output)
    let figures = try figures(output)
    #expect(figures["schema"] as? String == "cupola.evaluation/1")
    #expect(
      Set([
        "photos", "top1", "top1_interval", "top3", "macro_f1", "labels", "confusion", "per_label",
        "rejection", "calibration", "verdicts", "baseline_hog_top1", "errors",
      ]).isSubset(of: figures.keys))
    #expect(figures["photos"] as? Int == 6)
    #expect(figures["top1"] as? Double == 1)
    #expect(figures["labels"] as? [String] == ["arch", "barn", "cone"])
    #expect(figures["confusion"] as? [[Int]] == [[2, 0, 0], [0, 2, 0], [0, 0, 2]])
    #expect((figures["top1_interval"] as? [Double])?.last == 1)
    let labels = try #require(figures["per_label"] as? [[String: Any]])
    #expect(
      labels.first?.keys.sorted() == [
        "f1", "label", "precision", "recall", "recall_interval", "support",
      ])
    let rejection = try #require(figures["rejection"] as? [String: Any])
    #expect(rejection["auroc"] as? Double == 1)
    #expect(rejection["fpr_at_95_tpr"] as? Double == 0)
    let verdicts = try #require(figures["verdicts"] as? [String: [String: Int]])
    #expect(verdicts.keys.sorted() == ["buildings", "not_buildings", "unknown_buildings"])
    #expect(
      verdicts["buildings"] == [
        "right": 6, "wrong": 0, "unsure": 0, "mapped_right": 0, "mapped_wrong": 0,
        "not_a_campus_building": 0, "not_on_campus": 0,
      ])
    let calibration = try #require(figures["calibration"] as? [String: Any])
    #expect(calibration.keys.sorted() == ["brier", "ece", "reliability"])
    #expect((figures["errors"] as? [Any])?.isEmpty == true)
  }

  @Test("--max-error changes verdicts but not the image figures")
  func maximumError() throws {
    // The temperature gives each of three buildings one third, and any two more than 0.6.
    let shares = (0..<99).map { 0.6 - Double($0) / 1000 }
    try TinyCampus.calibrate(
      "m.safetensors", in: folder, wrongNames: (photos: 999, scores: shares), temperature: 1e4)
    func figures(_ options: String...) throws -> [String: Any] {
      let output = try Tool.run(
        ["evaluate", "m.safetensors", "photos", "--json", "-q"] + options, in: folder)
      expectSuccess(output)
      return try self.figures(output)
    }
    // One wrong name is allowed, or more than there are.
    let (strict, loose) = try (figures("--max-error", "0.002"), figures("--max-error", "0.2"))
    let verdicts = try [strict, loose].map { figures in
      try #require((figures["verdicts"] as? [String: [String: Int]])?["buildings"])
    }
    #expect(verdicts[0]["right"] == 0 && verdicts[1]["right"] == 6)
    #expect(verdicts[0]["unsure"] == 6)
    for figure in ["top1", "macro_f1"] {
      #expect(strict[figure] as? Double == loose[figure] as? Double)
    }
    let text = try Tool.run(
      ["evaluate", "m.safetensors", "photos", "-q", "--max-error", "0.002"], in: folder)
    #expect(text.stdout.contains("0 right, 0 wrong, 6 unsure, 0 rejected"))
  }

  @Test("An error that cannot be promised is noted only if requested")
  func shortfall() throws {
    #expect(try evaluate().stderr.isEmpty)
    let output = try evaluate("--max-error", "0.02")
    expectSuccess(output)
    #expect(
      output.messages == [
        "note: an error rate of 2.0% cannot be guaranteed: training held out only 12 photos of known buildings "
          + "from 8 sessions, but at least 49 sessions are required; an answer must score higher than every observed error",
        "note: an error rate of 2.0% cannot be guaranteed: training held out only 4 non-building photos "
          + "from 3 sessions, but at least 49 sessions are required; an answer must score higher than every observed error",
      ])
  }

  @Test(
    "--part selects the photos",
    arguments: [("train", 12), ("test", 6)])
  func part(name: String, photos: Int) throws {
    let output = try evaluate("--part", name, "--json", "--allow-leaks")
    expectSuccess(output)
    #expect(try figures(output)["photos"] as? Int == photos)
  }

  @Test("A part without photos exits with 66")
  func emptyPart() throws {
    expectFailure(try evaluate("--part", "val"), 66, "\"val\"", "--part")
    try folder.write("path,label,split\narch/1.jpg,arch,train\n", to: "one.csv")
    expectFailure(try evaluate("--split", "one.csv"), 66, "\"test\"", "--part")
  }

  @Test("Undivided photos are all evaluated")
  func undivided() throws {
    try FileManager.default.removeItem(atPath: folder.path("photos/split.csv"))
    let output = try evaluate("--json", "--allow-leaks")
    expectSuccess(output)
    #expect(output.stderr.isEmpty)
    #expect(try figures(output)["photos"] as? Int == 18)
  }

  @Test("--matrix prints the whole confusion matrix")
  func matrix() throws {
    #expect(!(try evaluate().stdout.contains("confusion (rows")))
    let output = try evaluate("--matrix")
    expectSuccess(output)
    #expect(output.stdout.contains("confusion (rows: truth, columns: answer)"))
    #expect(output.stdout.contains("1 Old Arch 2 . ."))
  }

  @Test("Misspelled labels are rejected unless unknown")
  func misspelled() throws {
    func table(_ label: String, _ split: String) -> String {
      "path,label,split\narch/5.jpg,\(label),\(split)\nbarn/5.jpg,barn,test\n"
    }
    try folder.write(table("arhc", "test"), to: "two.csv")
    expectFailure(
      try evaluate("--split", "two.csv"), 65, "photos: ", "\"arhc\"", "\"arch\"", "test_unknown")
    try folder.write(table("arhc", "test_unknown"), to: "photos/split.csv")
    expectSuccess(try evaluate())
    try folder.write(table("gate", "test"), to: "photos/split.csv")
    expectSuccess(try evaluate())
  }

  @Test("Negatives, unknown buildings and other tables are accepted")
  func others() throws {
    try folder.write(try TinyCampus.jpeg(.street, seed: 50), to: "streets/1.jpg")
    try folder.write(
      """
      path,label,split
      arch/5.jpg,arch,test
      barn/5.jpg,shed,test_unknown
      cone/5.jpg,cone,test

      """, to: "mine.csv")
    let output = try evaluate("--split", "mine.csv", "--negatives", "streets", "--json")
    expectSuccess(output)
    let figures = try figures(output)
    #expect(figures["photos"] as? Int == 2)
    let rejection = try #require(figures["rejection"] as? [String: Any])
    #expect(rejection["photos"] as? Int == 1)
    #expect(rejection["unknown_buildings"] as? Int == 1)
    #expect(rejection["unknown_buildings_auroc"] is Double)
  }

  @Test(
    "A report that cannot be written is an error",
    arguments: [
      ("no/such/folder", "the folder no/such does not exist"), ("file", "cannot be written"),
    ])
  func reportFolder(name: String, words: String) throws {
    try folder.write("in the way", to: "file")
    expectFailure(try evaluate("--report", name), 73, name, words)
  }

  @Test("--plot prints the learning curve and the confused pairs")
  func plots() throws {
    let output = try evaluate("--plot", "-q")
    expectSuccess(output)
    let plots = output.stdout.split(separator: "\n").drop { !$0.hasPrefix("learning curve") }
    #expect(plots.contains { $0.contains("##") && $0.hasSuffix("%") }, "\(output.stdout)")
    #expect(
      plots.suffix(2) == [
        "confused pairs: true building > first guess from the image alone", "  none",
      ])
    expectUsageError(try evaluate("--plot", "--json"), "use --plot or --json")
  }

  @Test(
    "A report is not written into the photo folder",
    arguments: ["photos", "photos/report", "photos/arch/"])
  func reportInPhotos(name: String) throws {
    let output = try evaluate("--report", name)
    expectUsageError(output, "--report \(name) is in the photo folder photos")
    #expect(!FileManager.default.fileExists(atPath: folder.path("photos/report")))
  }

  @Test("Unreadable photos are listed and excluded from figures")
  func unreadable() throws {
    try folder.write("text", to: "photos/arch/5.jpg")
    try FileManager.default.removeItem(atPath: folder.path("photos/barn/5.jpg"))
    let output = try evaluate("--json")
    #expect(output.status == 1)
    #expect(output.messages.count == 2)
    let figures = try figures(output)
    #expect(figures["photos"] as? Int == 4)
    let errors = try #require(figures["errors"] as? [[String: String]])
    #expect(errors.compactMap { $0["photo"] } == ["arch/5.jpg", "barn/5.jpg"])
  }

  @Test("Misplaced photos are listed as errors")
  func leftOut() throws {
    try FileManager.default.removeItem(atPath: folder.path("photos/split.csv"))
    try folder.write(try TinyCampus.jpeg(.arch, seed: 70), to: "photos/stray.jpg")
    let output = try evaluate("--json", "--allow-leaks", "--report", "out", "--no-refits")
    #expect(output.status == 1)
    let figures = try figures(output)
    #expect(figures["photos"] as? Int == 18)
    let errors = try #require(figures["errors"] as? [[String: String]])
    #expect(errors.map { $0["photo"] } == ["stray.jpg"])
    #expect(errors[0]["message"]?.hasPrefix("not in a label folder") == true)
    let page = String(decoding: try folder.bytes("out/report.html"), as: UTF8.self)
    #expect(page.contains("Excluded from all metrics: 1 file"))
  }

  @Test("Missing photos and invalid tables are reported")
  func badInput() throws {
    expectFailure(
      try Tool.run(["evaluate", "m.safetensors", "nowhere"], in: folder), 66, "nowhere")
    try folder.write("path,label,split\narch/1.jpg,arch,tset\n", to: "photos/split.csv")
    expectFailure(try evaluate(), 65, "photos/split.csv:2: ")
  }

  @Test("Photos, tables and model are never changed")
  func inputsStay() throws {
    let before = try folder.contents()
    expectSuccess(try evaluate())
    #expect(try folder.contents() == before)
  }
}

@Suite("cupola evaluate with leaks")
struct LeakOptionsTests {
  private let folder: TemporaryFolder

  init() async throws { folder = try await TinyCampus.folder() }

  private func evaluate(_ options: String...) throws -> Tool.Output {
    try Tool.run(["evaluate", "m.safetensors", "photos", "-q"] + options, in: folder)
  }

  @Test("If most photos trained the model, they are rejected in one line")
  func refused() throws {
    let output = try evaluate("--part", "train")
    expectFailure(
      output, 65, "photos: 16 of 16 photos, too many to skip, are training photos of the model",
      "cupola split",
      "--allow-leaks",
      "photos/_street/1.jpg")
    #expect(output.stdout.isEmpty)
  }

  @Test("A single training photo is found under any name")
  func one() throws {
    try folder.write(try folder.bytes("photos/arch/1.jpg"), to: "photos/barn/new.jpg")
    let table = String(decoding: try folder.bytes("photos/split.csv"), as: UTF8.self)
    try folder.write(table + "barn/new.jpg,barn,test,new\n", to: "photos/split.csv")
    // The other photos are evaluated.
    let output = try evaluate("--json")
    expectSuccess(output)
    #expect(
      output.messages == [
        "note: skipped 1 of 9 photos: training photos of the model, or copies or crops of them, such as "
          + "photos/barn/new.jpg; use --allow-leaks to include them"
      ])
    let figures = try #require(try output.json() as? [String: Any])
    #expect(figures["photos"] as? Int == 6 && figures["leaks"] == nil)
  }

  private func train(with photo: RGBImage) throws {
    let training = try folder.write(
      try JPEGEncoder.encode(photo, quality: 90), to: "photos/arch/scene.jpg")
    let table = String(decoding: try folder.bytes("photos/split.csv"), as: UTF8.self)
    try folder.write(table + "arch/scene.jpg,arch,train,scene\n", to: "photos/split.csv")
    #expect(FileManager.default.fileExists(atPath: training))
    expectSuccess(
      try Tool.run(
        ["train", "photos", "-o", "new.safetensors", "--features", "hog", "-q"],
        in: folder))
  }

  @Test(
    "A crop is found by stored hashes or the training photo")
  func crops() throws {
    let drawn = SampleMap.path().replacing("campus.geojson", with: "founders_hall/01.jpg")
    let photo = try PhotoDecoder().open(FileAccess.read(drawn)).image()
    try train(with: photo)
    let crop = AreaResampler.resize(
      photo, region: PixelRect(x: 42, y: 19, width: 340, height: 249), width: 340, height: 249)
    let jpeg = try JPEGEncoder.encode(crop, quality: 70)
    try folder.write(jpeg, to: "a/arch/1.jpg")
    let alone = try Tool.run(["evaluate", "new.safetensors", "a", "-q"], in: folder)
    expectFailure(alone, 65, "1 of 1 photos", "crops", "a/arch/1.jpg")

    var model = try Model(contentsOf: folder.path("new.safetensors"))
    #expect(model.provenance.photoMiddles["arch"]?.values.count == 5)
    model.provenance.photoMiddles = [:]
    try folder.write(try model.bytes(), to: "old.safetensors")
    expectSuccess(try Tool.run(["evaluate", "old.safetensors", "a", "-q"], in: folder))
    try folder.write(jpeg, to: "photos/arch/crop.jpg")
    let table = String(decoding: try folder.bytes("photos/split.csv"), as: UTF8.self)
    try folder.write(table + "arch/crop.jpg,arch,test,new\n", to: "photos/split.csv")
    let beside = try Tool.run(["evaluate", "old.safetensors", "photos", "-q"], in: folder)
    expectSuccess(beside)
    #expect(
      beside.stderr.contains(
        "note: skipped 1 of 9 photos: training photos of the model, or copies or crops of them, such as "
          + "photos/arch/crop.jpg (like arch/scene.jpg); use"))
    expectSuccess(try Tool.run(["evaluate", "m.safetensors", "photos", "-q"], in: folder))
    let allowed = try Tool.run(
      ["evaluate", "old.safetensors", "photos", "-q", "--allow-leaks", "--json"], in: folder)
    let figures = try #require(try allowed.json() as? [String: Any])
    #expect((figures["leaks"] as? [String: Any])?["crops"] as? Int == 1)
  }

  @Test("A recompressed or mirrored copy is found, a new photo is not")
  func copies() throws {
    let photo = try Self.scene(1)
    try train(with: photo)
    for (number, picture) in [photo, photo.upright(from: .upMirrored)].enumerated() {
      try folder.write(try JPEGEncoder.encode(picture, quality: 60), to: "a\(number)/arch/1.jpg")
      let output = try Tool.run(["evaluate", "new.safetensors", "a\(number)", "-q"], in: folder)
      expectFailure(output, 65, "1 of 1 photos")
    }
    try folder.write(try JPEGEncoder.encode(try Self.scene(2), quality: 60), to: "b/arch/1.jpg")
    expectSuccess(try Tool.run(["evaluate", "new.safetensors", "b", "-q"], in: folder))
  }

  private static func scene(_ seed: UInt64) throws -> RGBImage {
    var generator = SplitMix64(seed: seed)
    let levels = (0..<100).map { _ in UInt8.random(in: 0...255, using: &generator) }
    var pixels: [UInt8] = []
    for y in 0..<200 {
      for x in 0..<200 {
        let level = levels[y / 20 * 10 + x / 20]
        pixels += [level, level, level]
      }
    }
    return RGBImage(width: 200, height: 200, pixels: pixels)
  }

  @Test("--allow-leaks prints figures with and without leaks")
  func allowed() throws {
    try FileManager.default.removeItem(atPath: folder.path("photos/split.csv"))
    let output = try evaluate("--allow-leaks", "--json")
    expectSuccess(output)
    let figures = try #require(try output.json() as? [String: Any])
    let leaks = try #require(figures["leaks"] as? [String: Any])
    #expect(leaks["same"] as? Int == 16)
    #expect(leaks["copies"] as? Int == 0)
    #expect(leaks["crops"] as? Int == 0)
    #expect(leaks["top1_difference"] as? Double == 0)
    #expect((leaks["top1_difference_interval"] as? [Double])?.count == 2)
    #expect(leaks["photos_leak_free"] as? Int == 6)
    #expect(leaks["photos_leaking"] as? Int == 12)
    #expect(leaks["top1_leak_free"] as? Double == 1)
    #expect(leaks["top1_leaking"] as? Double == 1)
    #expect((leaks["top1_leak_free_interval"] as? [Double])?.last == 1)
    let text = try evaluate("--allow-leaks").stdout
    #expect(
      text.contains(
        "LEAKS: the model was trained on 16 of 24 photos, on copies of 0 more and on crops of 0;"))
    #expect(
      text.contains("top-1 without leaks         100.0% of 6 (95% interval 61.0% to 100.0%)"))
    #expect(
      text.contains("top-1 of the leaks          100.0% of 12 (95% interval 75.8% to 100.0%)"))
    #expect(
      text.contains("leaks minus the others      0.0 points (95% interval -24.2 to 39.0)"))
  }

  @Test("Without leaks nothing is printed about them")
  func none() throws {
    let output = try evaluate("--json")
    expectSuccess(output)
    #expect(output.stderr.isEmpty)
    #expect((try output.json() as? [String: Any])?["leaks"] == nil)
    #expect(!(try evaluate("--allow-leaks").stdout.contains("LEAKS")))
  }

  @Test("A model without digests recognizes photos by hashes")
  func hashesOnly() throws {
    let model = try Model(contentsOf: folder.path("m.safetensors")).stripping([.digests])
    try folder.write(try model.bytes(), to: "m.safetensors")
    let output = try evaluate("--part", "train")
    expectFailure(
      output, 65, "of 16 photos, too many to skip, are training photos of the model, or copies")
    expectSuccess(try evaluate())
  }

  @Test("A model without hashes causes a note about copies")
  func digestsOnly() throws {
    let model = try Model(contentsOf: folder.path("m.safetensors")).stripping([.hashes])
    try folder.write(try model.bytes(), to: "m.safetensors")
    let beside = try evaluate()
    expectSuccess(beside)
    let words =
      "note: the model has no image hashes of its training photos; copies and crops, which inflate the results, are "
    #expect(
      beside.messages == [
        words + "detected only for training photos in photos"
      ])
    try folder.write(try TinyCampus.jpeg(.arch, seed: 70), to: "a/arch/1.jpg")
    let alone = try Tool.run(["evaluate", "m.safetensors", "a", "-q"], in: folder)
    expectSuccess(alone)
    #expect(alone.messages == [words + "not detected"])
    let trained = try evaluate("--part", "train")
    #expect(trained.status == 65 && trained.stderr.contains("16 of 16 photos, too many to skip"))
  }

  @Test("A model without photo records causes a note")
  func older() throws {
    var model = try Model(contentsOf: folder.path("m.safetensors"))
    model = model.stripping([.digests, .hashes])
    try folder.write(try model.bytes(), to: "m.safetensors")
    let output = try evaluate("--part", "train")
    expectSuccess(output)
    #expect(output.messages.count == 1 && output.stderr.hasPrefix("note: the model does not list"))
  }
}
