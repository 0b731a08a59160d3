import Testing

@testable import CupolaCampus

@Suite("Wrapped text") struct WrappedTextTests {
  @Test("Words are never cut, and lines are as long as there is room")
  func words() {
    #expect(WrappedText.words("one two three four", to: 9) == ["one two", "three", "four"])
    #expect(WrappedText.words("incomprehensible word", to: 4) == ["incomprehensible", "word"])
    #expect(WrappedText.words("", to: 4) == [])
  }

  @Test("What is too long goes on below, further in; what fits stays as it is")
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

  @Test("A word that is longer than a line stays where it is, and what follows goes on below")
  func longWord() {
    let digest = String(repeating: "a", count: 12)
    #expect(WrappedText.folded("sha    \(digest)", to: 16) == "sha    \(digest)")
    #expect(
      WrappedText.folded("sha    \(digest) of it all", to: 16)
        == "sha    \(digest)\n       of it all")
  }

  @Test("As much of a beginning is left as there are columns for")
  func beginning() {
    #expect(WrappedText.beginning(of: "library", columns: 3) == "lib")
    #expect(WrappedText.beginning(of: "図書館", columns: 6) == "図書館")
    #expect(WrappedText.beginning(of: "図書館", columns: 5) == "図書")
    for columns in [-1, 0, 1] { #expect(WrappedText.beginning(of: "図書館", columns: columns) == "") }
  }

  @Test("Paragraphs stay apart, and each line begins with blanks")
  func lines() {
    #expect(WrappedText.lines("a\n\nb", indent: 2) == ["  a", "", "  b"])
    #expect(WrappedText.lines("") == [""])
  }

  @Test("Lines are folded without losing a word", arguments: [20, 33, 80])
  func nothingLost(width: Int) {
    let text = (1...60).map { "word\($0)" }.joined(separator: " ")
    let folded = WrappedText.folded("  " + text, to: width)
    #expect(folded.split(separator: "\n").allSatisfy { $0.count <= width })
    #expect(folded.split { $0 == " " || $0 == "\n" }.joined(separator: " ") == text)
  }
}
