internal import Cupola

/// A tensor as a table of 64-bit words in hexadecimal.
///
/// Compilers read such words about twice as fast as 32-bit ones and many times as fast as decimal
/// floats; a table takes 2.4 characters a byte. The tensor's first byte is the lowest of a word.
enum CTable {
  private static let wordsInLine = 5
  private static let digits = Array("0123456789abcdef".utf8)

  /// The name of a tensor in C.
  static func name(of tensor: String) -> String {
    String(tensor.map { $0 == "." ? "_" : $0 })
  }

  /// The line before the words, without its end.
  static func opening(_ name: String, _ tensor: SafeTensors.Tensor) -> String {
    let rows = tensor.shape.count == 2 ? tensor.shape[0] : 1
    return
      "CUPOLA_TABLE(\(self.name(of: name)), \(tensor.type), \(rows), \(tensor.shape.last ?? 1))"
      + " = {{\n"
  }

  /// The line after the words.
  static let closing = "}};\n"

  static func append(_ tensor: SafeTensors.Tensor, named name: String, to text: inout [UInt8]) {
    text += opening(name, tensor).utf8
    let bytes = tensor.bytes.span
    let words = (bytes.count + 7) / 8
    text.reserveCapacity(text.count + 20 * words)
    for word in 0..<words {
      text.append(UInt8(ascii: "0"))
      text.append(UInt8(ascii: "x"))
      for place in (8 * word..<8 * word + 8).reversed() {
        let byte = place < bytes.count ? Int(bytes[place]) : 0
        text.append(digits[byte >> 4])
        text.append(digits[byte & 15])
      }
      let isLast = word == words - 1
      if !isLast { text.append(UInt8(ascii: ",")) }
      if isLast || word % wordsInLine == wordsInLine - 1 { text.append(UInt8(ascii: "\n")) }
    }
    text += closing.utf8
  }

  /// So many bytes of a table; `nil` when it has fewer or more, or anything but words.
  static func bytes(_ text: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
    let words = (count + 7) / 8
    // Each word takes 19 characters or more; so no claim of a size takes memory.
    guard words <= text.count / 18 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 * words)
    var word: UInt64 = 0
    var digits = 0
    for character in text {
      switch character {
      case UInt8(ascii: "x"):
        // The 0 before it was taken for a digit.
        guard digits == 1 else { return nil }
        digits = 0
      case UInt8(ascii: ","), UInt8(ascii: "\n"):
        if digits == 0 { continue }
        guard digits == 16 else { return nil }
        for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * place))) }
        (word, digits) = (0, 0)
      default:
        guard let digit = digit(character), digits < 16 else { return nil }
        word = word << 4 | digit
        digits += 1
      }
    }
    guard digits == 0, bytes.count == 8 * words else { return nil }
    guard bytes[count...].allSatisfy({ $0 == 0 }) else { return nil }
    return Array(bytes[..<count])
  }

  private static func digit(_ character: UInt8) -> UInt64? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(character - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(character - UInt8(ascii: "a") + 10)
    default: nil
    }
  }
}
