internal import CupolaSupport

// Find metadata that programs store in other forms than an EXIF block:
// 1. `PNGTexts` returns the EXIF block and the XMP packet of a PNG file, and decompresses text chunks.
// 2. `XMPPacket` returns the time and the position in an XMP packet.

enum PNGTexts {
  /// The keywords under which exiv2, exiftool, and ImageMagick store an EXIF block as hexadecimal text.
  static let profiles = ["Raw profile type exif", "Raw profile type APP1"]
  private static let packet = "XML:com.adobe.xmp"
  private static let longest = 4 << 20
  /// The maximum number of texts to decompress; other programs write one.
  private static let most = 4

  /// Returns the TIFF block of the `eXIf` chunk, or of a text chunk.
  static func exif(in bytes: [UInt8]) -> [UInt8]? {
    if let chunk = PNGChunks.first("eXIf", in: bytes) { return EXIFReader.unmarked(chunk) }
    return texts(profiles, in: bytes).lazy.compactMap { profile($0) }.first
  }

  static func xmp(in bytes: [UInt8]) -> [UInt8]? { texts([packet], in: bytes).first }

  private static func texts(
    _ keywords: [String], in bytes: [UInt8]
  ) -> some Collection<[UInt8]> {
    let found = ["tEXt", "zTXt", "iTXt"].flatMap { kind in
      PNGChunks.all(kind, in: bytes).compactMap {
        chunk -> (kind: String, content: ArraySlice<UInt8>)? in
        // Keywords have at most 79 bytes (ISO/IEC 15948, 11.3.4).
        guard let end = chunk.prefix(80).firstIndex(of: 0),
          keywords.contains(String(decoding: chunk[..<end], as: UTF8.self))
        else { return nil }
        return (kind, chunk[(end + 1)...])
      }
    }
    return found.prefix(most).lazy.compactMap { text($0.content, $0.kind) }
  }

  private static func text(_ content: ArraySlice<UInt8>, _ kind: String) -> [UInt8]? {
    switch kind {
    case "tEXt": return Array(content)
    case "zTXt": return Inflate.content(ofStream: content.dropFirst(), limit: longest)
    default:
      // A flag and a method, the language, and the translated keyword precede the text.
      guard let language = content.dropFirst(2).firstIndex(of: 0),
        let title = content[(language + 1)...].firstIndex(of: 0)
      else { return nil }
      let text = content[(title + 1)...]
      return content.first == 0 ? Array(text) : Inflate.content(ofStream: text, limit: longest)
    }
  }

  /// Returns the TIFF block in a text of a name, a size, and hexadecimal digits, each on lines of its own.
  private static func profile(_ text: [UInt8]) -> [UInt8]? {
    let lines = text.split { $0 == 0x0A || $0 == 0x0D }
    guard lines.count > 2 else { return nil }
    let digits = lines.dropFirst(2).joined().filter { $0 != UInt8(ascii: " ") }
    guard let bytes = Hex.bytes(String(decoding: digits, as: UTF8.self).lowercased()) else {
      return nil
    }
    let block = EXIFReader.unmarked(bytes[...])
    return TIFFBlock(bytes: block) == nil ? nil : block
  }
}

/// An XMP packet (ISO 16684-1), which programs write next to an EXIF block or in place of one.
struct XMPPacket {
  private let bytes: [UInt8]
  private static let longest = 1 << 20

  /// The properties of the capture time, in order of preference.
  private static let times = [
    "exif:DateTimeOriginal", "photoshop:DateCreated", "exif:DateTimeDigitized", "xmp:CreateDate",
  ]

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes.prefix(Self.longest)) }

  var metadata: PhotoMetadata {
    var metadata = PhotoMetadata()
    for property in Self.times where metadata.captureTime == nil {
      metadata.setTime(value(property), offset: nil)
    }
    if let latitude = coordinate("exif:GPSLatitude", .latitude),
      let longitude = coordinate("exif:GPSLongitude", .longitude),
      !EXIFMeaning.isUnknown(latitude, longitude)
    {
      metadata.position = Position(latitude: latitude, longitude: longitude)
    }
    return metadata
  }

  /// Whether the packet contains a property, readable or not.
  func mentions(_ property: String) -> Bool { bytes.firstRange(of: Array(property.utf8)) != nil }

  /// Reads a coordinate such as `48,18.5N` or `48,18,30N`.
  private func coordinate(_ property: String, _ axis: EXIFMeaning.Axis) -> Double? {
    guard let text = value(property), let last = text.last else { return nil }
    let reference = last.isLetter ? String(last) : nil
    let parts = text.dropLast(reference == nil ? 0 : 1).split(separator: ",").map { Double($0) }
    let numbers = parts.compactMap { $0.flatMap { $0.isFinite ? $0 : nil } }
    return numbers.count == parts.count
      ? EXIFMeaning.coordinate(numbers, reference, axis) : nil
  }

  /// Returns the text of a property, which is an attribute or an element.
  private func value(_ property: String) -> String? {
    let name = Array(property.utf8)
    var rest = bytes[...]
    while let found = rest.firstRange(of: name) {
      rest = rest[found.upperBound...]
      let isEnd = found.lowerBound > 0 && bytes[found.lowerBound - 1] == UInt8(ascii: "/")
      if !isEnd, let text = text(after: rest) {
        return String(decoding: text, as: UTF8.self)
      }
    }
    return nil
  }

  /// Returns the quoted text after an equals sign, or the text up to the next tag.
  private func text(after name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
    let start = name.drop(while: isSpace)
    if start.first == UInt8(ascii: ">") {
      let text = start.dropFirst().drop(while: isSpace).prefix { $0 != UInt8(ascii: "<") }
      return text[..<(text.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? text.startIndex)]
    }
    guard start.first == UInt8(ascii: "=") else { return nil }
    let quoted = start.dropFirst().drop(while: isSpace)
    guard let quote = quoted.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return nil
    }
    return quoted.dropFirst().prefix { $0 != quote }
  }
}
