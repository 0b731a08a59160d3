internal import Cupola

/// A tensor as a table of 64-bit words in hexadecimal.
///
/// Compilers read such words about twice as fast as 32-bit ones and many times as fast as decimal
/// floats; a table takes 2.4 characters a byte. The tensor's first byte is the lowest of a word.
enum CTable {
  private static let wordsInLine = 5
  private static let digits = Array("0123456789abcdef".utf8)

  static func append(_ tensor: SafeTensors.Tensor, named name: String, to text: inout [UInt8]) {
    let rows = tensor.shape.count == 2 ? tensor.shape[0] : 1
    let own = name.map { $0 == "." ? "_" : $0 }
    text += "CUPOLA_TABLE(\(String(own)), \(tensor.type), \(rows), ".utf8
    text += "\(tensor.shape.last ?? 1)) = {{\n".utf8
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
    text += "}};\n".utf8
  }
}
