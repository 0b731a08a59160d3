import Foundation
import Testing

@testable import CupolaTraining

@Suite("HTML escaping")
struct HTMLEscapingTests {
  @Test(
    "what a page could take for its own is escaped",
    arguments: [
      ("<b>", "&lt;b&gt;"), ("a & b", "a &amp; b"), ("\"'`", "&quot;&#39;&#96;"),
      ("plain", "plain"),
      ("Zürich 図書館", "Zürich 図書館"), ("a\u{0}b\u{1B}c", "a\u{FFFD}b\u{FFFD}c"),
      ("\u{202E}gpj.exe", "\u{FFFD}gpj.exe"), ("a\u{FFFE}b\u{FFFF}", "a\u{FFFD}b\u{FFFD}"),
    ])
  func escaped(text: String, expected: String) {
    #expect(HTMLEscaping.escaped(text) == expected)
  }

  @Test(
    "also with an accent on it, which makes one character of two scalars",
    arguments: [
      "\"", "<", ">", "&", "'",
    ])
  func accented(sign: String) {
    for accent in ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{20DD}"] {
      let escaped = HTMLEscaping.escaped(sign + accent)
      #expect(
        !escaped.dropFirst().unicodeScalars.contains { sign.unicodeScalars.contains($0) }
          || sign == "&")
      #expect(escaped.unicodeScalars.first == "&")
      #expect(escaped.unicodeScalars.contains(";"))
    }
  }

  @Test("escaping never changes what is read")
  func meaning() throws {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("<>&\"'`abc é\u{301}\u{1F3DB}".unicodeScalars)
    for _ in 0..<200 {
      let scalars = (0..<12).compactMap { _ in alphabet.randomElement(using: &generator) }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      var read = HTMLEscaping.escaped(String(text))
      let names = [
        ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#96;", "`"),
        ("&amp;", "&"),
      ]
      for (name, sign) in names {
        read = read.replacingOccurrences(of: name, with: sign, options: .literal)
      }
      #expect(Array(read.unicodeScalars) == scalars)
    }
  }
}
