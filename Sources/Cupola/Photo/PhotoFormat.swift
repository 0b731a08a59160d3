/// What kind of file some bytes are, whatever the file is called.
public enum PhotoFormat: String, Sendable {
  case empty, jpeg, png, gif, webp, heic, avif, tiff, bmp, pdf, jpegXL, text, unknown

  /// Recognizes a format by its first bytes.
  public init(of bytes: [UInt8]) {
    func starts(_ prefix: [UInt8]) -> Bool { bytes.starts(with: prefix) }
    func holds(_ text: StaticString, at offset: Int) -> Bool {
      let wanted = Array("\(text)".utf8)
      return bytes.count >= offset + wanted.count
        && bytes[offset..<offset + wanted.count].elementsEqual(wanted)
    }
    if bytes.isEmpty {
      self = .empty
    } else if starts([0xFF, 0xD8]) {
      self = .jpeg
    } else if starts([0x89, 0x50, 0x4E, 0x47]) {
      self = .png
    } else if holds("GIF8", at: 0) {
      self = .gif
    } else if holds("RIFF", at: 0), holds("WEBP", at: 8) {
      self = .webp
    } else if holds("ftypavif", at: 4) {
      self = .avif
    } else if ["ftyphei", "ftyphev", "ftypmif1", "ftypmsf1"].contains(where: { holds($0, at: 4) }) {
      self = .heic
    } else if starts([0x49, 0x49, 0x2A, 0]) || starts([0x4D, 0x4D, 0, 0x2A]) {
      self = .tiff
    } else if holds("BM", at: 0), bytes.count > 26 {
      self = .bmp
    } else if holds("%PDF", at: 0) {
      self = .pdf
    } else if starts([0xFF, 0x0A]) || holds("JXL ", at: 4) {
      self = .jpegXL
    } else {
      self = Self.looksLikeText(bytes) ? .text : .unknown
    }
  }

  private static func looksLikeText(_ bytes: [UInt8]) -> Bool {
    let start = bytes.prefix(512)
    guard start.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }) else {
      return false
    }
    // The cut after 512 bytes may go through a character.
    let cuts = start.count < bytes.count ? 0...3 : 0...0
    return cuts.contains { String(validating: start.dropLast($0), as: UTF8.self) != nil }
  }
}
