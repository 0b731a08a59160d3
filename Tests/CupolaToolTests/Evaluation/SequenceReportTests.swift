import CupolaTestSupport
import Testing

@testable import CupolaTool
@testable import CupolaTraining

@Suite("What evaluate --sequences prints")
struct SequenceReportTests {
  private static func text(_ frames: [(truth: String?, shown: String?)]) -> String {
    let frames = frames.map { frame in
      SequenceEvaluation.Frame(
        truth: frame.truth, shown: frame.shown, single: nil, best: nil, odds: 0)
    }
    return SequenceReport.text(SequenceFigures([frames]))
  }

  @Test("Where half of the buildings get no name, it is not said that most get none")
  func half() {
    let text = Self.text([("a", "a"), ("b", nil)])
    #expect(text.contains("first name: none for half or more, never for 1 of 2"))
  }

  @Test("One frame is no frames")
  func one() {
    let text = Self.text([("a", "a"), ("a", nil), ("a", "a"), (nil, "a")])
    for words in ["1 time a name", "first name: 1 frame in", "gone:      1 frame after"] {
      #expect(text.contains(words), "\(text)")
    }
  }

  @Test("sessions of which no frame can be read show neither a building nor none")
  func unreadable() async throws {
    let folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    let line = #"{"frame":1,"file":"1.jpg","time":0,"truth":"arch"}"# + "\n"
    try folder.write(line, to: "s/bad/session.jsonl")
    try folder.write("no photo", to: "s/bad/1.jpg")
    let evaluate = ["evaluate", "m.safetensors", "--sequences", "s", "--json", "-q"]
    let none = try Tool.run(evaluate, in: folder)
    expectFailure(none, 65, "s/bad/1.jpg")
    #expect(none.stdout.isEmpty)
    try folder.write(line, to: "s/good/session.jsonl")
    try folder.write(try TinyCampus.jpeg(.arch, seed: 1), to: "s/good/1.jpg")
    let output = try Tool.run(evaluate, in: folder)
    #expect(output.status == 1)
    let figures = try #require(try output.json() as? [String: Any])
    #expect(figures["sessions"] as? Int == 1 && figures["unknown_sessions"] as? Int == 0)
  }
}
