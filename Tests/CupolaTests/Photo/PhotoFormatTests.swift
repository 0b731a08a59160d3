import Testing

@testable import Cupola

@Suite("Photo format") struct PhotoFormatTests {
  static func bytes(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

  @Test(
    "A format is known by its first bytes",
    arguments: [
      ("", PhotoFormat.empty), ("\u{FF}\u{D8}", .jpeg), ("\u{FF}\u{D8}\u{FF}\u{E0}", .jpeg),
      ("\u{89}PNG\r\n\u{1A}\n", .png), ("GIF87a", .gif), ("GIF89a", .gif),
      ("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ", .webp), ("\0\0\0\u{1C}ftypavif", .avif),
      ("\0\0\0\u{1C}ftypheic", .heic), ("\0\0\0\u{1C}ftypheix", .heic),
      ("\0\0\0\u{1C}ftyphevc", .heic), ("\0\0\0\u{1C}ftypmif1", .heic), ("II*\0\0\0\0\0", .tiff),
      ("MM\0*\0\0\0\0", .tiff), ("%PDF-1.7", .pdf), ("\u{FF}\u{A}\0", .jpegXL),
      ("\0\0\0\u{C}JXL \r\n\u{87}\n", .jpegXL), ("<html>404</html>", .text), ("a\tb\n", .text),
      ("RIFF\u{1}\u{2}\u{3}\u{4}WAVE", .unknown), ("\0\0\0\u{1C}ftypmp42", .unknown),
      ("\0", .unknown), ("\u{7F}ELF", .unknown), ("\u{1}\u{2}\u{3}", .unknown),
    ])
  func signatures(text: String, format: PhotoFormat) {
    #expect(PhotoFormat(of: Self.bytes(text)) == format)
  }

  @Test("A bitmap is told from text that begins with its letters")
  func bitmap() {
    #expect(PhotoFormat(of: Self.bytes("BM") + [UInt8](repeating: 0, count: 52)) == .bmp)
    #expect(PhotoFormat(of: Self.bytes("BMW")) == .text)
  }

  @Test("Text in any language is text")
  func languages() { #expect(PhotoFormat(of: Array("Библиотека – bibliothèque".utf8)) == .text) }

  @Test("Bytes that are no UTF-8 are no text")
  func notUTF8() {
    #expect(PhotoFormat(of: [0xFF]) == .unknown)
    #expect(PhotoFormat(of: Array("caf".utf8) + [0xE9, 0x20]) == .unknown)
  }

  @Test("Long text is text wherever the cut goes through a character", arguments: 0..<4)
  func longText(lead: Int) {
    let text = String(repeating: "x", count: lead) + String(repeating: "\u{1F3DB}", count: 300)
    #expect(PhotoFormat(of: Array(text.utf8)) == .text)
  }

  @Test("Every format but JPEG is refused in a sentence that names or explains it")
  func advice() {
    let formats: [PhotoFormat] = [
      .empty, .png, .gif, .webp, .heic, .avif, .tiff, .bmp, .pdf, .jpegXL, .text, .unknown,
    ]
    let sentences = formats.map { CupolaError.unsupportedFormat($0).message }
    #expect(Set(sentences).count == formats.count)
    #expect(sentences.allSatisfy { !$0.isEmpty && !$0.contains("\n") })
    #expect(CupolaError.unsupportedFormat(.heic).message.contains("HEIC"))
    #expect(CupolaError.unsupportedFormat(.webp).message.contains("WebP"))
  }
}
