/// Divides a stream of bytes into the JPEG pictures that stand in it one after the other (Motion JPEG), such as what
/// `ffmpeg -f mjpeg` or a camera writes; what stands between them is left out.
public struct MotionJPEG: Sendable {
  /// Bytes that a picture may have; what is longer is left out.
  public static let mostBytes = 16 << 20

  private var bytes: [UInt8] = []
  /// Where the next look begins.
  private var at = 0
  private var state = State.between

  private enum State {
    /// Before a picture.
    case between
    /// At a marker of a picture that began at 0.
    case marker
    /// Within the data of a scan.
    case scan
  }

  /// An empty stream.
  public init() {}

  /// Takes in the next bytes of the stream.
  public mutating func append(_ more: some Sequence<UInt8>) { bytes += more }

  /// The next whole picture; `nil` when more bytes are needed.
  public mutating func next() -> [UInt8]? {
    while true {
      switch state {
      case .between:
        guard findStart() else { return nil }
      case .marker:
        guard let end = readMarker() else {
          if bytes.count > Self.mostBytes { leaveOut() } else { return nil }
          continue
        }
        if end { return take() }
      case .scan:
        guard skipScan() else {
          if bytes.count > Self.mostBytes { leaveOut() } else { return nil }
          continue
        }
      }
    }
  }

  /// Drops what stands before a start of image.
  private mutating func findStart() -> Bool {
    var start = at
    while start + 1 < bytes.count, bytes[start] != 0xFF || bytes[start + 1] != 0xD8 { start += 1 }
    bytes.removeFirst(min(start, bytes.count))
    at = 0
    guard bytes.count >= 2 else { return false }
    (at, state) = (2, .marker)
    return true
  }

  /// Reads a marker and skips its segment; `nil` when more bytes are needed, `true` at the end of the image.
  private mutating func readMarker() -> Bool? {
    var start = at
    // Markers may have fill bytes before them.
    while start < bytes.count, bytes[start] == 0xFF { start += 1 }
    guard start < bytes.count else { return nil }
    guard start > at else {
      leaveOut()
      return false
    }
    let marker = bytes[start]
    if marker == 0xD9 {
      at = start + 1
      return true
    }
    if marker == 0xD8 {
      // The picture before was cut off: another begins.
      (at, state) = (start - 1, .between)
      return false
    }
    guard start + 2 < bytes.count else { return nil }
    let length = Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
    guard length >= 2 else {
      leaveOut()
      return false
    }
    guard start + 1 + length <= bytes.count else { return nil }
    at = start + 1 + length
    if marker == 0xDA { state = .scan }
    return false
  }

  /// Goes on to the marker behind the data of a scan.
  private mutating func skipScan() -> Bool {
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
  private mutating func leaveOut() { (at, state) = (2, .between) }

  private mutating func take() -> [UInt8] {
    let picture = Array(bytes[..<at])
    bytes.removeFirst(at)
    (at, state) = (0, .between)
    return picture
  }
}
