// 1. Classify each scalar as letters, a whole word, a gap or ignorable.
// 2. Convert letters to lowercase and remove accents, using their Unicode names.
// 3. Compose a letter with the next one if Unicode has a single scalar for both (`Composition`).
// 4. Collect the letters between gaps into words.

/// Normalizes text for search: removes case, accents and punctuation.
///
/// `É`, `Ł`, `ơ`, `ά` and `ё` become `e`, `l`, `o`, `α` and `е`. `ß`, `æ`, `œ` and `þ` become `ss`, `ae`, `oe` and
/// `th`. `I`, `İ` and `ı` become `i`. Digits in any script become 0 to 9. Apostrophes are removed, so `John's` is one
/// word. Each ideograph is a word, because Chinese and Japanese do not separate words. All other characters separate
/// words. Kana, Korean and Indic letters give the same words in composed (NFC) and decomposed (NFD) form.
package struct Folding {
  private enum Part {
    case letters([UInt32])
    case word(UInt32)
    case nothing
    case gap
  }

  /// A cache, because looking up Unicode names is slow.
  private var known: [Unicode.Scalar: Part] = [:]

  package init() {}

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

  private static func letters(_ scalar: Unicode.Scalar) -> [UInt32] {
    let properties = scalar.properties
    if properties.numericType == .decimal, let digit = properties.numericValue {
      return [UInt32(digit) + 0x30]
    }
    if isAccent(properties.canonicalCombiningClass) { return [] }
    guard !scalar.isASCII, let name = properties.name else { return [scalar.value] }
    return bases[baseName(name)] ?? [scalar.value]
  }

  /// False for vowel signs, and for marks that turn a consonant into another (class 0; in Telugu class 91).
  private static func isAccent(_ mark: Unicode.CanonicalCombiningClass) -> Bool {
    switch mark {
    case .notReordered, .nukta, .kanaVoicing, .virama: false
    default: mark.rawValue != 91
    }
  }

  /// Removes modifiers: "LATIN SMALL LETTER O WITH STROKE AND ACUTE" becomes "LATIN SMALL LETTER O".
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

  private static let bases: [String: [UInt32]] = {
    var bases: [String: [UInt32]] = [:]
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

  /// Letters whose usual replacement is not part of their Unicode name.
  private static let others: [(Unicode.Scalar, String)] = [
    ("ß", "ss"), ("æ", "ae"), ("œ", "oe"), ("ð", "d"), ("þ", "th"), ("ı", "i"), ("ŋ", "n"),
    ("ſ", "s"), ("ĳ", "ij"), ("ﬁ", "fi"), ("ﬂ", "fl"), ("ς", "σ"), ("ё", "е"), ("й", "и"),
    ("ї", "і"), ("ў", "у"), ("ѓ", "г"), ("ќ", "к"),
  ]
}

/// Composes two scalars into one, so that NFC and NFD text gives the same words.
///
/// Handles only marks that ``Folding`` does not remove: Korean syllables, consonant marks (Indic nukta, voiced kana)
/// and two-part vowels.
enum Composition {
  /// Returns the scalar that is composed of a letter and the next scalar; `nil` if there is none.
  static func sign(_ letter: UInt32, _ next: UInt32) -> UInt32? {
    // Fast path: the scalars that can be composed have higher values than the letters in most texts.
    guard next >= 0x93C else { return nil }
    if jamo.contains(next) { return syllable(letter, next) }
    guard seconds.contains(next) else { return nil }
    return signs[text(letter, next)]
  }

  // MARK: - Korean

  private static let jamo = 0x1161...0x11C2 as ClosedRange<UInt32>

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

  /// Composed scalars. Canonically equivalent Swift strings are equal, so decomposed text is a valid key too.
  private static let signs: [String: UInt32] = {
    let signs = scripts.joined().compactMap(Unicode.Scalar.init)
    return Dictionary(signs.map { (String($0), $0.value) }) { first, _ in first }
  }()

  /// Scalars that can follow a letter in a composed scalar.
  private static let seconds: Set<UInt32> = [
    // Nukta.
    0x93C, 0x9BC, 0xA3C, 0xB3C,
    // Second parts of vowels.
    0x9BE, 0x9D7, 0xB3E, 0xB56, 0xB57, 0xBBE, 0xBD7, 0xC56, 0xCC2, 0xCD5, 0xCD6, 0xD3E, 0xD57,
    0xDCA, 0xDCF, 0xDDF, 0x102E, 0x1B35,
    // Tibetan aspirated consonants.
    0xFB5, 0xFB7,
    // Voiced kana.
    0x3099, 0x309A,
  ]

  private static func text(_ scalars: UInt32...) -> String {
    String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init)))
  }
}
