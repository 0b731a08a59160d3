/// A Huffman code of a JPEG file (ITU-T T.81, C).
struct HuffmanTable: Sendable {
  /// The first code of each length, the first past its last, and which symbol the first means.
  private var first = [Int](repeating: 0, count: 17)
  private var end = [Int](repeating: 0, count: 17)
  private var offset = [Int](repeating: 0, count: 17)
  private let symbols: [UInt8]

  /// - Parameters:
  ///   - counts: how many codes have 1, 2 ... 16 bits.
  ///   - symbols: what they mean, in order.
  init?(counts: ArraySlice<UInt8>, symbols: ArraySlice<UInt8>) {
    guard counts.count == 16, counts.reduce(0, { $0 + Int($1) }) == symbols.count else {
      return nil
    }
    self.symbols = Array(symbols)
    var code = 0
    var number = 0
    for (length, count) in zip(1...16, counts) {
      code <<= 1
      (first[length], offset[length]) = (code, number)
      code += Int(count)
      number += Int(count)
      end[length] = code
      guard code <= 1 << length else { return nil }
    }
  }

  /// The next symbol; `nil` when the bits are no code.
  func symbol(_ bits: inout JPEGBits, in bytes: Span<UInt8>) -> Int? {
    var code = 0
    for length in 1...16 {
      code = code << 1 | bits.next(in: bytes)
      if code < end[length], code >= first[length] {
        return Int(symbols[offset[length] + code - first[length]])
      }
    }
    return nil
  }
}

/// Reads the bits of a scan, without the zeros that are stuffed behind 0xFF; zeros where they end.
struct JPEGBits {
  private(set) var position: Int
  private let end: Int
  private var held = 0
  /// Whether more was asked for than there is.
  private(set) var isExhausted = false
  private var count = 0

  init(from start: Int, to end: Int) { (position, self.end) = (start, end) }

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
