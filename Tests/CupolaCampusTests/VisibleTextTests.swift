import Testing

@testable import CupolaCampus

@Suite("Visible text") struct VisibleTextTests {
  @Test(
    "What steers a terminal or turns the direction of writing stands there as its number",
    arguments: [
      ("a\u{1B}[31mb", #"a\u{1b}[31mb"#), ("a\nb\r\n\t", #"a\u{a}b\u{d}\u{a}\u{9}"#),
      ("\u{9B}1m\u{7F}", #"\u{9b}1m\u{7f}"#), ("\u{202E}gpj.a", #"\u{202e}gpj.a"#),
      ("a\u{2066}b\u{200B}\u{FEFF}", #"a\u{2066}b\u{200b}\u{feff}"#),
      ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#),
    ])
  func escaped(text: String, shown: String) {
    #expect(VisibleText.line(text) == shown)
    #expect(VisibleText.line(shown) == shown)
  }

  @Test(
    "Combining marks, joined emoji and scripts that need joiners are whole",
    arguments: ["e\u{301}", "👩\u{200D}🔬", "❤\u{FE0F}", "می\u{200C}خواهم", "👍🏽", "Übung 塔", "🏳️‍🌈"])
  func whole(text: String) {
    #expect(VisibleText.line(text) == text)
    #expect(VisibleText.lines(text) == text)
    #expect(VisibleText.json(text) == text)
  }

  @Test("Line feeds are kept where several lines are meant")
  func lines() {
    #expect(VisibleText.lines("a\u{1B}\n\nb\n") == "a\\u{1b}\n\nb\n")
  }

  @Test("JSON escapes as JSON does")
  func json() {
    #expect(
      VisibleText.json("{\n\"a\": \"\u{202E}\u{7F}\u{E0041}é\"}")
        == #"{\#n"a": "\u202e\u007f\udb40\udc41é"}"#)
  }
}
