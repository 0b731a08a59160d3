// 1. Bytes are appended as they come.
// 2. Markers are followed from the start of a picture to its end; damaged pictures are skipped.
// 3. Each whole picture is handed out once.

/// Divides a stream of bytes into the JPEG pictures that stand in it one after the other (Motion JPEG), such as what
/// `ffmpeg -f mjpeg` or a camera writes; what stands between them is left out, and so are further
/// pictures that one of them lists (MPF): gain maps and previews, which cameras put behind a photo.
package struct MotionJPEG: Sendable {
  /// Bytes that a picture may have; what is longer is left out.
  package static let mostBytes = 16 << 20

  private var bytes: [UInt8] = []
  /// Where the picture begins that is looked at; what stands before it is done with.
  private var start = 0
  /// Where the next look begins.
  private var at = 0
  /// Where the next picture may begin, should this one be none: nothing begins in what was gone through as data of a
  /// scan, or as a segment with a marker behind it. To begin behind the start each time would take as many looks at the
  /// same bytes as there are beginnings in front of them.
  private var resumption = 0
  private var state = State.between
  /// Of the last picture, its further ones: their offsets count as those of the bytes.
  private var companions: [JPEGCompanions.Place] = []

  private enum State {
    /// Before a picture.
    case between
    /// At a marker of a picture.
    case marker
    /// Within the data of a scan.
    case scan
  }

  /// An empty stream.
  package init() {}

  /// Takes in the next bytes of the stream.
  package mutating func append(_ more: some Sequence<UInt8>) {
    // Only here: for each of many beginnings in a portion it would take too long.
    bytes.removeFirst(start)
    for index in companions.indices { companions[index].offset -= start }
    (at, resumption, start) = (at - start, resumption - start, 0)
    bytes += more
  }

  /// The next whole picture; `nil` when more bytes are needed.
  package mutating func next() -> [UInt8]? {
    while true {
      switch state {
      case .between:
        guard findStart() else { return nil }
      case .marker:
        guard let end = readMarker() else {
          guard isTooLong else { return nil }
          leaveOut()
          continue
        }
        if end, let picture = take() { return picture }
      case .scan:
        guard skipScan() else {
          guard isTooLong else { return nil }
          leaveOut()
          continue
        }
      }
    }
  }

  private var isTooLong: Bool { bytes.count - start > Self.mostBytes }

  /// Goes on to a start of image; whether there is one.
  private mutating func findStart() -> Bool {
    start = at
    while start + 1 < bytes.count, bytes[start] != 0xFF || bytes[start + 1] != 0xD8 { start += 1 }
    at = start
    guard start + 1 < bytes.count else { return false }
    (at, resumption, state) = (start + 2, start + 2, .marker)
    return true
  }

  /// Reads a marker and skips its segment; `nil` when more bytes are needed, `true` at the end of the image.
  private mutating func readMarker() -> Bool? {
    var place = at
    // Markers may have fill bytes before them.
    while place < bytes.count, bytes[place] == 0xFF { place += 1 }
    guard place < bytes.count else { return nil }
    guard place > at else {
      leaveOut()
      return false
    }
    let marker = bytes[place]
    if marker == 0xD9 {
      at = place + 1
      return true
    }
    if marker == 0xD8 {
      // The picture before was cut off: another begins.
      (at, state) = (place - 1, .between)
      return false
    }
    guard place + 2 < bytes.count else { return nil }
    let length = Int(bytes[place + 1]) << 8 | Int(bytes[place + 2])
    guard length >= 2 else {
      leaveOut()
      return false
    }
    guard place + 1 + length <= bytes.count else { return nil }
    // Where the picture was cut off, the next one begins within what its last segment seems to be.
    resumption = place + 1
    at = place + 1 + length
    if marker == 0xDA { state = .scan }
    return false
  }

  /// Goes on to the marker behind the data of a scan; whether it is there.
  private mutating func skipScan() -> Bool {
    defer { resumption = at }
    while at + 1 < bytes.count {
      let next = bytes[at + 1]
      if bytes[at] == 0xFF, next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) {
        state = .marker
        return true
      }
      at += 1
    }
    return false
  }

  /// What began is no picture.
  private mutating func leaveOut() { (at, state) = (resumption, .between) }

  /// The picture that ends here; `nil` for a further one of that before.
  private mutating func take() -> [UInt8]? {
    let place = start..<at
    (start, state) = (at, .between)
    // By its length, too: of a photo that lost its further pictures the next photo may stand in their place.
    if companions.contains(where: { $0.offset == place.lowerBound && place.count <= $0.count }) {
      return nil
    }
    let picture = Array(bytes[place])
    companions = JPEGCompanions.places(in: picture)
    for index in companions.indices { companions[index].offset += place.lowerBound }
    return picture
  }
}
