import Testing

@testable import CupolaExport

/// Texts that people and maps have, and that C or its comments could trip over.
enum HostileTexts {
  static let all = [
    "Old Library", "a/b\\c", "say \"hi\"", "*/ int main(void) { /*", "??=??/??'", "tab\tnew\nline",
    "caf\u{E9} \u{1F3DB}\u{FE0F}", "\u{5D1}\u{5D9}\u{5EA} \u{5E1}\u{5E4}\u{5E8}",
    "\u{202E}desrever",
    "%s%n", "1\u{0}2".replacing("\u{0}", with: "\u{1}"), "'", "#define X", "",
    String(repeating: "\u{6F22}", count: 200), "\u{80}\u{FF}7", "\u{1}7\u{7F}",
  ]
}

/// ``CLiteral``.
@Suite("C literals") struct CLiteralTests {
  @Test("Texts come back, in plain ASCII", arguments: HostileTexts.all)
  func texts(text: String) {
    let literal = CLiteral.text(text)
    #expect(literal.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    #expect(!literal.contains("??") && !literal.contains("\\x"))
    #expect(CLiteral.value(ofText: literal) == text)
  }

  @Test("A literal in full")
  func spelling() {
    #expect(CLiteral.text("a\"b\\c?\u{E9}1") == #""a\"b\\c\?\303\2511""#)
  }

  @Test(
    "What is no literal has no text",
    arguments: ["", "\"", "a", "\"a", "\"\\\"", "\"\\3\"", "\"\\39\"", "\"\\409\"", "\"\\200\""])
  func noTexts(literal: String) { #expect(CLiteral.value(ofText: literal) == nil) }

  @Test(
    "Numbers come back",
    arguments: [
      0, 1, -0.1, 1e-300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity,
      1 / 3,
    ])
  func numbers(value: Double) {
    #expect(CLiteral.value(ofDouble: CLiteral.number(value)) == value)
    let float = Float(value)
    if float.isFinite { #expect(CLiteral.value(ofFloat: CLiteral.number(float)) == float) }
  }

  @Test("What is no number has none", arguments: ["nan", "1e999", "", "x", "inf"])
  func noNumbers(literal: String) {
    #expect(CLiteral.value(ofDouble: literal) == nil)
    #expect(CLiteral.value(ofFloat: literal + "f") == nil)
    #expect(CLiteral.value(ofFloat: "1") == nil)
  }
}
