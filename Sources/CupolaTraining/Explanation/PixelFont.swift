/// The letters of captions in pictures: ASCII, 5 columns wide, capitals 7 rows high and 9 with what
/// hangs below the line. Latin letters with accents lose them; anything else is a box.
enum PixelFont {
  /// Columns from one letter to the next.
  static let advance = 6
  /// Rows of a line of text, without space between lines.
  static let height = 9

  /// Whether all of a text can be drawn without boxes.
  static func covers(_ text: String) -> Bool { text.allSatisfy { base($0) != nil } }

  /// The dots of a letter, row by row from the top; each row has 5 bits, the highest to the left.
  static func rows(of character: Character) -> [UInt8] {
    base(character).flatMap { drawn[$0] } ?? box
  }

  /// The letter itself where it is ASCII, or without its accents.
  private static func base(_ character: Character) -> Character? {
    if drawn[character] != nil { return character }
    // Decomposed letters begin with the plain one; composed ones have it in their name.
    guard let scalar = character.unicodeScalars.first else { return nil }
    let plain = Character(scalar)
    if drawn[plain] != nil, character.unicodeScalars.dropFirst().allSatisfy(isMark) { return plain }
    let words = scalar.properties.name?.split(separator: " ") ?? []
    guard words.count > 4, words[0] == "LATIN", words[2] == "LETTER", words[4] == "WITH",
      words[3].count == 1
    else { return nil }
    return Character(words[1] == "SMALL" ? words[3].lowercased() : String(words[3]))
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .nonspacingMark
  }

  private static let box: [UInt8] = [31, 17, 17, 17, 17, 17, 31]

  private static let drawn: [Character: [UInt8]] = Dictionary(
    uniqueKeysWithValues: PixelGlyphs.text.split(separator: "\n").compactMap { line in
      guard let letter = line.first else { return nil }
      let rows = line.dropFirst().split(separator: " ").map { row in
        row.reduce(UInt8(0)) { $0 << 1 | ($1 == "#" ? 1 : 0) }
      }
      return (letter, rows)
    })
}
