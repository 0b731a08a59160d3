// 1. `begin` skips a byte order mark and rejects UTF-16 and UTF-32.
// 2. `value` reads an object, array, string, number or literal, depending on the first byte.
// 3. `members` reads a large object and passes the elements of selected lists to a function, one at a time.
// 4. `fault` converts the offset of an error to a line and column.

/// Parses JSON (RFC 8259) with limits on size and nesting. Reports error locations and rejects duplicate keys.
package struct JSONReader {
  package struct Limits {
    /// The maximum nesting depth of lists and objects.
    package var depth: Int
    /// The maximum number of values, including lists and objects.
    package var values: Int

    package init(depth: Int = 128, values: Int = 4_000_000) {
      self.depth = depth
      self.values = values
    }
  }

  private let bytes: [UInt8]
  private let limits: Limits
  private var offset = 0
  private var values = 0

  package static func value(of bytes: [UInt8], limits: Limits = Limits()) throws(JSONFault)
    -> JSONValue
  {
    var reader = JSONReader(bytes: bytes, limits: limits)
    try reader.begin()
    let value = try reader.value(depth: 0)
    try reader.end()
    return value
  }

  /// Parses a large object and passes the elements of selected lists to a function instead of storing them.
  ///
  /// - Parameters:
  ///   - limits: The value limit applies to each element separately, and to all other values together.
  ///   - element: Receives the list's name and an element, in text order. Returns whether to continue.
  /// - Returns: The members read so far, with empty lists in place of the selected ones; `nil` if the text is not an
  ///   object.
  package static func members(
    of bytes: [UInt8], lists: Set<String>, limits: Limits = Limits(),
    element: (_ list: String, _ value: JSONValue) -> Bool
  ) throws(JSONFault) -> [String: JSONValue]? {
    var reader = JSONReader(bytes: bytes, limits: limits)
    try reader.begin()
    reader.skipBlanks()
    guard reader.peek == UInt8(ascii: "{") else {
      _ = try reader.value(depth: 0)
      try reader.end()
      return nil
    }
    var isStopped = false
    reader.values += 1
    let members = try reader.members(
      depth: 1, handingOut: lists, isStopped: &isStopped, to: element)
    if !isStopped { try reader.end() }
    return members
  }

  /// Skips a UTF-8 byte order mark and rejects other encodings.
  private mutating func begin() throws(JSONFault) {
    offset = ByteOrderMark.length(in: bytes)
    // JSON starts with two ASCII characters. A zero byte or another byte order mark there indicates UTF-16 or UTF-32.
    let isMarked = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
    guard !isMarked, !bytes.prefix(2).contains(0) else { throw fault(.wideCharacters) }
  }

  private mutating func end() throws(JSONFault) {
    skipBlanks()
    guard offset == bytes.count else { throw fault(.trailingText) }
  }

  private init(bytes: [UInt8], limits: Limits) {
    self.bytes = bytes
    self.limits = limits
  }

  // MARK: - Values

  private mutating func value(depth: Int) throws(JSONFault) -> JSONValue {
    skipBlanks()
    values += 1
    guard values <= limits.values else { throw fault(.tooManyValues(limit: limits.values)) }
    guard let byte = peek else { throw fault(.endsEarly) }
    switch byte {
    case UInt8(ascii: "{"): return try object(depth: depth + 1)
    case UInt8(ascii: "["): return try array(depth: depth + 1)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    // Some programs write NaN, Infinity, +1 or .5. Read them as numbers to report them as invalid numbers.
    case UInt8(ascii: "N"), UInt8(ascii: "I"), UInt8(ascii: "+"), UInt8(ascii: "."):
      return try number()
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: throw unexpected(wanted: "a value")
    }
  }

  private mutating func array(depth: Int) throws(JSONFault) -> JSONValue {
    guard depth <= limits.depth else { throw fault(.tooDeep(limit: limits.depth)) }
    offset += 1
    var elements: [JSONValue] = []
    skipBlanks()
    if take(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      elements.append(try value(depth: depth))
      skipBlanks()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw unexpected(wanted: "a comma or ]") }
    return .array(elements)
  }

  private mutating func object(depth: Int) throws(JSONFault) -> JSONValue {
    guard depth <= limits.depth else { throw fault(.tooDeep(limit: limits.depth)) }
    var isStopped = false
    return .object(
      try members(depth: depth, handingOut: [], isStopped: &isStopped) { _, _ in true })
  }

  private mutating func name() throws(JSONFault) -> (key: String, start: Int) {
    skipBlanks()
    guard peek == UInt8(ascii: "\"") else { throw unexpected(wanted: "a name in quotes") }
    let start = offset
    let key = try string()
    skipBlanks()
    guard take(UInt8(ascii: ":")) else { throw unexpected(wanted: "a colon") }
    return (key, start)
  }

  /// Reads an object and passes the elements of the given lists to a function.
  private mutating func members(
    depth: Int, handingOut lists: Set<String>, isStopped: inout Bool,
    to element: (String, JSONValue) -> Bool
  ) throws(JSONFault) -> [String: JSONValue] {
    offset += 1
    var members: [String: JSONValue] = [:]
    skipBlanks()
    if take(UInt8(ascii: "}")) { return members }
    repeat {
      let (key, start) = try name()
      skipBlanks()
      var value = JSONValue.array([])
      if lists.contains(key), peek == UInt8(ascii: "[") {
        isStopped = try !handOut(key, to: element)
      } else {
        value = try self.value(depth: depth)
      }
      if members.updateValue(value, forKey: key) != nil {
        throw fault(.duplicateKey(Self.shown(key)), at: start)
      }
      if isStopped { return members }
      skipBlanks()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw unexpected(wanted: "a comma or }") }
    return members
  }

  /// Passes a list's elements to `element`. Returns false if `element` stopped reading.
  private mutating func handOut(
    _ name: String, to element: (String, JSONValue) -> Bool
  ) throws(JSONFault) -> Bool {
    let before = values
    defer { values = before }
    offset += 1
    skipBlanks()
    if take(UInt8(ascii: "]")) { return true }
    repeat {
      values = 0
      guard element(name, try value(depth: 2)) else { return false }
      skipBlanks()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw unexpected(wanted: "a comma or ]") }
    return true
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(JSONFault) -> JSONValue {
    for byte in word.utf8 where !take(byte) { throw unexpected(wanted: word) }
    return value
  }

  private mutating func number() throws(JSONFault) -> JSONValue {
    let start = offset
    // Include all adjacent letters, so that the error message shows the whole text.
    while let byte = peek, Self.isPartOfNumber(byte) { offset += 1 }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    guard Self.isNumber(bytes[start..<offset]) else {
      throw offset == bytes.count && offset - start < 24
        ? fault(.endsEarly) : fault(.badNumber(Self.shown(text)), at: start)
    }
    if let integer = Int(text) { return .integer(integer) }
    if let integer = UInt64(text) { return .unsigned(integer) }
    guard let number = Double(text), number.isFinite else {
      throw fault(.numberOutOfRange(Self.shown(text)), at: start)
    }
    return Int(exactly: number).map { .integer($0) } ?? .number(number)
  }

  private static func isPartOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// Checks RFC 8259's number grammar: no plus sign, no leading zeros, digits on both sides of the decimal point.
  private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
    var rest = text
    func digits() -> Int {
      let end = rest.firstIndex { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      let count = (end ?? rest.endIndex) - rest.startIndex
      rest = rest.dropFirst(count)
      return count
    }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let startsWithZero = rest.first == UInt8(ascii: "0")
    let whole = digits()
    guard whole > 0, whole == 1 || !startsWithZero else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard digits() > 0 else { return false }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
        rest = rest.dropFirst()
      }
      guard digits() > 0 else { return false }
    }
    return rest.isEmpty
  }

  private mutating func string() throws(JSONFault) -> String {
    let start = offset
    switch JSONString.read(bytes, from: &offset) {
    case .success(let text): return text
    case .failure(let kind): throw fault(kind, at: kind == .notUTF8 ? start : offset)
    }
  }

  // MARK: - Bytes

  private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    offset += 1
    return true
  }

  private mutating func skipBlanks() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      offset += 1
    }
  }

  // MARK: - Faults

  /// Returns a string's first 40 scalars. Limiting characters would not limit the length, as they can have any number of
  /// scalars.
  private static func shown(_ text: String) -> String {
    let rest = text.unicodeScalars.dropFirst(40)
    return rest.isEmpty ? text : String(text[..<rest.startIndex]) + "…"
  }

  private func unexpected(wanted: String) -> JSONFault {
    guard offset < bytes.count else { return fault(.endsEarly) }
    let character = String(decoding: bytes[offset...].prefix(4), as: UTF8.self).prefix(1)
    return fault(.unexpected(found: String(character), wanted: wanted))
  }

  private func fault(_ kind: JSONFault.Kind, at offset: Int? = nil) -> JSONFault {
    let before = bytes[..<(offset ?? self.offset)]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    // Bytes with the bits 10xxxxxx continue a character.
    let column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
    return JSONFault(kind: kind, line: before.count { $0 == 0x0A } + 1, column: column)
  }
}
