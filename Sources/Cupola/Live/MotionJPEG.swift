// 1. Append bytes as they arrive.
// 2. Follow markers from the start of an image to its end; skip damaged images.
// 3. Return each complete image once.

/// Splits a byte stream into consecutive JPEG images (Motion JPEG), such as the output of `ffmpeg -f mjpeg` or a
/// camera. Skips other bytes. Also skips additional images that a photo's index (MPF) lists, such as gain maps and
/// previews.
package struct MotionJPEG: Sendable {
  /// The maximum image size in bytes; larger images are skipped.
  package static let mostBytes = 16 << 20

  private var bytes: [UInt8] = []
  private var start = 0
  private var at = 0
  /// Where to continue searching if the current image is invalid.
  /// It is after the segments and scan data that were read, so no byte is read again for each possible image start.
  private var resumption = 0
  private var state = State.between
  /// The additional images in the last photo's index, with offsets into `bytes`.
  private var companions: [JPEGCompanions.Place] = []

  private enum State {
    /// Before an image.
    case between
    /// At a marker in an image.
    case marker
    /// Within scan data.
    case scan
  }

  package init() {}

  package mutating func append(_ more: some Sequence<UInt8>) {
    // Remove used bytes once per call, because removing them after each image would be slow.
    bytes.removeFirst(start)
    for index in companions.indices { companions[index].offset -= start }
    (at, resumption, start) = (at - start, resumption - start, 0)
    bytes += more
  }

  /// Returns the next complete image; `nil` if more bytes are needed.
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

  private mutating func findStart() -> Bool {
    start = at
    while start + 1 < bytes.count, bytes[start] != 0xFF || bytes[start + 1] != 0xD8 { start += 1 }
    at = start
    guard start + 1 < bytes.count else { return false }
    (at, resumption, state) = (start + 2, start + 2, .marker)
    return true
  }

  /// Reads a marker and skips its segment; `nil` if more bytes are needed, `true` at the image's end.
  private mutating func readMarker() -> Bool? {
    var place = at
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
      // The previous image is truncated and another one starts here.
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
    // If the image is truncated, the next one starts within the bytes of this segment.
    resumption = place + 1
    at = place + 1 + length
    if marker == 0xDA { state = .scan }
    return false
  }

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

  private mutating func leaveOut() { (at, state) = (resumption, .between) }

  /// Returns the image that ends here; `nil` for one of the previous photo's additional images.
  private mutating func take() -> [UInt8]? {
    let place = start..<at
    (start, state) = (at, .between)
    // Also compare the size: if a photo has lost its additional images, the next photo can start at that offset.
    if companions.contains(where: { $0.offset == place.lowerBound && place.count <= $0.count }) {
      return nil
    }
    let picture = Array(bytes[place])
    companions = JPEGCompanions.places(in: picture)
    for index in companions.indices { companions[index].offset += place.lowerBound }
    return picture
  }
}
