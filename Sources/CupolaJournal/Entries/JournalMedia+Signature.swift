extension JournalMedia {
  /// Whether a file begins as files of its extension do, so that nothing else is kept under a photo's name.
  static func fits(_ start: some Collection<UInt8>, _ fileExtension: String) -> Bool {
    let bytes = Array(start.prefix(16))
    func has(_ text: StaticString, at place: Int = 0) -> Bool {
      let wanted = Array("\(text)".utf8)
      return bytes.count >= place + wanted.count
        && Array(bytes[place..<(place + wanted.count)]) == wanted
    }
    return switch fileExtension {
    case "jpg", "jpeg": bytes.starts(with: [0xFF, 0xD8, 0xFF])
    case "png": bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    case "webp": has("RIFF") && has("WEBP", at: 8)
    case "wav": has("RIFF") && has("WAVE", at: 8)
    case "avif", "heic", "m4a": has("ftyp", at: 4)
    case "ogg", "opus": has("OggS")
    case "flac": has("fLaC")
    case "caf": has("caff")
    case "mp3": has("ID3") || isSynchronized(bytes, 0xE0)
    case "aac": isSynchronized(bytes, 0xF0)
    default: false
    }
  }

  /// Whether it begins with the bits that frames of MPEG audio begin with.
  private static func isSynchronized(_ bytes: [UInt8], _ mask: UInt8) -> Bool {
    bytes.count >= 2 && bytes[0] == 0xFF && bytes[1] & mask == mask
  }
}
