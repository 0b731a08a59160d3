internal import CupolaCampus
internal import CupolaGuide

/// Reads lines in the format of ``JournalOperation/line``, much faster than a JSON reader.
///
/// Returns `nil` for other lines and does not report a reason; the JSON reader then does this.
struct JournalLineScanner {
  private let bytes: [UInt8]
  private let device: String
  private let deviceBytes: [UInt8]
  private(set) var place = 0

  /// - Parameter device: The device of most entries; its name is stored only once.
  init(_ bytes: [UInt8], device: String) {
    self.bytes = bytes
    self.device = device
    deviceBytes = Array(device.utf8)
  }

  /// Returns the members of a line, or `nil` if it is not in the simple format.
  mutating func fields(from start: Int) -> JournalFields? {
    place = start
    guard take("{") else { return nil }
    var fields = JournalFields()
    var key = 0
    repeat {
      guard let name = name() else { return nil }
      while key < Self.names.count, Self.names[key] != name { key &+= 1 }
      guard key < Self.names.count, read(Self.keys[key], into: &fields) else { return nil }
      key &+= 1
    } while take(",")
    guard take("}"), place == bytes.count || bytes[place] == 0x0A else { return nil }
    return fields
  }

  private static let keys = JournalFields.Key.allCases
  private static let names = keys.map { key in
    key.rawValue.utf8.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
    place &+= 1
    return true
  }

  private mutating func name() -> UInt64? {
    guard take("\"") else { return nil }
    var name: UInt64 = 0
    var count = 0
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      name = name << 8 | UInt64(bytes[place])
      place &+= 1
      count &+= 1
      guard count <= 8 else { return nil }
    }
    return take("\"") && take(":") ? name : nil
  }

  private mutating func read(_ key: JournalFields.Key, into fields: inout JournalFields) -> Bool {
    switch key {
    case .error, .lat, .lon, .ms, .op, .rating, .score, .tick, .time:
      return number(for: key, into: &fields)
    case .photos: return photos(into: &fields)
    case .set, .delete: return id().map { fields.take($0, for: key) } ?? false
    case .photo, .voice: return media().map { fields.take($0, for: key) } ?? false
    case .building, .email, .kind, .label, .place, .text, .title, .verified:
      guard let range = string(), let text = text(range) else { return false }
      return fields.take(text, for: key)
    }
  }

  private mutating func string() -> Range<Int>? {
    guard take("\"") else { return nil }
    let start = place
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      guard bytes[place] >= 0x20, bytes[place] != UInt8(ascii: "\\") else { return nil }
      place &+= 1
    }
    return take("\"") ? start..<(place &- 1) : nil
  }

  /// Returns `nil` for invalid UTF-8. ASCII is not validated, because validation is slow.
  private func text(_ range: Range<Int>) -> String? {
    var all: UInt8 = 0
    for index in range { all |= bytes[index] }
    return all < 0x80
      ? String(decoding: bytes[range], as: UTF8.self)
      : String(validating: bytes[range], as: UTF8.self)
  }

  private mutating func id() -> JournalID? {
    guard let range = string() else { return nil }
    let digits = range.lowerBound + deviceBytes.count + 1
    guard digits < range.upperBound, bytes[digits - 1] == UInt8(ascii: "-"),
      bytes[digits] != UInt8(ascii: "0"), bytes[range.lowerBound..<digits - 1] == deviceBytes[...],
      let number = integer(digits..<range.upperBound)
    else { return String(validating: bytes[range], as: UTF8.self).flatMap { JournalID($0) } }
    return JournalLimits.numbers.contains(number)
      ? JournalID(checkedDevice: device, number: number) : nil
  }

  private func integer(_ range: Range<Int>) -> Int? {
    guard range.count <= 17 else { return nil }
    var value = 0
    for index in range {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) else { return nil }
      value = value &* 10 &+ Int(bytes[index] &- UInt8(ascii: "0"))
    }
    return value
  }

  private mutating func media() -> JournalMedia? {
    guard let range = string(), JournalMedia.isName(bytes[range]) else { return nil }
    return JournalMedia(checkedName: String(decoding: bytes[range], as: UTF8.self))
  }

  private mutating func photos(into fields: inout JournalFields) -> Bool {
    guard take("[") else { return false }
    if take("]") { return true }
    repeat {
      guard fields.photos.count < JournalLimits.photos, let media = media() else { return false }
      _ = fields.take(media, for: .photos)
    } while take(",")
    return take("]")
  }

  private mutating func number(
    for key: JournalFields.Key, into fields: inout JournalFields
  ) -> Bool {
    let start = place
    let isNegative = take("-")
    let first = place
    guard let whole = digits(), place == first &+ 1 || bytes[first] != UInt8(ascii: "0") else {
      return false
    }
    guard take(".") else { return fields.take(isNegative ? -whole : whole, for: key) }
    // Positions have up to 17 digits, which is too many for the integer used here.
    let fraction = place
    while place < bytes.count, bytes[place] &- UInt8(ascii: "0") < 10 { place &+= 1 }
    guard place > fraction, place - start <= 40,
      let number = Double(String(decoding: bytes[start..<place], as: UTF8.self))
    else { return false }
    // The JSON reader also converts 2.0 to 2.
    if let integer = Int(exactly: number) { return fields.take(integer, for: key) }
    return fields.take(number, for: key)
  }

  private mutating func digits() -> Int? {
    let start = place
    while place < bytes.count, bytes[place] &- UInt8(ascii: "0") < 10 { place &+= 1 }
    return place > start && place &- start <= 15 ? integer(start..<place) : nil
  }
}
