// 1. Each scalar becomes letters, a whole word, nothing or a gap between words.
// 2. Letters are converted to lower case and lose their accents, by their Unicode names.
// 3. `Composition` joins a letter with the next one where Unicode also has both as one sign.
// 4. The letters between two gaps become a word.

/// Brings a text to the words that a search compares: without case, accents and punctuation.
///
/// Letters are those of Unicode's lower case without combining marks (`É`, `Ł`, `ơ`, `ά`, `ё` are
/// `e`, `l`, `o`, `α`, `е`); `ß`, `æ`, `œ`, `þ` are `ss`, `ae`, `oe`, `th`; `I`, `İ` and `ı` are `i`;
/// digits of all scripts are 0 to 9. Apostrophes are left out, so that `John's` is one word, and each
/// ideograph is a word, as Chinese and Japanese put no blanks between them. Everything else parts
/// words. Kana, Korean syllables and Indic letters have the same words in one sign or in several, as some systems take
/// them apart (Unicode's NFD).
package struct Folding {
  /// What a scalar is for a search.
  private enum Part {
    case letters([UInt32])
    case word(UInt32)
    case nothing
    case gap
  }

  /// Names of scalars take long to look up, and texts repeat theirs.
  private var known: [Unicode.Scalar: Part] = [:]

  package init() {}

  /// The words of a text, in its order.
  package mutating func words(of text: String) -> [[UInt32]] {
    var words: [[UInt32]] = []
    var word: [UInt32] = []
    func end() {
      if !word.isEmpty { words.append(word) }
      word = []
    }
    for scalar in text.unicodeScalars {
      switch part(scalar) {
      case .letters(let letters):
        if let last = word.last, let sign = Composition.sign(last, letters[0]) {
          word[word.count - 1] = sign
        } else {
          word += letters
        }
      case .nothing: continue
      case .gap: end()
      case .word(let ideograph):
        end()
        words.append([ideograph])
      }
    }
    end()
    return words
  }

  private mutating func part(_ scalar: Unicode.Scalar) -> Part {
    if let part = known[scalar] { return part }
    let part = Folding.part(scalar)
    known[scalar] = part
    return part
  }

  private static func part(_ scalar: Unicode.Scalar) -> Part {
    let properties = scalar.properties
    if apostrophes.contains(scalar) || properties.generalCategory == .format { return .nothing }
    if properties.isIdeographic { return .word(scalar.value) }
    guard isPartOfWord(scalar) else { return .gap }
    let letters = properties.lowercaseMapping.unicodeScalars.flatMap(letters)
    return letters.isEmpty ? .nothing : .letters(letters)
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber: true
    default: scalar.properties.isAlphabetic
    }
  }

  /// A scalar of lower case without its marks.
  private static func letters(_ scalar: Unicode.Scalar) -> [UInt32] {
    let properties = scalar.properties
    if properties.numericType == .decimal, let digit = properties.numericValue {
      return [UInt32(digit) + 0x30]
    }
    if isAccent(properties.canonicalCombiningClass) { return [] }
    guard !scalar.isASCII, let name = properties.name else { return [scalar.value] }
    return bases[baseName(name)] ?? [scalar.value]
  }

  /// Marks that a reader can do without; not those that make another consonant (Indic nukta and
  /// virama, voiced kana), nor vowels, which do not reorder but in Telugu (class 91).
  private static func isAccent(_ mark: Unicode.CanonicalCombiningClass) -> Bool {
    switch mark {
    case .notReordered, .nukta, .kanaVoicing, .virama: false
    default: mark.rawValue != 91
    }
  }

  /// "LATIN SMALL LETTER O WITH STROKE AND ACUTE" is "LATIN SMALL LETTER O" and two marks.
  private static func baseName(_ name: String) -> String {
    let wide = "FULLWIDTH "
    var words = (name.hasPrefix(wide) ? name.dropFirst(wide.count) : name[...])
      .split(separator: " ")
    if let mark = words.firstIndex(of: "WITH") { words.removeSubrange(mark...) }
    return words.joined(separator: " ")
  }

  private static let apostrophes: Set<Unicode.Scalar> = [
    "'", "\u{2019}", "\u{2018}", "\u{02BB}", "\u{02BC}", "`", "\u{00B4}",
  ]

  /// The letters that names with marks lead back to, by name.
  private static let bases: [String: [UInt32]] = {
    var bases: [String: [UInt32]] = [:]
    // Latin, Greek, Cyrillic, Arabic.
    for range in [0x61...0x7A, 0x3B1...0x3C9, 0x430...0x45F, 0x627...0x64A] as [ClosedRange<UInt32>]
    {
      for scalar in range.compactMap(Unicode.Scalar.init) {
        if let name = scalar.properties.name { bases[name] = [scalar.value] }
      }
    }
    for (letter, letters) in others {
      if let name = letter.properties.name { bases[name] = letters.unicodeScalars.map(\.value) }
    }
    return bases
  }()

  /// Letters whose names do not say what people type for them.
  private static let others: [(Unicode.Scalar, String)] = [
    ("ß", "ss"), ("æ", "ae"), ("œ", "oe"), ("ð", "d"), ("þ", "th"), ("ı", "i"), ("ŋ", "n"),
    ("ſ", "s"), ("ĳ", "ij"), ("ﬁ", "fi"), ("ﬂ", "fl"), ("ς", "σ"), ("ё", "е"), ("й", "и"),
    ("ї", "і"), ("ў", "у"), ("ѓ", "г"), ("ќ", "к"),
  ]
}

/// Puts signs together that Unicode also has as one, so that a text folds alike in either form.
///
/// Accents need none of it: ``Folding`` leaves them out. What it keeps are the parts of Korean syllables, marks that make
/// another consonant (Indic nukta, voiced kana), and vowels of two parts.
enum Composition {
  /// The one sign for a letter and what follows it; `nil` where there is none.
  static func sign(_ letter: UInt32, _ next: UInt32) -> UInt32? {
    // All that can follow stand behind the letters of most texts.
    guard next >= 0x93C else { return nil }
    if jamo.contains(next) { return syllable(letter, next) }
    guard seconds.contains(next) else { return nil }
    return signs[text(letter, next)]
  }

  // MARK: - Korean

  /// The vowels and last consonants of syllables.
  private static let jamo = 0x1161...0x11C2 as ClosedRange<UInt32>

  /// Syllables stand in the order of their first consonant, vowel and last consonant (Unicode, 3.12).
  private static func syllable(_ letter: UInt32, _ next: UInt32) -> UInt32? {
    let (vowels, lasts): (UInt32, UInt32) = (21, 28)
    switch (letter, next) {
    case (0x1100...0x1112, 0x1161...0x1175):
      return 0xAC00 + ((letter - 0x1100) * vowels + next - 0x1161) * lasts
    case (0xAC00...0xD7A3, 0x11A8...0x11C2) where (letter - 0xAC00).isMultiple(of: lasts):
      return letter + next - 0x11A7
    default: return nil
    }
  }

  // MARK: - Marks

  /// Indic scripts, Tibetan and Myanmar, Balinese, and kana.
  private static let scripts: [ClosedRange<UInt32>] = [
    0x900...0x109F, 0x1B00...0x1B7F, 0x3040...0x30FF,
  ]

  /// By all of their forms: texts are equal in Swift where they are canonically equivalent.
  private static let signs: [String: UInt32] = {
    let signs = scripts.joined().compactMap(Unicode.Scalar.init)
    return Dictionary(signs.map { (String($0), $0.value) }) { first, _ in first }
  }()

  /// What may follow a letter in it.
  private static let seconds: Set<UInt32> = [
    // Nukta.
    0x93C, 0x9BC, 0xA3C, 0xB3C,
    // The second parts of vowels.
    0x9BE, 0x9D7, 0xB3E, 0xB56, 0xB57, 0xBBE, 0xBD7, 0xC56, 0xCC2, 0xCD5, 0xCD6, 0xD3E, 0xD57,
    0xDCA, 0xDCF, 0xDDF, 0x102E, 0x1B35,
    // Aspirated consonants of Tibetan.
    0xFB5, 0xFB7,
    // Voiced kana.
    0x3099, 0x309A,
  ]

  private static func text(_ scalars: UInt32...) -> String {
    String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init)))
  }
}
