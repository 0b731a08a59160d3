/// Counts errors in typing: a letter too many, too few or wrong, or two neighbors swapped.
///
/// The restricted Damerau-Levenshtein distance, also called optimal string alignment (Damerau 1964;
/// Wagner and Fischer 1974): no letter is changed twice. Only the band of the table that few errors can
/// reach is filled in (Ukkonen 1985). The table's rows are kept between calls.
package struct TypingErrors {
  private var last: [Int] = []
  private var beforeLast: [Int] = []
  private var row: [Int] = []

  /// Nothing was counted yet.
  package init() {}

  /// How many are forgiven in a word that was typed: 1 from 4 letters, 2 from 8; none in numbers, where every digit counts.
  package static func forgiven(in typed: [UInt32]) -> Int {
    let hasDigit = typed.contains { (0x30...0x39).contains($0) }
    return hasDigit || typed.count < 4 ? 0 : typed.count < 8 ? 1 : 2
  }

  /// The fewest errors that turn what was typed into the whole word, and into the best beginning of
  /// it; `nil` where that takes more than `limit`.
  package mutating func count(
    typed: [UInt32], word: [UInt32], limit: Int
  ) -> (whole: Int?, beginning: Int?) {
    // Letters further on cannot belong to a beginning within the limit.
    let columns = min(word.count, typed.count + limit)
    let tooMany = limit + 1
    start(columns: columns, tooMany: tooMany)
    for letter in typed.indices {
      (beforeLast, last, row) = (last, row, beforeLast)
      let low = max(1, letter + 1 - limit)
      let high = min(columns, letter + 1 + limit)
      guard low <= high else { return (nil, nil) }
      // To the left of the band are the letters that were typed too much.
      row[low - 1] = low == 1 ? min(letter + 1, tooMany) : tooMany
      var least = row[low - 1]
      for column in low...high {
        let isSame = typed[letter] == word[column - 1]
        var errors = min(
          last[column] + 1, row[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
        if letter > 0, column > 1, typed[letter] == word[column - 2],
          typed[letter - 1] == word[column - 1]
        {
          errors = min(errors, beforeLast[column - 2] + 1)
        }
        row[column] = min(errors, tooMany)
        least = min(least, errors)
      }
      // The next row reaches one further.
      if high < columns { row[high + 1] = tooMany }
      // A swap reaches two rows back, but never to fewer errors than the row between has.
      if least > limit { return (nil, nil) }
    }
    let whole = columns == word.count ? row[columns] : tooMany
    let beginning = row[max(0, typed.count - limit)...columns].min() ?? tooMany
    return (whole <= limit ? whole : nil, beginning <= limit ? beginning : nil)
  }

  /// The row before any letter: as many errors as letters are missing.
  private mutating func start(columns: Int, tooMany: Int) {
    if row.count <= columns {
      let blank = [Int](repeating: 0, count: columns + 1)
      (last, beforeLast, row) = (blank, blank, blank)
    }
    for column in 0...columns { row[column] = min(column, tooMany) }
  }
}
