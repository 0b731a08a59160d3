import Cupola
import Testing

@testable import CupolaCampus

@Suite("TypingErrors") struct TypingErrorsTests {
  static func count(_ typed: String, _ word: String, limit: Int) -> (whole: Int?, beginning: Int?) {
    var errors = TypingErrors()
    return errors.count(
      typed: typed.unicodeScalars.map(\.value), word: word.unicodeScalars.map(\.value),
      limit: limit)
  }

  @Test(
    "Counts letters too many, too few, wrong and swapped",
    arguments: [
      ("library", "library", 0, 0), ("libary", "library", 1, 1), ("librarry", "library", 1, 1),
      ("lybrary", "library", 1, 1), ("ilbrary", "library", 1, 1), ("lirbayr", "library", 2, 2),
      ("libr", "library", nil, 0), ("lbir", "library", nil, 1), ("zzzz", "library", nil, nil),
      // Restricted: what was swapped is not changed again.
      ("ca", "abc", nil, 1), ("acb", "bc", 2, 2), ("ca", "abcd", nil, 1),
    ] as [(String, String, Int?, Int?)])
  func counts(typed: String, word: String, whole: Int?, beginning: Int?) {
    let count = Self.count(typed, word, limit: 2)
    #expect(count.whole == whole && count.beginning == beginning)
  }

  @Test("Counts as the definition does", arguments: 1...300)
  func twin(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    func word() -> String {
      String(
        (0..<Int.random(in: 1...9, using: &generator)).map { _ in
          "abc".randomElement(using: &generator) ?? "a"
        })
    }
    let (typed, word) = (word(), word())
    let limit = Int.random(in: 0...3, using: &generator)
    let count = Self.count(typed, word, limit: limit)
    func bounded(_ errors: Int?) -> Int? { errors.flatMap { $0 <= limit ? $0 : nil } }
    #expect(count.whole == bounded(NaiveSearch.distance(typed, word)))
    let beginnings = (0...word.count).map { NaiveSearch.distance(typed, String(word.prefix($0))) }
    #expect(count.beginning == bounded(beginnings.min()))
  }
}
