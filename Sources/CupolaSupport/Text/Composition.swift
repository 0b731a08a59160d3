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
