import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaCampus
@testable import CupolaSupport

@Suite("Folding") struct FoldingTests {
  @Test(
    "Ignores case, accents and punctuation",
    arguments: [
      ("Old Library", "old library"), ("  Old--Library. ", "old library"), ("", ""), ("?!", ""),
      ("Straße STRASSE ẞ", "strasse strasse ss"), ("Łódź", "lodz"), ("Ærø Œuvre", "aero oeuvre"),
      ("Þórður Đorđe", "thordur dorde"), ("Ελλάδα ΕΛΛΆΔΑ", "ελλαδα ελλαδα"),
      ("Σίσυφος ΣΊΣΥΦΟΣ", "σισυφοσ σισυφοσ"), ("ἀρχαῖος", "αρχαιοσ"),
      ("İstanbul ISTANBUL ıstanbul", "istanbul istanbul istanbul"), ("Çağ Ğ", "cag g"),
      ("Ёлка елка Йод", "елка елка иод"), ("Київ Україна", "киів украіна"),
      ("Trường Đại học", "truong dai hoc"), ("Škoda ČŘŽ", "skoda crz"), ("ﬁnance", "finance"),
      ("café cafe\u{301}", "cafe cafe"), ("A\u{30A}ngström Ångström", "angstrom angstrom"),
      ("John's O’Brien Hawaiʻi", "johns obrien hawaii"), ("Co-op B-12/3", "co op b 12 3"),
      ("Ｌｉｂｒａｒｙ１２", "library12"), ("٣ ३ 3", "3 3 3"), ("أحمد احمد", "احمد احمد"),
      ("الجَامِعَة", "الجامعة"), ("שָׁלוֹם", "שלום"),
      ("soft\u{AD}hyphen zero\u{200D}width", "softhyphen zerowidth"),
      ("東北大学 図書館", "東 北 大 学 図 書 館"), ("도서관", "도서관"), ("हिन्दी भवन", "हिन्दी भवन"),
      ("ライブラリー", "ライブラリー"), ("🏛 Museum 🏛", "museum"), ("a_b", "a b"), ("C₂", "c"),
    ])
  func words(text: String, expected: String) {
    #expect(NaiveSearch.words(text).joined(separator: " ") == expected)
  }

  @Test(
    "Composed and decomposed signs are equal",
    arguments: [
      "ガリレオ", "ぱぴ ヴ ゞ", "한국어관 대학교", "क़िला ऩ", "গো ড়", "கொடு", "ക്ലോ", "ತೋ", "డై", "ဦး", "བླའི་གྷ",
    ])
  func parts(text: String) {
    var folding = Folding()
    let words = folding.words(of: text.precomposedStringWithCanonicalMapping)
    #expect(words == folding.words(of: text.decomposedStringWithCanonicalMapping))
  }

  @Test("A Korean syllable is one letter")
  func syllables() {
    var folding = Folding()
    for sign in stride(from: UInt32(0xAC00), through: 0xD7A3, by: 13) {
      let text = String(String.UnicodeScalarView([sign].compactMap(Unicode.Scalar.init)))
      #expect(folding.words(of: text.decomposedStringWithCanonicalMapping) == [[sign]])
    }
  }

  @Test("Composed and decomposed accents are equal")
  func forms() {
    // Characters are equal if canonically equivalent.
    var signs: [Character: String] = [:]
    for scalar in (UInt32(0xC0)..<0x1F00).compactMap(Unicode.Scalar.init) {
      signs[Character(scalar)] = String(Character(scalar))
    }
    let marks: [Unicode.Scalar] = [
      "\u{300}", "\u{301}", "\u{302}", "\u{303}", "\u{304}", "\u{306}", "\u{307}", "\u{308}",
      "\u{30A}", "\u{30B}", "\u{30C}", "\u{31B}", "\u{323}", "\u{327}", "\u{328}",
    ]
    var compared = 0
    for letter in "abcdefghijklmnopqrstuvwxyzαεηιουωаеиу" {
      for mark in marks {
        let pair = String(letter) + String(Character(mark))
        #expect(NaiveSearch.words(pair) == [String(letter)])
        guard let sign = signs[Character(pair)] else { continue }
        #expect(NaiveSearch.words(sign) == [String(letter)], "\(sign)")
        #expect(NaiveSearch.words(sign.uppercased()) == [String(letter)], "\(sign)")
        compared += 1
      }
    }
    #expect(compared > 150)
  }
}
