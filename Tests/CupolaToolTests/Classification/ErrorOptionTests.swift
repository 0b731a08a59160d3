import Cupola
import CupolaTestSupport
import Foundation
import Testing

/// Required certainty with and without `--max-error`.
@Suite("cupola classify --max-error")
struct ErrorOptionTests {
  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    try folder.write(try TinyCampus.jpeg(.arch, seed: 90), to: "new/arch.jpg")
  }

  private func classify(_ arguments: String...) throws -> Tool.Output {
    try Tool.run(["classify", "m.safetensors"] + arguments, in: folder)
  }

  /// The share of each building in the sum of probabilities, highest first.
  private func shares(_ photo: String) throws -> [Double] {
    let answer = try #require((try classify(photo, "--json").json() as? [[String: Any]])?.first)
    let candidates = try #require(answer["candidates"] as? [[String: Any]])
    let probabilities = candidates.compactMap { $0["probability"] as? Double }
    return probabilities.map { $0 / probabilities.reduce(0, +) }
  }

  @Test("Two buildings that are too close to call are both named")
  func unsure() throws {
    try TinyCampus.calibrate(
      "m.safetensors", in: folder, wrongNames: (photos: 19, scores: []), temperature: 9)
    let shares = try shares("new/arch.jpg")
    // More than the best share, less than the two best together.
    try TinyCampus.calibrate(
      "m.safetensors", in: folder,
      wrongNames: (photos: 19, scores: [shares[0] + shares[1] / 2]), temperature: 9)
    let text = try classify("new/arch.jpg")
    expectSuccess(text)
    let words = text.stdout.replacing(/\d+\.\d%/, with: "N%").replacing(
      /Red Barn|The Cone/, with: "OTHER")
    try expectSnapshot(words, "classify-unsure")
    let json = try classify("new/arch.jpg", "--jsonl")
    let answer = try #require(try json.jsonLines().first)
    #expect(answer["verdict"] as? String == "unsure")
    #expect(answer["reason"] as? String == "too_close")
    #expect(answer["label"] == nil && answer["building"] == nil && answer["probability"] == nil)
    let candidates = try #require(answer["candidates"] as? [[String: Any]])
    #expect(candidates.first?["label"] as? String == "arch" && candidates.count == 3)
  }

  @Test("If no two buildings suffice, the photo is not a campus building")
  func unfamiliar() throws {
    try TinyCampus.calibrate(
      "m.safetensors", in: folder, wrongNames: (photos: 19, scores: []), temperature: 9)
    let shares = try shares("new/arch.jpg")
    let needed = shares[0] + shares[1] + shares[2] / 2
    try TinyCampus.calibrate(
      "m.safetensors", in: folder, wrongNames: (photos: 19, scores: [needed]), temperature: 9)
    let text = try classify("new/arch.jpg")
    let words =
      #/new/arch\.jpg: Not a Campus Building \(no building is probable enough\)\n/#
    #expect(text.stdout.starts(with: words), "\(text.stdout)")
    let answer = try #require(try classify("new/arch.jpg", "--jsonl").jsonLines().first)
    #expect(answer["verdict"] as? String == "not_a_campus_building")
    #expect(answer["reason"] as? String == "unfamiliar")
  }

  @Test("--max-error determines the required share")
  func maximumError() throws {
    try TinyCampus.calibrate(
      "m.safetensors", in: folder, wrongNames: (photos: 99, scores: [1, 0.01]))
    func verdict(_ options: String...) throws -> String? {
      let output = try Tool.run(
        ["classify", "m.safetensors", "new/arch.jpg", "--jsonl"] + options, in: folder)
      expectSuccess(output)
      let verdict = try output.jsonLines().first?["verdict"] as? String
      let note = output.messages.first?.hasPrefix("note: no photo gets a name: held-out photos got")
      #expect(note == (verdict == "building" ? nil : true) && output.messages.count < 2)
      return verdict
    }
    #expect(try verdict() == "building")
    #expect(try verdict("--max-error", "0.02") == "building")
    #expect(try verdict("--max-error", "0.01") == "not_a_campus_building")
    let frames = ["watch", "m.safetensors", "new/arch.jpg", "--max-error", "0.01", "-q"]
    #expect(
      try Tool.run(frames, in: folder).messages == [
        "note: --max-error has no effect: training did not hold out any buildings"
      ])
    let recorded = ["watch", "m.safetensors", "new/arch.jpg", "--record", "walk", "-q"]
    expectSuccess(try Tool.run(recorded, in: folder))
    let sequences = ["evaluate", "m.safetensors", "--sequences", "walk", "--max-error", "0.01"]
    let notes = try Tool.run(sequences + ["-q"], in: folder).messages
    #expect(notes.first?.hasPrefix("note: --max-error only affects single frames: ") == true)
    #expect(!notes.joined().contains("guaranteed"))
  }

  @Test("An error that cannot be promised is noted")
  func shortfall() throws {
    #expect(try classify("new/arch.jpg").stderr.isEmpty)
    let output = try classify("new/arch.jpg", "--max-error", "0.05", "--quiet")
    expectSuccess(output)
    #expect(output.stdout.hasPrefix("new/arch.jpg: Old Arch"))
    #expect(
      output.messages == [
        "note: an error rate of 5.0% cannot be guaranteed: training held out only 12 photos of known buildings "
          + "from 8 sessions, but at least 19 sessions in total are required",
        "note: an error rate of 5.0% cannot be guaranteed: training held out only 4 non-building photos "
          + "from 3 sessions, but at least 19 sessions in total are required",
      ])
    let tiny = try classify("new/arch.jpg", "--max-error", "1e-30")
    expectSuccess(tiny)
    #expect(tiny.messages.count == 2)
    let small = try classify("new/arch.jpg", "--max-error", "0.0001")
    #expect(
      small.messages.first?.hasPrefix("note: an error rate of 0.01% cannot be guaranteed") == true)
    try TinyCampus.calibrate("m.safetensors", in: folder, wrongNames: (photos: 1, scores: []))
    #expect(
      try classify("new/arch.jpg", "--max-error", "0.05").messages == [
        "note: an error rate of 5.0% cannot be guaranteed: training held out only 1 photo of a known building "
          + "from 1 session, but at least 19 sessions in total are required"
      ])
    var file = try SafeTensors(bytes: try folder.bytes("m.safetensors"))
    file.metadata["calibration"] = #"{"temperature":1}"#
    try folder.write(try ModelSeal.bytes(of: file), to: "m.safetensors")
    #expect(
      try classify("new/arch.jpg", "--max-error", "0.1").messages == [
        "note: an error rate of 10.0% cannot be guaranteed: training held out no photos of known buildings, "
          + "but at least 9 sessions in total are required",
        "note: an error rate of 10.0% cannot be guaranteed: training held out no non-building photos, "
          + "but at least 9 sessions in total are required",
      ])
  }
}
