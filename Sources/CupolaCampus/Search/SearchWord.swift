/// A word of a query or a text, folded, with what rules most comparisons out at once.
struct SearchWord: Hashable, Sendable {
  /// Unicode scalars after ``Folding``; at least one.
  let letters: [UInt32]
  /// Which letters there are, one bit for each, modulo 64.
  let signature: UInt64
  /// Errors in typing that are forgiven when it is searched for.
  let errorsAllowed: Int

  init(_ letters: [UInt32]) {
    self.letters = letters
    signature = letters.reduce(0) { $0 | 1 << UInt64($1 & 63) }
    errorsAllowed = TypingErrors.forgiven(in: letters)
  }

  /// How well this word of a query matches a word of a text, in points; `nil` when it does not.
  ///
  /// | the query's word is | points |
  /// |---|---|
  /// | the word | 0 |
  /// | its beginning | 1 |
  /// | inside it, from 4 letters, none of them a digit | 2 |
  /// | the word with 1 error, 2 errors | 3, 5 |
  /// | its beginning with 1 error, 2 errors, but the right first letter | 4, 6 |
  func points(in word: SearchWord, _ errors: inout TypingErrors) -> Int? {
    // Every letter that the word does not have is an error at least.
    let missing = (signature & ~word.signature).nonzeroBitCount
    guard missing <= errorsAllowed, word.letters.count + errorsAllowed >= letters.count else {
      return nil
    }
    if missing == 0 {
      if word.letters.starts(with: letters) {
        return word.letters.count == letters.count ? 0 : 1
      }
      // Nothing with digits: 2345 is another number than 12345.
      if errorsAllowed > 0, isInside(word) { return 2 }
    }
    guard errorsAllowed > 0 else { return nil }
    let sharesStart = letters[0] == word.letters[0]
    guard sharesStart || word.letters.count <= letters.count + errorsAllowed else { return nil }
    let count = errors.count(typed: letters, word: word.letters, limit: errorsAllowed)
    let whole = count.whole.map { 1 + 2 * $0 }
    let beginning = sharesStart ? count.beginning.map { 2 + 2 * $0 } : nil
    return [whole, beginning].compactMap(\.self).min()
  }

  private func isInside(_ word: SearchWord) -> Bool {
    guard word.letters.count > letters.count else { return false }
    return (1...word.letters.count - letters.count).contains { start in
      word.letters[start] == letters[0] && word.letters[start...].starts(with: letters)
    }
  }
}
