import Foundation
import Testing
@testable import CupolaSupport

@Suite struct ByteOrderMarkTests {
  @Test func isPassedOver() {
    #expect(ByteOrderMark.length(in: Array("\u{FEFF}name".utf8)) == 3)
    #expect(ByteOrderMark.length(in: Array("\u{FEFF}".utf8)) == 3)
  }

  @Test(arguments: ["", "name", " \u{FEFF}name"]) func isOnlyAtTheBeginning(text: String) {
    #expect(ByteOrderMark.length(in: Array(text.utf8)) == 0)
  }

  @Test func isWhole() {
    #expect(ByteOrderMark.length(in: [0xEF, 0xBB]) == 0)
    #expect(ByteOrderMark.length(in: [0xFE, 0xFF]) == 0)
  }
}

@Suite("Percent encoding") struct PercentEncodingTests {
  @Test(
    "Decodes two digits as a byte",
    arguments: [
      ("", ""), ("a b", "a b"), ("a%20b", "a b"), ("%C3%a9", "é"), ("%2525", "%25"), ("%00", "\0"),
    ])
  func decoded(text: String, expected: String) {
    #expect(PercentEncoding.decoded(text) == expected)
  }

  @Test(
    "Rejects incomplete sequences and invalid UTF-8",
    arguments: ["%", "%4", "a%", "%g0", "%0g", "%+1", "% 1", "%ff", "%C3", "%é"])
  func nothing(text: String) {
    #expect(PercentEncoding.decoded(text) == nil)
  }
}

@Suite("Visible text") struct VisibleTextTests {
  @Test(
    "Escapes control and direction characters",
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
    "Keeps combining marks, joined emoji and joiners",
    arguments: ["e\u{301}", "👩\u{200D}🔬", "❤\u{FE0F}", "می\u{200C}خواهم", "👍🏽", "Übung 塔", "🏳️‍🌈"])
  func whole(text: String) {
    #expect(VisibleText.line(text) == text)
    #expect(VisibleText.lines(text) == text)
    #expect(VisibleText.json(text) == text)
  }

  @Test("Keeps line feeds between lines")
  func lines() {
    #expect(VisibleText.lines("a\u{1B}\n\nb\n") == "a\\u{1b}\n\nb\n")
  }

  @Test("Escapes characters as JSON does")
  func json() {
    #expect(
      VisibleText.json("{\n\"a\": \"\u{202E}\u{7F}\u{E0041}é\"}")
        == #"{\#n"a": "\u202e\u007f\udb40\udc41é"}"#)
  }
}

@Suite("Wrapped text") struct WrappedTextTests {
  @Test("Wraps at spaces and fills lines")
  func words() {
    #expect(WrappedText.words("one two three four", to: 9) == ["one two", "three", "four"])
    #expect(WrappedText.words("incomprehensible word", to: 4) == ["incomprehensible", "word"])
    #expect(WrappedText.words("", to: 4) == [])
  }

  @Test("Indents continuation lines")
  func folded() {
    let text = "short\n\n  a sentence of some words\nname     value of a fact"
    #expect(
      WrappedText.folded(text, to: 16)
        == "short\n\n  a sentence of\n    some words\nname     value\n  of a fact")
    #expect(
      WrappedText.folded("name     value of a fact", to: 19)
        == "name     value of a\n         fact")
    #expect(WrappedText.folded(text, to: 80) == text)
    #expect(WrappedText.folded("incomprehensibilities", to: 5) == "incomprehensibilities")
    // Ideographs are two columns wide.
    #expect(WrappedText.folded("図書館 図書館", to: 12) == "図書館\n  図書館")
    #expect(WrappedText.folded("図書館 図書館", to: 13) == "図書館 図書館")
  }

  @Test("Does not break words longer than a line")
  func longWord() {
    let digest = String(repeating: "a", count: 12)
    #expect(WrappedText.folded("sha    \(digest)", to: 16) == "sha    \(digest)")
    #expect(
      WrappedText.folded("sha    \(digest) of it all", to: 16)
        == "sha    \(digest)\n       of it all")
  }

  @Test("Truncates to a number of columns")
  func beginning() {
    #expect(WrappedText.beginning(of: "library", columns: 3) == "lib")
    #expect(WrappedText.beginning(of: "図書館", columns: 6) == "図書館")
    #expect(WrappedText.beginning(of: "図書館", columns: 5) == "図書")
    for columns in [-1, 0, 1] { #expect(WrappedText.beginning(of: "図書館", columns: columns) == "") }
  }

  @Test("Keeps paragraphs and indents lines")
  func lines() {
    #expect(WrappedText.lines("a\n\nb", indent: 2) == ["  a", "", "  b"])
    #expect(WrappedText.lines("") == [""])
  }

  @Test("Folding keeps all words", arguments: [20, 33, 80])
  func nothingLost(width: Int) {
    let text = (1...60).map { "word\($0)" }.joined(separator: " ")
    let folded = WrappedText.folded("  " + text, to: width)
    #expect(folded.split(separator: "\n").allSatisfy { $0.count <= width })
    #expect(folded.split { $0 == " " || $0 == "\n" }.joined(separator: " ") == text)
  }
}
