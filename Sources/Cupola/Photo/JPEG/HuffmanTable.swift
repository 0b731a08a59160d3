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
