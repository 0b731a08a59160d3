// Find named parts of container formats without decoding the image:
// 1. `PNGChunks` and `WebPChunks` return the content of a chunk.
// 2. `MediaBox` iterates over the boxes of HEIC, AVIF, and JPEG XL.

enum PNGChunks {
  /// The maximum number of chunks with the same name; typical files have fewer than 20.
  private static let most = 1_000

  /// Returns the first chunk with a name.
  static func first(_ name: String, in bytes: [UInt8]) -> ArraySlice<UInt8>? {
    all(name, in: bytes).first
  }

  /// Returns all chunks with a name (ISO/IEC 15948, 5.3). Metadata can precede or follow the image.
  static func all(_ name: String, in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var found: [ArraySlice<UInt8>] = []
    var at = 8
    while at + 12 <= bytes.count, found.count < most {
      let size = bytes[at..<at + 4].bigEndian
      guard size <= bytes.count - at - 12 else { break }
      if bytes[at + 4..<at + 8].elementsEqual(name.utf8) {
        found.append(bytes[at + 8..<at + 8 + size])
      }
      at += 12 + size
    }
    return found
  }
}

enum WebPChunks {
  /// Returns the first chunk with a name (RFC 9649, 2.3).
  static func first(_ name: String, in bytes: [UInt8]) -> ArraySlice<UInt8>? {
    var at = 12
    while at + 8 <= bytes.count {
      let size = bytes[at + 4..<at + 8].littleEndian
      guard size <= bytes.count - at - 8 else { return nil }
      if bytes[at..<at + 4].elementsEqual(name.utf8) { return bytes[at + 8..<at + 8 + size] }
      at += 8 + size + size % 2
    }
    return nil
  }
}

/// A box of the ISO base media file format (ISO/IEC 14496-12, 4.2).
struct MediaBox {
  let type: String
  let content: ArraySlice<UInt8>

  /// The maximum number of boxes in one box; typical files have fewer than 100.
  private static let most = 10_000

  /// Returns the boxes of a file or box, up to the first damaged one.
  static func all(in bytes: ArraySlice<UInt8>) -> [MediaBox] {
    var boxes: [MediaBox] = []
    var at = bytes.startIndex
    while at + 8 <= bytes.endIndex, boxes.count < most {
      var (size, header) = (bytes[at..<at + 4].bigEndian, 8)
      if size == 0 { size = bytes.endIndex - at }
      if size == 1, at + 16 <= bytes.endIndex, bytes[at + 8] < 0x40 {
        (size, header) = (bytes[at + 8..<at + 16].bigEndian, 16)
      }
      guard size >= header, size <= bytes.endIndex - at else { break }
      boxes.append(
        MediaBox(
          type: String(decoding: bytes[at + 4..<at + 8], as: UTF8.self),
          content: bytes[at + header..<at + size]))
      at += size
    }
    return boxes
  }

  /// Returns the TIFF block of an EXIF item or box, which starts with the offset of the block.
  static func tiff(_ item: ArraySlice<UInt8>) -> [UInt8]? {
    guard item.count > 4 else { return nil }
    let offset = item.prefix(4).bigEndian
    guard offset < item.count - 4 else { return nil }
    return EXIFReader.unmarked(item.dropFirst(4 + offset))
  }
}

/// Reads big-endian numbers one after another; returns `nil` at the end.
struct FieldReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// - Parameter count: 0 to 8; zero bytes are the number 0.
  mutating func integer(_ count: Int) -> Int? {
    guard count <= rest.count, count < 8 || (rest.first ?? 0) < 0x80 else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count).bigEndian
  }

  /// Reads a numerator and a denominator of 4 bytes; returns `nil` if the fraction is not an integer.
  mutating func fraction() -> Int? {
    guard let numerator = integer(4), let denominator = integer(4), denominator > 0,
      numerator % denominator == 0
    else { return nil }
    return numerator / denominator
  }
}

extension BidirectionalCollection<UInt8> {
  var littleEndian: Int { reversed().bigEndian }
}
