/// Writes values as JSON on one line, in one way only: names in the order of their UTF-8 bytes,
/// numbers in the fewest digits that read back as the same.
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
