import Foundation
import Testing

@Suite("cupola evaluate")
struct EvaluateTests {
  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    try TinyCampus.writePhotos(to: folder)
  }

  private func evaluate(_ options: String...) throws -> Tool.Output {
    try Tool.run(["evaluate", "m.safetensors", "photos", "--quiet"] + options, in: folder)
  }

  private func figures(_ output: Tool.Output) throws -> [String: Any] {
    try #require(try output.json() as? [String: Any])
  }

  @Test("tells the figures of the test photos")
  func text() throws {
    let output = try evaluate()
    expectSuccess(output)
    #expect(output.stderr.isEmpty)
    let text = output.stdout.replacing(/(ECE\) +)\d\.\d+/) { "\($0.1)N" }
    try expectSnapshot(text, "evaluate")
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
        "rejection", "calibration", "baseline_hog_top1", "errors",
      ]).isSubset(of: figures.keys))
    #expect(figures["photos"] as? Int == 6)
    #expect(figures["top1"] as? Double == 1)
    #expect(figures["labels"] as? [String] == ["arch", "barn", "cone"])
    #expect(figures["confusion"] as? [[Int]] == [[2, 0, 0], [0, 2, 0], [0, 0, 2]])
    #expect((figures["top1_interval"] as? [Double])?.last == 1)
    let labels = try #require(figures["per_label"] as? [[String: Any]])
    #expect(
      labels.first?.keys.sorted() == ["f1", "label", "precision", "recall", "support"])
    let rejection = try #require(figures["rejection"] as? [String: Any])
    #expect(rejection["auroc"] as? Double == 1)
    #expect(rejection["fpr_at_95_tpr"] as? Double == 0)
    let calibration = try #require(figures["calibration"] as? [String: Double])
    #expect(calibration.keys.sorted() == ["brier", "ece"])
    #expect((figures["errors"] as? [Any])?.isEmpty == true)
  }

  @Test(
    "--part chooses the photos",
    arguments: [("train", 12), ("test", 6)])
  func part(name: String, photos: Int) throws {
    let output = try evaluate("--part", name, "--json")
    expectSuccess(output)
    #expect(try figures(output)["photos"] as? Int == photos)
  }

  @Test("a part without photos is no input")
  func emptyPart() throws {
    expectFailure(try evaluate("--part", "val"), 66, "\"val\"", "--part")
    try folder.write("path,label,split\narch/1.jpg,arch,train\n", to: "photos/split.csv")
    expectFailure(try evaluate(), 66, "\"test\"", "--part")
  }

  @Test("photos that nothing divides are all asked about, with a note")
  func undivided() throws {
    try FileManager.default.removeItem(atPath: folder.path("photos/split.csv"))
    let output = try evaluate("--json")
    expectSuccess(output)
    #expect(output.messages.count == 1 && output.stderr.hasPrefix("note: nothing divides photos"))
    #expect(try figures(output)["photos"] as? Int == 18)
  }

  @Test("negatives, unknown buildings and a table of one's own")
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

  @Test("--report writes what --json and the terminal show")
  func report() throws {
    let json = try evaluate("--report", "out", "--json")
    expectSuccess(json)
    #expect(json.messages == ["report: out/report.json"])
    #expect(String(decoding: try folder.bytes("out/report.json"), as: UTF8.self) == json.stdout)
    let text = try evaluate("--report", "out")
    expectSuccess(text)
    #expect(String(decoding: try folder.bytes("out/report.txt"), as: UTF8.self) == text.stdout)
  }

  @Test("a report that cannot be written is told", arguments: ["no/such/folder", "file"])
  func reportFolder(name: String) throws {
    try folder.write("in the way", to: "file")
    expectFailure(try evaluate("--report", name), 73, name, "cannot write")
  }

  @Test("photos that cannot be read are listed, and left out of the figures")
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

  @Test("photos that are not there, and a bad table, are told")
  func badInput() throws {
    expectFailure(
      try Tool.run(["evaluate", "m.safetensors", "nowhere"], in: folder), 66, "nowhere")
    try folder.write("path,label,split\narch/1.jpg,arch,tset\n", to: "photos/split.csv")
    expectFailure(try evaluate(), 65, "photos/split.csv:2: ")
  }

  @Test("never changes photos, tables or the model")
  func inputsStay() throws {
    let before = try folder.contents()
    expectSuccess(try evaluate())
    #expect(try folder.contents() == before)
  }
}
