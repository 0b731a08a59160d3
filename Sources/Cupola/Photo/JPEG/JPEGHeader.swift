/// The frame, the EXIF block and the color profile of a JPEG file, read from its markers (ITU-T T.81)
/// without decoding.
struct JPEGHeader {
  /// A component of the picture: how many samples it has beside the others.
  struct Component: Equatable {
    let identifier: UInt8
    let horizontal: Int
    let vertical: Int
    /// Which of the file's tables holds its steps.
    let quantization: Int
  }

  /// Stored columns and rows, before orientation.
  let width: Int
  let height: Int
  /// Color components: 1 gray, 3 color, 4 CMYK.
  var components: Int { parts.count }
  let parts: [Component]
  /// Whether the picture comes in several passes (T.81, G).
  let isProgressive: Bool
  /// Whether it comes in one pass of 8-bit samples with a Huffman code (T.81, F).
  let isBaseline: Bool
  /// The APP1 payload after `Exif\0\0`; `nil` when there is none.
  let exif: [UInt8]?
  /// The ICC profile, put together from its segments; `nil` when there is none or a part is missing.
  let profile: [UInt8]?
  /// Where the markers behind the frame begin.
  let end: Int

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
        parts = Self.parts(segment)
        isBaseline = [0xC0, 0xC1].contains(marker) && segment[start] == 8
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

  /// The finest sampling of a component along each side; 0 without any.
  var mostHorizontal: Int { parts.map(\.horizontal).max() ?? 0 }
  var mostVertical: Int { parts.map(\.vertical).max() ?? 0 }

  /// Units of 8x8 blocks that stand together, one of each component or more of finer ones, across and
  /// down; 0 where the sampling is impossible.
  var units: (across: Int, down: Int) {
    let (across, down) = (8 * mostHorizontal, 8 * mostVertical)
    guard across > 0, down > 0 else { return (0, 0) }
    return ((width + across - 1) / across, (height + down - 1) / down)
  }

  /// As many as the frame says; those that it has no room for have no sampling.
  private static func parts(_ segment: ArraySlice<UInt8>) -> [Component] {
    (0..<Int(segment[segment.startIndex + 5])).map { number in
      let at = segment.startIndex + 6 + 3 * number
      guard at + 2 < segment.endIndex else {
        return Component(identifier: 0, horizontal: 0, vertical: 0, quantization: 0)
      }
      return Component(
        identifier: segment[at], horizontal: Int(segment[at + 1] >> 4),
        vertical: Int(segment[at + 1] & 15), quantization: Int(segment[at + 2]))
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
