/// A Huffman code of a JPEG file (ITU-T T.81, C).
struct HuffmanTable: Sendable {
  /// A code that the next bits begin with.
  struct Code: Equatable {
    let symbol: Int
    /// In bits.
    let length: Int
  }

  /// How many bits are looked up at once.
  private static let window = 12

  /// For all values of so many bits the code's length and, in the lower eight bits, its symbol; 0 where it is longer.
  private let short: [UInt16]
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
    var short: [UInt16] = []
    var code = 0
    var number = 0
    for (length, count) in zip(1...16, counts) {
      code <<= 1
      (first[length], offset[length]) = (code, number)
      code += Int(count)
      // The code of ones only is no code.
      guard code < 1 << length else { return nil }
      end[length] = code
      for symbol in self.symbols[number..<number + Int(count)] where length <= Self.window {
        let entry = UInt16(length) << 8 | UInt16(symbol)
        short += repeatElement(entry, count: 1 << (Self.window - length))
      }
      number += Int(count)
    }
    self.short = short + repeatElement(0, count: 1 << Self.window - short.count)
  }

  /// Whether all symbols are lengths that a mean's difference may have (T.81, F.1.2.1).
  var isOfMeans: Bool { symbols.allSatisfy { $0 < 16 } }

  /// The code at the beginning of so many bits; `nil` where it is longer, or they are none.
  func code(_ bits: Int, of length: Int) -> Code? {
    let missing = Self.window - length
    let entry = Int(short[missing < 0 ? bits >> -missing : bits << missing])
    return entry > 0 && entry >> 8 <= length ? Code(symbol: entry & 255, length: entry >> 8) : nil
  }

  /// Takes the next symbol of bits that are held; `nil` when they are no code.
  func symbol(_ bits: inout JPEGBits) -> Int? {
    for length in 1...16 {
      let code = bits.peek(length)
      if code < end[length], code >= first[length] {
        bits.drop(length)
        return Int(symbols[offset[length] + code - first[length]])
      }
    }
    return nil
  }
}
