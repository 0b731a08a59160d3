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
