/// A message of the wire format of protocol buffers, to look into files that were written here.
struct ProtobufLook {
  /// Whole numbers by their fields.
  private(set) var integers: [Int: [Int]] = [:]
  /// Texts, bytes and messages by their fields.
  private(set) var parts: [Int: [[UInt8]]] = [:]

  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    func varint() -> Int {
      var (value, shift) = (0, 0)
      while let byte = rest.popFirst() {
        value |= Int(byte & 0x7F) << shift
        shift += 7
        if byte < 0x80 { break }
      }
      return value
    }
    while !rest.isEmpty {
      let tag = varint()
      switch tag & 7 {
      case 0: integers[tag >> 3, default: []].append(varint())
      case 2:
        let count = varint()
        parts[tag >> 3, default: []].append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      default: rest = []  // No others are written.
      }
    }
  }

  /// The messages of a field.
  func messages(_ field: Int) -> [ProtobufLook] { (parts[field] ?? []).map(ProtobufLook.init) }

  /// The first message of a field, of a field of it, and so on.
  func first(_ path: Int...) -> ProtobufLook {
    path.reduce(self) { $0.messages($1).first ?? ProtobufLook([]) }
  }

  /// The texts of a field.
  func texts(_ field: Int) -> [String] {
    (parts[field] ?? []).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The texts of a field of type `map<string, string>`.
  func entries(_ field: Int) -> [String: String] {
    messages(field).reduce(into: [:]) { $0[$1.texts(1).first ?? ""] = $1.texts(2).first }
  }
}
