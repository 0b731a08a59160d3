import Cupola
import CupolaTestSupport
import Testing

@Suite("cupola benchmark")
struct BenchmarkTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("times the stages, of a drawn picture or of a photo")
  func stages() throws {
    try folder.write(try TinyCampus.jpeg(.arch, seed: 1), to: "arch.jpg")
    for photo in [[], ["arch.jpg"]] {
      let output = try Tool.run(
        ["benchmark", "--repetitions", "1", "--json"] + photo, in: folder)
      expectSuccess(output)
      let figures = try #require(try output.json() as? [String: [String: Double]])
      let stages = try #require(figures["milliseconds"])
      #expect(stages.count >= 5)
      #expect(stages.values.allSatisfy { $0 > 0 && $0.isFinite })
    }
  }

  @Test("times the stages of a model")
  func model() async throws {
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    try folder.write(try TinyCampus.jpeg(.arch, seed: 1), to: "arch.jpg")
    for photo in [[], ["arch.jpg"]] {
      let output = try Tool.run(
        ["benchmark", "m.safetensors", "--repetitions", "2", "--json"] + photo, in: folder)
      expectSuccess(output)
      let figures = try #require(try output.json() as? [String: [String: Double]])
      let stages = try #require(figures["milliseconds"])
      #expect(stages.keys.sorted().starts(with: ["all", "classify", "decode", "features"]))
      #expect(stages["hog 128x128"] == nil)
    }
    expectFailure(try Tool.run(["benchmark", "no.safetensors"], in: folder), 66, "no.safetensors")
  }

  @Test("tells what is wrong with a photo")
  func badPhoto() throws {
    try folder.write("text", to: "text.jpg")
    expectFailure(try Tool.run(["benchmark", "text.jpg"], in: folder), 65, "text.jpg", "text")
    expectFailure(try Tool.run(["benchmark", "no.jpg"], in: folder), 66, "no.jpg")
  }
}
