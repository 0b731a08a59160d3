import Testing

@testable import CupolaTraining

@Suite("Pixel font") struct PixelFontTests {
  private static let ascii = (32...126).map { Character(Unicode.Scalar(UInt8($0))) }

  @Test("Every letter of ASCII has a drawing of its own that fits")
  func ascii() {
    let drawings = Self.ascii.map { PixelFont.rows(of: $0) }
    #expect(Set(drawings).count == 95)
    #expect(drawings.allSatisfy { $0.count <= PixelFont.height && $0.allSatisfy { $0 < 32 } })
    #expect(drawings[0].allSatisfy { $0 == 0 })
    #expect(drawings.dropFirst().allSatisfy { $0.contains { $0 != 0 } })
    // An L: a column, then a row.
    #expect(PixelFont.rows(of: "L") == [16, 16, 16, 16, 16, 16, 31])
  }

  @Test(
    "Accents are left out, composed or not",
    arguments: [
      ("ä", "a"), ("É", "E"), ("ł", "l"), ("Ø", "O"), ("e\u{301}", "e"), ("ế", "e"),
    ] as [(Character, Character)])
  func accents(letter: Character, plain: Character) {
    #expect(PixelFont.rows(of: letter) == PixelFont.rows(of: plain))
  }

  @Test("Anything else is a box", arguments: ["λ", "图", "ß", "🏛️", "\n", "\u{1B}"] as [Character])
  func box(letter: Character) {
    #expect(PixelFont.rows(of: letter) == [31, 17, 17, 17, 17, 17, 31])
    #expect(!PixelFont.covers("Hall \(letter)") && PixelFont.covers("Aula Größe".dropLast(2) + ""))
  }
}
