/// Writes JSON on one line. Names are sorted by UTF-8 bytes, and numbers have as few digits as possible without loss.
package enum JSONWriter {
  package static func bytes(of value: JSONValue) -> [UInt8] {
    var bytes: [UInt8] = []
    write(value, to: &bytes)
    return bytes
  }

  private static func write(_ value: JSONValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes += Array("null".utf8)
    case .boolean(let value): bytes += Array((value ? "true" : "false").utf8)
    case .integer(let value): bytes += Array(String(value).utf8)
    case .unsigned(let value): bytes += Array(String(value).utf8)
    case .number(let value):
      precondition(value.isFinite, "JSON has no \(value)")
      let text = String(value)
      bytes += Array((text.hasSuffix(".0") ? String(text.dropLast(2)) : text).utf8)
    case .string(let text): JSONString.write(text, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(element, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      for (index, member) in sorted.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONString.write(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        write(member.value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }
}

/// Reads and writes JSON strings (RFC 8259, section 7).
enum JSONString {
  enum Reading {
    case success(String)
    case failure(JSONFault.Kind)
  }

  /// Reads a string from its opening quote. On return, `offset` is after the closing quote, or at the error.
  static func read(_ bytes: [UInt8], from offset: inout Int) -> Reading {
    offset += 1
    let start = offset
    skipPlain(bytes, &offset)
    guard offset < bytes.count else { return .failure(.endsEarly) }
    if bytes[offset] == UInt8(ascii: "\"") {
      offset += 1
      return text(bytes[start..<(offset - 1)])
    }
    return readEscaped(bytes, from: &offset, after: Array(bytes[start..<offset]))
  }

  /// Advances to the next quote, backslash or control character, or to the end.
  private static func skipPlain(_ bytes: [UInt8], _ offset: inout Int) {
    while offset < bytes.count, bytes[offset] >= 0x20, bytes[offset] != UInt8(ascii: "\""),
      bytes[offset] != UInt8(ascii: "\\")
    {
      offset += 1
    }
  }

  private static func readEscaped(
    _ bytes: [UInt8], from offset: inout Int, after beginning: [UInt8]
  ) -> Reading {
    var result = beginning
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") {
        offset += 1
        return text(result[...])
      }
      guard byte >= 0x20 else { return .failure(.controlCharacter) }
      if byte == UInt8(ascii: "\\") {
        guard let scalar = escape(bytes, from: &offset) else {
          return .failure(offset < bytes.count ? .badEscape : .endsEarly)
        }
        if let units = UTF8.encode(scalar) { result.append(contentsOf: units) }
      } else {
        let start = offset
        skipPlain(bytes, &offset)
        result += bytes[start..<offset]
      }
    }
    return .failure(.endsEarly)
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> Reading {
    String(validating: bytes, as: UTF8.self).map { .success($0) } ?? .failure(.notUTF8)
  }

  private static func escape(_ bytes: [UInt8], from offset: inout Int) -> Unicode.Scalar? {
    guard offset + 1 < bytes.count else {
      offset = bytes.count
      return nil
    }
    guard bytes[offset + 1] == UInt8(ascii: "u") else {
      guard let scalar = named(bytes[offset + 1]) else { return nil }
      offset += 2
      return scalar
    }
    guard let first = unit(bytes, at: offset) else { return nil }
    if let scalar = Unicode.Scalar(first) {
      offset += 6
      return scalar
    }
    // This is a high surrogate, which must be followed by a low surrogate.
    guard (0xD800..<0xDC00).contains(first), let second = unit(bytes, at: offset + 6),
      (0xDC00..<0xE000).contains(second)
    else { return nil }
    offset += 12
    return Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
  }

  private static func named(_ letter: UInt8) -> Unicode.Scalar? {
    switch letter {
    case UInt8(ascii: "\""): "\""
    case UInt8(ascii: "\\"): "\\"
    case UInt8(ascii: "/"): "/"
    case UInt8(ascii: "b"): "\u{8}"
    case UInt8(ascii: "f"): "\u{C}"
    case UInt8(ascii: "n"): "\n"
    case UInt8(ascii: "r"): "\r"
    case UInt8(ascii: "t"): "\t"
    default: nil
    }
  }

  private static func unit(_ bytes: [UInt8], at offset: Int) -> UInt16? {
    // Check the characters, because Swift's integer parser would accept a sign.
    guard offset + 6 <= bytes.count, bytes[offset] == UInt8(ascii: "\\"),
      bytes[offset + 1] == UInt8(ascii: "u"), bytes[offset + 2] != UInt8(ascii: "+"),
      bytes[offset + 2] != UInt8(ascii: "-")
    else { return nil }
    return UInt16(String(decoding: bytes[(offset + 2)..<(offset + 6)], as: UTF8.self), radix: 16)
  }

  static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\\"): bytes += [byte, byte]
      case 0x08: bytes += Array("\\b".utf8)
      case 0x0C: bytes += Array("\\f".utf8)
      case 0x0A: bytes += Array("\\n".utf8)
      case 0x0D: bytes += Array("\\r".utf8)
      case 0x09: bytes += Array("\\t".utf8)
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        bytes += Array("\\u00\(digits.count == 1 ? "0" : "")\(digits)".utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
