import Cupola
import CupolaTestSupport
import Foundation
import Testing

@Suite("cupola classify")
struct ClassifyTests {
  let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    for kind in TinyCampus.Kind.allCases {
      try folder.write(try TinyCampus.jpeg(kind, seed: 90), to: "new/\(kind).jpg")
    }
  }

  func classify(_ arguments: String..., input: String? = nil) throws -> Tool.Output {
    try Tool.run(["classify", "m.safetensors"] + arguments, in: folder, input: input)
  }

  @Test("one photo: its building, the building's record, and what else it could be")
  func onePhoto() throws {
    let output = try classify("new/arch.jpg")
    expectSuccess(output)
    #expect(output.stderr.isEmpty)
    // The other two are so improbable that their order is left open.
    let text = output.stdout.replacing(/\d+\.\d %/, with: "N %")
      .replacing(/(cone|barn) N %, (cone|barn) N %/, with: "A N %, B N %")
    try expectSnapshot(text, "classify-one")
  }

  @Test("a folder: a line for each photo, in the order of the names")
  func folderOfPhotos() throws {
    let output = try classify("new", "--quiet")
    expectSuccess(output)
    #expect(output.stderr.isEmpty)
    try expectSnapshot(output.stdout.replacing(/\d+\.\d %/, with: "N %"), "classify-folder")
  }

  @Test("paths from stdin, in their order")
  func standardInput() throws {
    let output = try classify(
      "-", "--jsonl", "-q", input: "new/cone.jpg\n\nnew/arch.jpg\nnew/cone.jpg")
    expectSuccess(output)
    #expect(
      try output.jsonLines().map { $0["photo"] as? String }
        == ["new/cone.jpg", "new/arch.jpg", "new/cone.jpg"])
  }

  @Test("an empty stdin is no input")
  func emptyInput() throws { expectFailure(try classify("-", input: "\n"), 66, "stdin") }

  @Test("--json is an array of objects with the documented fields")
  func json() throws {
    let output = try classify("new/arch.jpg", "--json", "--at", "48.0049,10.01")
    expectSuccess(output)
    let answers = try #require(try output.json() as? [[String: Any]])
    let answer = try #require(answers.first)
    #expect(answers.count == 1)
    #expect(
      answer.keys.sorted() == [
        "building", "candidates", "fence", "label", "photo", "place", "position", "probability",
        "reason", "schema", "timing_ms", "verdict",
      ])
    #expect(answer["schema"] as? String == "cupola.classification/1")
    #expect(answer["photo"] as? String == "new/arch.jpg")
    #expect(answer["verdict"] as? String == "building")
    #expect(answer["label"] as? String == "arch")
    #expect(answer["reason"] as? String == "recognised")
    let building = try #require(answer["building"] as? [String: Any])
    #expect(building["name"] as? String == "Old Arch")
    #expect(building["year_built"] as? String == "1899")
    let position = try #require(answer["position"] as? [String: Any])
    #expect(position["latitude"] as? Double == 48.0049)
    #expect(position["longitude"] as? Double == 10.01)
    let timing = try #require(answer["timing_ms"] as? [String: Double])
    #expect(timing.keys.contains("decode") && timing.values.allSatisfy { $0 >= 0 })
    let candidates = try #require(answer["candidates"] as? [[String: Any]])
    #expect(candidates.map { $0["label"] as? String }.first == "arch")
    #expect(candidates.count == 3)
    for candidate in candidates {
      #expect(
        candidate.keys.sorted() == [
          "bearing_deg", "distance_m", "image_probability", "label", "probability",
        ])
    }
    let probabilities = candidates.compactMap { $0["probability"] as? Double }
    #expect(probabilities == probabilities.sorted(by: >))
    #expect(probabilities.reduce(0, +) <= 1 + 1e-9)
    #expect(answer["probability"] as? Double == probabilities.first)
    #expect(answer["place"] as? String == "agrees")
    #expect(candidates[0]["distance_m"] as? Double == 11.12)
    #expect(candidates[0]["bearing_deg"] as? Double == 0)
  }

  /// Adds a building without photos to the map of the model, 30 m north of the cone.
  private func addWell() throws {
    var file = try SafeTensors(bytes: try folder.bytes("m.safetensors"))
    let map = try #require(file.metadata["campus"])
    let well = """
      {"type":"Feature","properties":{"role":"building","id":"well","name":"Deep Well",\
      "category":"fountain"},"geometry":{"type":"Point","coordinates":[10.012,48.0074]}},
      """
    file.metadata["campus"] = map.replacing(#""features":["#, with: #""features":["# + well)
    try folder.write(try ModelSeal.bytes(of: file), to: "m.safetensors")
  }

  @Test("a building of the map without photos is named where place and direction say so")
  func mappedBuilding() throws {
    try addWell()
    // A picture that says nothing clear.
    try TinyCampus.calibrate(
      "m.safetensors", in: folder, wrongNames: (photos: 99, scores: []), temperature: 30)
    let place = ["--at", "48.0071,10.012", "--position-error", "5", "--heading", "0"]
    let arguments = ["classify", "m.safetensors", "new/arch.jpg"] + place
    let text = try Tool.run(arguments, in: folder)
    expectSuccess(text)
    try expectSnapshot(text.stdout.replacing(/\d+\.\d %/, with: "N %"), "classify-mapped")
    let answer = try #require(try Tool.run(arguments + ["--jsonl"], in: folder).jsonLines().first)
    #expect(answer["verdict"] as? String == "mapped_building")
    #expect(answer["reason"] as? String == "by_place" && answer["label"] as? String == "well")
    #expect((answer["building"] as? [String: Any])?["name"] as? String == "Deep Well")
    let candidates = try #require(answer["candidates"] as? [[String: Any]])
    #expect(candidates.first?["trained"] as? Bool == false)
    #expect(candidates.first?["image_probability"] as? Double == 0)
    #expect(candidates.dropFirst().allSatisfy { $0["trained"] == nil })
    // Without a place the map adds nothing.
    let plain = try #require(
      try Tool.run(Array(arguments.prefix(3)) + ["--no-place", "--jsonl"], in: folder)
        .jsonLines().first)
    #expect((plain["candidates"] as? [[String: Any]])?.count == 3)
  }

  @Test("a place that contradicts the picture is told")
  func contradiction() throws {
    var file = try SafeTensors(bytes: try folder.bytes("m.safetensors"))
    file.metadata["place"] = #"{"position_weight":1,"heading_weight":1,"viewpoints":{}}"#
    try folder.write(try ModelSeal.bytes(of: file), to: "m.safetensors")
    // North of the cone and looking at it, 160 m from the arch.
    let far = ["new/arch.jpg", "--at", "48.0056,10.0120"]
    let text = try classify(far[0], far[1], far[2], "--position-error", "5", "--heading", "180")
    #expect(text.stdout.contains("  note: by the picture alone it is Old Arch ("))
    #expect(text.stdout.contains("); --no-place goes by that"))
    let json = try classify(
      far[0], far[1], far[2], "--position-error", "5", "--heading", "180", "--jsonl")
    let answer = try #require(try json.jsonLines().first)
    #expect(answer["place"] as? String == "contradicts")
    #expect(answer["verdict"] as? String == "unsure" && answer["label"] == nil)
    #expect(answer["reason"] as? String == "contradicted")
    #expect(text.stdout.contains("Unsure: the picture says Old Arch, the place The Cone"))
    let ignored = try classify(far[0], far[1], far[2], "--no-place", "--jsonl")
    let plain = try #require(try ignored.jsonLines().first)
    #expect(plain["place"] == nil && plain["label"] as? String == "arch")
    let candidates = try #require(plain["candidates"] as? [[String: Any]])
    for candidate in candidates {
      #expect(candidate.keys.sorted() == ["image_probability", "label", "probability"])
      #expect(candidate["image_probability"] as? Double == candidate["probability"] as? Double)
    }
  }

  @Test("--jsonl is one object a line in the order of the arguments, failures among them")
  func jsonLines() throws {
    try folder.write("text", to: "bad.jpg")
    let output = try classify("new/cone.jpg", "bad.jpg", "new/street.jpg", "--jsonl", "-q")
    #expect(output.status == 1)
    let answers = try output.jsonLines()
    #expect(
      answers.map { $0["photo"] as? String } == ["new/cone.jpg", "bad.jpg", "new/street.jpg"])
    #expect(
      answers.map { $0["verdict"] as? String } == ["building", nil, "not_a_campus_building"])
    #expect(answers[1].keys.sorted() == ["error", "photo", "schema"])
    #expect(answers.allSatisfy { $0["schema"] as? String == "cupola.classification/1" })
    #expect(output.messages.count == 1)
  }

  @Test("--top says how many candidates are told", arguments: [(0, 0), (1, 1), (2, 2), (9, 3)])
  func top(count: Int, shown: Int) throws {
    let output = try classify("new/arch.jpg", "--top", "\(count)", "--json")
    expectSuccess(output)
    let answers = try #require(try output.json() as? [[String: Any]])
    #expect((answers.first?["candidates"] as? [Any])?.count == shown)
    #expect(answers.first?["label"] as? String == "arch")
    let text = try classify("new/arch.jpg", "--top", "\(count)")
    expectSuccess(text)
    // What would be 0.0 % is not told.
    #expect(!text.stdout.contains(" 0.0 %") && !text.stdout.contains("otherwise"))
    try TinyCampus.calibrate(
      "m.safetensors", in: folder, wrongNames: (photos: 99, scores: []), temperature: 30)
    let warm = try classify("new/arch.jpg", "--top", "\(count)").stdout
    let isTold = warm.contains("  otherwise: ") || warm.contains("  nearest: ")
    if count != 1 { #expect(isTold == (count > 1), "\(warm)") }
  }

  @Test("the number of threads changes no answer")
  func threads() throws {
    func answers(_ threads: String) throws -> [String] {
      let output = try classify("new", "--jsonl", "-q", "--threads", threads)
      expectSuccess(output)
      let lines = output.stdout.split(separator: "\n").map(String.init)
      return lines.map { $0.replacing(/"timing_ms":\{[^}]*\}/, with: "") }
    }
    #expect(try answers("1") == answers("3"))
  }
}
