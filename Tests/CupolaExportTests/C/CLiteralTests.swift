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
  @Test("Texts are plain ASCII without trigraphs", arguments: HostileTexts.all)
  func texts(text: String) {
    let literal = CLiteral.text(text)
    #expect(literal.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    #expect(!literal.contains("??") && !literal.contains("\\x"))
  }

  @Test("A literal in full")
  func spelling() {
    #expect(CLiteral.text("a\"b\\c?\u{E9}1") == #""a\"b\\c\?\303\2511""#)
  }

  @Test(
    "Numbers are read as the same numbers",
    arguments: [0, 1, -0.1, 1e-300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1 / 3])
  func numbers(value: Double) {
    #expect(Double(CLiteral.number(value)) == value)
    let float = Float(value)
    guard float.isFinite else { return }
    #expect(CLiteral.number(float).last == "f")
    #expect(Float(CLiteral.number(float).dropLast()) == float)
  }

  @Test("Infinities are those of math.h")
  func infinities() {
    #expect(CLiteral.number(Double.infinity) == "INFINITY")
    #expect(CLiteral.number(-Double.infinity) == "-INFINITY")
  }
}
