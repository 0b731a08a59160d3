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

  @Test("A building of the model that is listed as unknown is reported")
  func trainedUnknown() throws {
    let table = String(decoding: try folder.bytes("photos/split.csv"), as: UTF8.self)
    try folder.write(
      table.replacing(",arch,test,", with: ",arch,test_unknown,"), to: "photos/split.csv")
    let output = try evaluate()
    #expect(
      output.stderr.contains("note: photos of arch are listed as test_unknown, but the model"))
  }

  @Test("The accuracy on another day is unknown only if the test photos are from a training day")
  func otherDay() throws {
    let table = String(decoding: try folder.bytes("photos/split.csv"), as: UTF8.self)
    func limits(testDay: String) throws -> [String] {
      let rows = table.split(separator: "\n").map { row in
        let day = row.contains(",test,") ? testDay : "2026:10:05"
        return row + (row.hasPrefix("path,") ? ",time" : ",\(day) 10:00:00")
      }
      try folder.write(rows.joined(separator: "\n") + "\n", to: "photos/split.csv")
      let card = try figures(evaluate("--json"))["model_card"] as? [String: Any]
      return try #require(card?["limits"] as? [String])
    }
    func isUnknown(_ limit: String) -> Bool { limit.contains("accuracy on another day") }
    #expect(try limits(testDay: "2026:10:05").contains(where: isUnknown))
    #expect(try !limits(testDay: "2026:10:06").contains(where: isUnknown))
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
      kept.1 == ["note: 4 of 7 non-building photos were used for training and are not evaluated"])
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
          + "from 8 sessions, but at least 49 sessions in total are required",
        "note: an error rate of 2.0% cannot be guaranteed: training held out only 4 non-building photos "
          + "from 3 sessions, but at least 49 sessions in total are required",
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
    #expect(
      output.stdout.contains("confusion (rows: truth, columns: first guess from the image alone)"))
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
