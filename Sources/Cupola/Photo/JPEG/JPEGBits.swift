/// Reads the bits of a scan, without the zeros that are stuffed behind 0xFF; zeros where they end.
struct JPEGBits {
  private var position: Int
  private let end: Int
  private var held = 0
  /// Whether more was asked for than there is.
  private(set) var isExhausted = false
  private var count = 0

  /// - Parameter data: where they stand.
  init(_ data: Range<Int>) { (position, end) = (data.lowerBound, data.upperBound) }

  mutating func next(in bytes: Span<UInt8>) -> Int {
    if count == 0 {
      (held, count) = (nextByte(in: bytes), 8)
    }
    count -= 1
    return held >> count & 1
  }

  /// A number of so many bits.
  mutating func number(_ length: Int, in bytes: Span<UInt8>) -> Int {
    var value = 0
    for _ in 0..<length { value = value << 1 | next(in: bytes) }
    return value
  }

  /// Goes behind the next restart marker, if there is one before the end.
  mutating func restart(in bytes: Span<UInt8>) {
    count = 0
    while position + 1 < end {
      if bytes[position] == 0xFF, (0xD0...0xD7).contains(bytes[position + 1]) {
        position += 2
        return
      }
      position += 1
    }
  }

  private mutating func nextByte(in bytes: Span<UInt8>) -> Int {
    guard position < end else {
      isExhausted = true
      return 0
    }
    let byte = bytes[position]
    guard byte == 0xFF else {
      position += 1
      return Int(byte)
    }
    // A marker ends the data, until the restart.
    guard position + 1 < end, bytes[position + 1] == 0 else {
      isExhausted = true
      return 0
    }
    position += 2
    return 0xFF
  }
}
