/// A parsed protocol buffer message.
struct ProtobufMessage {
  /// Integers by field.
  private(set) var integers: [Int: [Int]] = [:]
  /// Texts, bytes and messages by field.
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
      default: rest = []  // Other wire types are not used.
      }
    }
  }

  func messages(_ field: Int) -> [ProtobufMessage] {
    (parts[field] ?? []).map(ProtobufMessage.init)
  }

  /// The first message at a path of fields.
  func first(_ path: Int...) -> ProtobufMessage {
    path.reduce(self) { $0.messages($1).first ?? ProtobufMessage([]) }
  }

  func texts(_ field: Int) -> [String] {
    (parts[field] ?? []).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The texts of a `map<string, string>` field.
  func entries(_ field: Int) -> [String: String] {
    messages(field).reduce(into: [:]) { $0[$1.texts(1).first ?? ""] = $1.texts(2).first }
  }
}

/// A parsed FlatBuffers table.
struct ParsedTable {
  private let bytes: [UInt8]
  private let start: Int

  init(_ bytes: [UInt8]) { self.init(bytes, start: 0, follow: true) }

  private init(_ bytes: [UInt8], start: Int, follow: Bool) {
    self.bytes = bytes
    self.start = follow ? start + Self.number(bytes, start, 4) : start
  }

  private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
    bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// The offset of a slot; `nil` for default values.
  private func place(_ slot: Int) -> Int? {
    let back = Int(Int32(truncatingIfNeeded: Self.number(bytes, start, 4)))
    let vtable = start - back
    guard 4 + 2 * slot < Self.number(bytes, vtable, 2) else { return nil }
    let offset = Self.number(bytes, vtable + 4 + 2 * slot, 2)
    return offset == 0 ? nil : start + offset
  }

  /// An integer of 1 or 4 bytes.
  func integer(_ slot: Int, bytes count: Int) -> Int? {
    place(slot).map { Self.number(bytes, $0, count) }
  }

  /// The offset and count of a vector's elements.
  func vector(_ slot: Int) -> (start: Int, count: Int) {
    guard let place = place(slot) else { return (0, 0) }
    let target = place + Self.number(bytes, place, 4)
    return (target + 4, Self.number(bytes, target, 4))
  }

  func text(_ slot: Int) -> String? {
    guard place(slot) != nil else { return nil }
    let (start, count) = vector(slot)
    return String(decoding: bytes[start..<start + count], as: UTF8.self)
  }

  /// Integers of a given size.
  func integers(_ slot: Int, bytes size: Int) -> [Int] {
    let (start, count) = vector(slot)
    return (0..<count).map { Self.number(bytes, start + size * $0, size) }
  }

  func table(_ slot: Int) -> ParsedTable? {
    place(slot).map { ParsedTable(bytes, start: $0, follow: true) }
  }

  func tables(_ slot: Int) -> [ParsedTable] {
    let (start, count) = vector(slot)
    return (0..<count).map { ParsedTable(bytes, start: start + 4 * $0, follow: true) }
  }
}
