/// Parses tags that GDAL joins in one text: `"key"=>"value","other key"=>"value"`.
package enum OGRTags {
  package static func tags(_ text: String) -> [String: String] {
    var rest = Array(text.utf8)[...]
    var tags: [String: String] = [:]
    while let key = quoted(&rest), rest.starts(with: Array("=>".utf8)) {
      rest = rest.dropFirst(2)
      guard let value = quoted(&rest) else { break }
      if !value.isEmpty { tags[key] = value }
      guard rest.first == UInt8(ascii: ",") else { break }
      rest = rest.dropFirst()
    }
    return tags
  }

  private static func quoted(_ rest: inout ArraySlice<UInt8>) -> String? {
    while rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
    guard rest.first == UInt8(ascii: "\"") else { return nil }
    rest = rest.dropFirst()
    var bytes: [UInt8] = []
    while var byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return String(decoding: bytes, as: UTF8.self) }
      if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() { byte = escaped }
      bytes.append(byte)
    }
    return nil
  }
}
