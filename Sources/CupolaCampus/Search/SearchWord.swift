internal import CupolaSupport

// 1. `Vocabulary` stores each word in the catalog once, with the buildings and fields that contain it.
// 2. A query word is compared with each of them. Signatures quickly exclude most words (`SearchWord`).
// 3. Typing errors in the remaining words are counted (`TypingErrors`).
// 4. Each building gets the points of its best word.

/// A normalized word. Its signature makes most comparisons unnecessary.
struct SearchWord: Hashable, Sendable {
  /// Unicode scalars after ``Folding``; never empty.
  let letters: [UInt32]
  /// The set of letters, as a bit mask of scalars modulo 64.
  let signature: UInt64
  let errorsAllowed: Int

  init(_ letters: [UInt32]) {
    self.letters = letters
    signature = letters.reduce(0) { $0 | 1 << UInt64($1 & 63) }
    errorsAllowed = TypingErrors.forgiven(in: letters)
  }

  /// Returns the points if this query word matches a catalog word, otherwise `nil`. See ``BuildingIndex``.
  func points(in word: SearchWord, _ errors: inout TypingErrors) -> Int? {
    // Each missing letter is at least one typing error.
    let missing = (signature & ~word.signature).nonzeroBitCount
    guard missing <= errorsAllowed, word.letters.count + errorsAllowed >= letters.count else {
      return nil
    }
    if missing == 0 {
      if word.letters.starts(with: letters) {
        return word.letters.count == letters.count ? 0 : 1
      }
      // Only for words without digits: 2345 is not part of 12345.
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

/// An inverted index: each word in the catalog with its occurrences.
struct Vocabulary: Sendable {
  /// Marks a building that does not match the query.
  static let notFound = Int32.max

  private struct Place {
    let building: Int32
    let field: Criterion.Field
  }

  private let words: [SearchWord]
  /// Word `i` has the occurrences `places[starts[i]..<starts[i + 1]]`.
  private let starts: [Int]
  private let places: [Place]
  private let buildingCount: Int

  init(_ buildings: [Building], _ folding: inout Folding) {
    var numbers: [[UInt32]: Int] = [:]
    var words: [SearchWord] = []
    var places: [[Place]] = []
    for (index, building) in buildings.enumerated() {
      for (field, texts) in building.words(&folding) {
        for text in Set(texts) {
          let place = Place(building: Int32(index), field: field)
          if let number = numbers[text] {
            places[number].append(place)
          } else {
            numbers[text] = words.count
            words.append(SearchWord(text))
            places.append([place])
          }
        }
      }
    }
    self.words = words
    starts = places.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
    self.places = places.flatMap(\.self)
    buildingCount = buildings.count
  }

  /// Adds a query word's points to each building. Buildings without the word become `notFound`.
  func add(_ query: SearchWord, in fields: Set<Criterion.Field>, to points: inout [Int32]) {
    var best = [Int32](repeating: Vocabulary.notFound, count: buildingCount)
    var errors = TypingErrors()
    let allowed = Criterion.Field.allCases.map(fields.contains)
    for (number, word) in words.enumerated() {
      guard let cost = query.points(in: word, &errors) else { continue }
      for place in places[starts[number]..<starts[number + 1]] {
        guard allowed[Int(place.field.rawValue)], cost < 2 || place.field.forgivesErrors else {
          continue
        }
        let index = Int(place.building)
        best[index] = min(best[index], Int32(cost) + place.field.points)
      }
    }
    for index in points.indices where points[index] != Vocabulary.notFound {
      points[index] =
        best[index] == Vocabulary.notFound ? Vocabulary.notFound : points[index] + best[index]
    }
  }
}

/// Counts typing errors: inserted, missing or wrong letters, and swapped adjacent letters.
///
/// Restricted Damerau-Levenshtein distance (Damerau 1964; Wagner and Fischer 1974) within a band (Ukkonen 1985).
package struct TypingErrors {
  private var last: [Int] = []
  private var beforeLast: [Int] = []
  private var row: [Int] = []

  package init() {}

  /// Returns the number of errors allowed: 1 for 4 or more letters, 2 for 8 or more, and 0 if the word has a digit.
  package static func forgiven(in typed: [UInt32]) -> Int {
    let hasDigit = typed.contains { (0x30...0x39).contains($0) }
    return hasDigit || typed.count < 4 ? 0 : typed.count < 8 ? 1 : 2
  }

  /// Returns the errors between the typed text and the whole word, and those for the best-matching start of the word;
  /// `nil` if above `limit`.
  package mutating func count(
    typed: [UInt32], word: [UInt32], limit: Int
  ) -> (whole: Int?, beginning: Int?) {
    let columns = min(word.count, typed.count + limit)
    let tooMany = limit + 1
    start(columns: columns, tooMany: tooMany)
    for letter in typed.indices {
      (beforeLast, last, row) = (last, row, beforeLast)
      let low = max(1, letter + 1 - limit)
      let high = min(columns, letter + 1 + limit)
      guard low <= high else { return (nil, nil) }
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
      if high < columns { row[high + 1] = tooMany }
      // A swap uses the row before the last, but its cost is never below the last row's minimum.
      if least > limit { return (nil, nil) }
    }
    let whole = columns == word.count ? row[columns] : tooMany
    let beginning = row[max(0, typed.count - limit)...columns].min() ?? tooMany
    return (whole <= limit ? whole : nil, beginning <= limit ? beginning : nil)
  }

  private mutating func start(columns: Int, tooMany: Int) {
    if row.count <= columns {
      let blank = [Int](repeating: 0, count: columns + 1)
      (last, beforeLast, row) = (blank, blank, blank)
    }
    for column in 0...columns { row[column] = min(column, tooMany) }
  }
}
