// Reads a JPEG file's markers (ITU-T T.81, B) without decoding its picture.
//
// 1. `JPEGMarkers` walks from one marker to the next.
// 2. `JPEGHeader` reads the frame: size and sampling, and before it the EXIF block and the color profile.
// 3. `JPEGCompanions` lists further pictures behind the photo, such as a gain map or a preview.

/// Walks through the markers of a JPEG file (ITU-T T.81, B.1).
enum JPEGMarkers {
  static let startOfScan: UInt8 = 0xDA
  static let endOfImage: UInt8 = 0xD9

  /// The next marker and its payload; `nil` at picture data, at the end, or where the file is cut.
  static func segment(
    in bytes: [UInt8], at position: inout Int
  ) -> (marker: UInt8, payload: ArraySlice<UInt8>)? {
    guard let next = anySegment(in: bytes, from: position), next.marker != startOfScan else {
      return nil
    }
    position = next.payload.endIndex
    return next
  }

  /// The same, a scan's header too; the picture data begin behind it.
  static func anySegment(
    in bytes: [UInt8], from position: Int
  ) -> (marker: UInt8, payload: ArraySlice<UInt8>)? {
    var at = position
    // Any number of 0xFF may stand before a marker; libjpeg also skips stray bytes.
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

  /// Where the next marker behind picture data stands: a 0xFF that is neither data nor a restart.
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

/// The frame, the EXIF block and the color profile of a JPEG file, read from its markers (ITU-T T.81)
/// without decoding.
struct JPEGHeader {
  /// Stored columns and rows, before orientation.
  let width: Int
  let height: Int
  /// Color components: 1 gray, 3 color, 4 CMYK.
  var components: Int { sampling.count }
  /// How finely each component is sampled beside the others, 1...4; 0 where the frame ends early.
  let sampling: [(horizontal: Int, vertical: Int)]
  /// Whether the picture comes in several passes (T.81, G).
  let isProgressive: Bool
  /// The APP1 payload after `Exif\0\0`; `nil` when there is none.
  let exif: [UInt8]?
  /// The ICC profile, put together from its segments; `nil` when there is none or a part is missing.
  let profile: [UInt8]?
  /// Where the markers behind the frame begin.
  let end: Int

  /// Columns and rows of the picture at a number of eighths of its size, rounded up as decoders do.
  func size(eighths: Int) -> (width: Int, height: Int) {
    ((width * eighths + 7) / 8, (height * eighths + 7) / 8)
  }

  private static let profileMark = Array("ICC_PROFILE\0".utf8)

  /// - Throws: ``CupolaError/damagedPhoto(_:_:)`` when no frame header is found before the picture data.
  init(of bytes: [UInt8]) throws(CupolaError) {
    var exif: [UInt8]?
    var profile: [UInt8: ArraySlice<UInt8>] = [:]
    var at = 2
    while let (marker, segment) = JPEGMarkers.segment(in: bytes, at: &at) {
      switch marker {
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        guard segment.count >= 6 else {
          throw CupolaError.damagedPhoto(.jpeg, "frame header cut short")
        }
        let start = segment.startIndex
        height = Int(segment[start + 1]) << 8 | Int(segment[start + 2])
        width = Int(segment[start + 3]) << 8 | Int(segment[start + 4])
        sampling = Self.sampling(segment)
        isProgressive = [0xC2, 0xC6, 0xCA, 0xCE].contains(marker)
        (self.exif, self.profile, end) = (exif, Self.joined(profile), at)
        return
      case 0xE1 where exif == nil && segment.starts(with: EXIFReader.mark):
        exif = Array(segment.dropFirst(EXIFReader.mark.count))
      case 0xE2
      where segment.count > Self.profileMark.count + 2
        && segment.starts(with: Self.profileMark):
        let number = segment[segment.startIndex + Self.profileMark.count]
        profile[number] = segment.dropFirst(Self.profileMark.count + 2)
      default: break
      }
    }
    throw CupolaError.damagedPhoto(.jpeg, "no frame header before the end of the file")
  }

  private static func sampling(
    _ segment: ArraySlice<UInt8>
  ) -> [(horizontal: Int, vertical: Int)] {
    (0..<Int(segment[segment.startIndex + 5])).map { number in
      let at = segment.startIndex + 7 + 3 * number
      return at + 1 < segment.endIndex ? (Int(segment[at] >> 4), Int(segment[at] & 15)) : (0, 0)
    }
  }

  /// Numbered from 1 without a gap.
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

/// The further pictures of a photo that stand behind it in its file, such as a gain map or a preview, by the list that
/// it has of them (CIPA DC-007, "MPF").
enum JPEGCompanions {
  /// Where a picture begins, in bytes from the photo's own beginning, and how long it is at most.
  struct Place {
    var offset: Int
    let count: Int
  }

  private static let marker: UInt8 = 0xE2
  private static let name = Array("MPF\0".utf8)
  /// The field that lists all pictures, of so many bytes each.
  private static let list: UInt16 = 0xB002
  private static let itemSize = 16

  /// The places of the pictures that a photo lists but itself; none where it has no list.
  static func places(in photo: [UInt8]) -> [Place] {
    // Behind the start of the image.
    var position = 2
    while let segment = JPEGMarkers.segment(in: photo, at: &position) {
      guard segment.marker == marker, segment.payload.starts(with: name) else { continue }
      let block = segment.payload.dropFirst(name.count)
      return places(inBlock: Array(block), at: block.startIndex)
    }
    return []
  }

  /// - Parameter start: where the block stands in the photo, which offsets count from.
  private static func places(inBlock bytes: [UInt8], at start: Int) -> [Place] {
    guard let block = TIFFBlock(bytes: bytes),
      let entry = block.directory(at: block.firstDirectory)?[list], block.holds(entry)
    else { return [] }
    return (0..<entry.count / itemSize).compactMap { number in
      let at = entry.offset + number * itemSize
      // The photo itself stands at 0.
      guard let count = block.integer(at: at + 4, bytes: 4),
        let offset = block.integer(at: at + 8, bytes: 4), offset > 0
      else { return nil }
      return Place(offset: start + offset, count: count)
    }
  }
}
