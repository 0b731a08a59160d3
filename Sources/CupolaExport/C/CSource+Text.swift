internal import Cupola

// 1. Write the header: sizes, then declarations.
// 2. Write the source file: constants, tables of strings and numbers, functions.
// 3. Format strings and numbers so that every C99 compiler reads the same values.

extension CSource {
  static let headerName = "cupola.h"
  static let sourceName = "cupola.c"

  var header: [UInt8] {
    let opening = """
      /* Made by Cupola \(cupolaVersion). Do not edit: `cupola verify` compares every line. */
      #ifndef CUPOLA_H
      #define CUPOLA_H


      """
    return Array((opening + headerConstants.map(\.line).joined() + "\n").utf8)
      + type(of: extractor).headerInC + PackageResources.header_h
  }

  var source: [UInt8] {
    var text = Array("#include \"\(Self.headerName)\"\n\n".utf8)
    text += PackageResources.tables_c
    text += sourceConstants.map(\.line).joined().utf8
    text += "\nstatic const int label_of_row[CUPOLA_ROWS] = {\n".utf8
    text += Self.values(labelOfRow, inLine: 20).utf8
    text += Self.texts(labels, "cupola_labels[CUPOLA_LABELS]").utf8
    text += Self.texts(names, "cupola_names[CUPOLA_LABELS]").utf8
    text += placeTables.utf8
    if let fence { text += Self.text(of: fence).utf8 }
    for (name, tensor) in tensors.sorted(by: { $0.key < $1.key }) {
      text.append(UInt8(ascii: "\n"))
      CTable.append(tensor, named: name, to: &text)
    }
    text.append(UInt8(ascii: "\n"))
    let functions =
      [PackageResources.vectors_c, PackageResources.resize_c] + type(of: extractor).functionsInC
      + [
        PackageResources.classify_c, PackageResources.answer_c, PackageResources.ellipsoid_c,
        PackageResources.fence_c, PackageResources.place_c,
      ]
    return text + functions.joined()
  }

  static func texts(_ texts: [String], _ declaration: String) -> String {
    "\nconst char *const \(declaration) = {\n"
      + texts.map { "  " + CLiteral.text($0) + ",\n" }.joined() + "};\n"
  }

  private static func text(of fence: CFence) -> String {
    "\nstatic const double fence_points[2 * CUPOLA_FENCE_POINTS] = {\n"
      + fence.points.map { "\(CLiteral.number($0.x)), \(CLiteral.number($0.y)),\n" }.joined()
      + "};\n\nstatic const int fence_ring_ends[CUPOLA_FENCE_RINGS] = {\n"
      + values(fence.ringEnds, inLine: 10)
      + "\nstatic const int fence_polygon_ends[CUPOLA_FENCE_POLYGONS] = {\n"
      + values(fence.polygonEnds, inLine: 10)
  }

  private static func values(_ values: [Int], inLine count: Int) -> String {
    stride(from: 0, to: values.count, by: count).map { start in
      values[start..<min(start + count, values.count)].map { "\($0)," }.joined(separator: " ")
        + "\n"
    }.joined() + "};\n"
  }
}

/// C99 literals in basic ASCII.
enum CLiteral {
  /// Whether a text fits in a literal. C99 guarantees 4095 characters, and each byte takes up to four.
  static func isPossible(_ text: String) -> Bool {
    text.utf8.count <= 1000 && !text.utf8.contains(0)
  }

  /// Returns a UTF-8 literal. Octal escapes end after three digits, unlike `\x`. `?` is escaped to avoid trigraphs.
  static func text(_ text: String) -> String {
    var literal = "\""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "?"):
        literal += "\\" + String(Unicode.Scalar(byte))
      case 0x20...0x7E: literal += String(Unicode.Scalar(byte))
      default:
        literal += "\\" + Digits.padded(Int(byte), to: 3, radix: 8)
      }
    }
    return literal + "\""
  }

  /// Returns the shortest decimal number that is read as the same value.
  static func number(_ value: Double) -> String {
    value.isInfinite ? (value > 0 ? "INFINITY" : "-INFINITY") : "\(value)"
  }

  static func number(_ value: Float) -> String { "\(value)f" }
}

/// A tensor as a table of 64-bit hexadecimal words, which compilers read much faster than decimal floats.
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
