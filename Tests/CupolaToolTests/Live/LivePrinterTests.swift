import CupolaTestSupport
import Testing

@testable import Cupola
@testable import CupolaTool
@testable import CupolaTraining

@Suite("The answers of cupola watch")
struct LivePrinterTests {
  @Test("people read which two it is unsure between, however many JSON tells", arguments: 0...3)
  func unsure(top: Int) throws {
    let seen = WatchedFrame(
      number: 1, name: "1.jpg", time: 0, answer: LiveAnswer(.unsure),
      candidates: [("arch", 0.5), ("barn", 0.4), ("cone", 0.1)], top: top, milliseconds: 1)
    let printer = LivePrinter(style: .changes, campus: nil)
    #expect(printer.headline(seen) == "Unsure: arch or barn")
    let text = try JSONObject.text(JSONObject(watching: seen))
    #expect(text.contains("\"barn\"") == (top > 1) && text.contains("\"cone\"") == (top > 2))
  }

  @Test("a model of one building is not unsure between it alone")
  func unsureOfOne() {
    let seen = WatchedFrame(
      number: 1, name: "1.jpg", time: 0, answer: LiveAnswer(.unsure), candidates: [("arch", 1)],
      top: 3, milliseconds: 1)
    let printer = LivePrinter(style: .changes, campus: nil)
    #expect(printer.headline(seen) == "Unsure: arch or something else")
  }

  @Test("a name with a line's end breaks no line")
  func lines() {
    let seen = WatchedFrame(
      number: 1, name: "1.jpg", time: 0, answer: LiveAnswer(.unsure),
      candidates: [("a\nb", 0.5), ("barn", 0.5)], top: 3, milliseconds: 1)
    let printer = LivePrinter(style: .changes, campus: nil)
    #expect(printer.line(seen) == #"0.0 s: Unsure: a\u{a}b or barn"#)
  }

  @Test("--top is for JSON")
  func top() async throws {
    let folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    try folder.write(try TinyCampus.jpeg(.arch, seed: 41), to: "arch.jpg")
    for top in 0...3 {
      let output = try Tool.run(
        ["watch", "m.safetensors", "arch.jpg", "--jsonl", "--top", "\(top)"], in: folder)
      expectSuccess(output)
      let candidates = try output.jsonLines().first?["candidates"] as? [Any]
      #expect(candidates?.count == top)
    }
  }
}
