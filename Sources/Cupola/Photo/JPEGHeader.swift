// Read the markers of a JPEG file (ITU-T T.81, B) without decoding the image:
// 1. `JPEGMarkers` finds one marker after another.
// 2. `JPEGHeader` reads the EXIF blocks, the XMP packet, the color profile, and the frame's size and sampling.
// 3. `JPEGCompanions` lists additional images after the photo, such as a gain map or a preview.

enum JPEGMarkers {
  static let startOfScan: UInt8 = 0xDA
  static let endOfImage: UInt8 = 0xD9

  /// Returns the next marker and its payload; `nil` at image data, at the end, or if the file is truncated.
  static func segment(
    in bytes: [UInt8], at position: inout Int
  ) -> (marker: UInt8, payload: ArraySlice<UInt8>)? {
    guard let next = anySegment(in: bytes, from: position), next.marker != startOfScan else {
      return nil
    }
    position = next.payload.endIndex
    return next
  }

  /// Returns the next marker. Unlike `segment`, also returns scan headers, which image data follows.
  static func anySegment(
    in bytes: [UInt8], from position: Int
  ) -> (marker: UInt8, payload: ArraySlice<UInt8>)? {
    var at = position
    // Any number of 0xFF bytes can precede a marker. Like libjpeg, skip other bytes too.
    while at < bytes.count, bytes[at] != 0xFF { at += 1 }
    while at < bytes.count, bytes[at] == 0xFF { at += 1 }
    guard at + 2 < bytes.count else { return nil }
    let marker = bytes[at]
    if (0xD0...0xD8).contains(marker) || marker == 0x01 || marker == 0x00 {
      return (marker, bytes[at + 1..<at + 1])
    }
    guard marker != endOfImage else { return nil }
    let length = Int(bytes[at + 1]) << 8 | Int(bytes[at + 2])
    guard length >= 2, at + 1 + length <= bytes.count else { return nil }
    return (marker, bytes[at + 3..<at + 1 + length])
  }

  /// Returns the offset of the next marker after image data: a 0xFF byte that is neither data nor a restart marker.
  static func endOfData(in bytes: Span<UInt8>, from position: Int) -> Int {
    var at = position
    while at + 1 < bytes.count {
      guard bytes[at] == 0xFF else {
        at += 1
        continue
      }
      let next = bytes[at + 1]
      if next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) { return at }
      at += next == 0xFF ? 1 : 2
    }
    return bytes.count
  }
}

struct JPEGHeader {
  /// Number of stored columns, before rotation.
  let width: Int
  let height: Int
  var components: Int { sampling.count }
  /// The sampling factors of each component, 1 to 4; 0 if the frame header is truncated.
  let sampling: [(horizontal: Int, vertical: Int)]
  let isProgressive: Bool
  /// A kind of JPEG that most programs cannot decode, such as "12-bit JPEG"; `nil` for usual kinds.
  let rareKind: String?
  /// The APP1 payloads after `Exif\0\0`.
  let exif: [[UInt8]]
  let xmp: XMPPacket?
  /// The joined ICC profile; `nil` if missing or incomplete.
  let profile: [UInt8]?
  let end: Int

  /// Returns the size after scaling, rounded up like decoders do.
  func size(eighths: Int) -> (width: Int, height: Int) {
    ((width * eighths + 7) / 8, (height * eighths + 7) / 8)
  }

  private static let xmpMark = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  private static let profileMark = Array("ICC_PROFILE\0".utf8)

  init(of bytes: [UInt8]) throws(CupolaError) {
    var exif: [[UInt8]] = []
    var xmp: XMPPacket?
    var profile: [UInt8: ArraySlice<UInt8>] = [:]
    var at = 2
    while let (marker, segment) = JPEGMarkers.segment(in: bytes, at: &at) {
      switch marker {
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF, Self.losslessFrame:
        guard segment.count >= 6 else {
          throw CupolaError.damagedPhoto(.jpeg, "truncated frame header")
        }
        let start = segment.startIndex
        height = Int(segment[start + 1]) << 8 | Int(segment[start + 2])
        width = Int(segment[start + 3]) << 8 | Int(segment[start + 4])
        sampling = Self.sampling(segment)
        rareKind = Self.rareKind(marker, bits: segment[start])
        isProgressive = [0xC2, 0xC6, 0xCA, 0xCE].contains(marker)
        (self.exif, self.xmp, self.profile, end) = (exif, xmp, Self.joined(profile), at)
        return
      case 0xE1 where EXIFReader.hasMark(segment):
        Self.add(segment.dropFirst(EXIFReader.mark.count), to: &exif)
      case 0xE1 where segment.starts(with: Self.xmpMark):
        xmp = xmp ?? XMPPacket(segment.dropFirst(Self.xmpMark.count))
      case 0xE2
      where segment.count > Self.profileMark.count + 2
        && segment.starts(with: Self.profileMark):
        let number = segment[segment.startIndex + Self.profileMark.count]
        profile[number] = segment.dropFirst(Self.profileMark.count + 2)
      default: break
      }
    }
    throw CupolaError.damagedPhoto(.jpeg, "missing frame header")
  }

  /// The frame marker of JPEG-LS (ITU-T T.87).
  private static let losslessFrame: UInt8 = 0xF7

  private static func rareKind(_ marker: UInt8, bits: UInt8) -> String? {
    switch marker {
    case losslessFrame: "JPEG-LS"
    case 0xC3, 0xCB: "lossless JPEG"
    case 0xC5...0xC7, 0xCD...0xCF: "hierarchical JPEG"
    default: bits == 8 ? nil : "\(bits)-bit JPEG"
    }
  }

  /// Adds a block, or the continuation of a block of more than 64 KB, which has no TIFF header.
  private static func add(_ part: ArraySlice<UInt8>, to blocks: inout [[UInt8]]) {
    if let last = blocks.indices.last, TIFFBlock(bytes: Array(part.prefix(8))) == nil {
      blocks[last] += part
    } else {
      blocks.append(Array(part))
    }
  }

  private static func sampling(
    _ segment: ArraySlice<UInt8>
  ) -> [(horizontal: Int, vertical: Int)] {
    (0..<Int(segment[segment.startIndex + 5])).map { number in
      let at = segment.startIndex + 7 + 3 * number
      return at + 1 < segment.endIndex ? (Int(segment[at] >> 4), Int(segment[at] & 15)) : (0, 0)
    }
  }

  /// Joins a profile's parts, which must be numbered from 1 without gaps.
  private static func joined(_ parts: [UInt8: ArraySlice<UInt8>]) -> [UInt8]? {
    guard !parts.isEmpty else { return nil }
    var profile: [UInt8] = []
    for number in 1...parts.count {
      guard let part = UInt8(exactly: number).flatMap({ parts[$0] }) else { return nil }
      profile += part
    }
    return profile
  }
}

/// Finds additional images that follow the photo in the same file, such as a gain map or a preview, using the photo's
/// index (CIPA DC-007, "MPF").
enum JPEGCompanions {
  /// The image's offset from the start of the photo, and its maximum size in bytes.
  struct Place {
    var offset: Int
    let count: Int
  }

  private static let marker: UInt8 = 0xE2
  private static let name = Array("MPF\0".utf8)
  /// The tag for the image index. Each entry has `itemSize` bytes.
  private static let list: UInt16 = 0xB002
  private static let itemSize = 16

  static func places(in photo: [UInt8]) -> [Place] {
    var position = 2
    while let segment = JPEGMarkers.segment(in: photo, at: &position) {
      guard segment.marker == marker, segment.payload.starts(with: name) else { continue }
      let block = segment.payload.dropFirst(name.count)
      return places(inBlock: Array(block), at: block.startIndex)
    }
    return []
  }

  /// - Parameter start: The block's offset in the photo; the offsets of the images are relative to it.
  private static func places(inBlock bytes: [UInt8], at start: Int) -> [Place] {
    guard let block = TIFFBlock(bytes: bytes),
      let entry = block.directory(at: block.firstDirectory)?[list], block.holds(entry)
    else { return [] }
    return (0..<entry.count / itemSize).compactMap { number in
      let at = entry.offset + number * itemSize
      guard let count = block.integer(at: at + 4, bytes: 4),
        let offset = block.integer(at: at + 8, bytes: 4), offset > 0
      else { return nil }
      return Place(offset: start + offset, count: count)
    }
  }
}
