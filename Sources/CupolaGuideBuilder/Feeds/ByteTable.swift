internal import CupolaSupport

// 1. Hash the bytes of a text and look them up in an open-addressing table.
// 2. Give each new text the next number.
// 3. Make a `String` only for the texts that are kept.

/// Numbers for texts: equal bytes have the same number, 0 and up in the order in which they came.
///
/// A text takes its bytes and some 16 more; no `String` is made to look one up.
struct ByteTable {
  private var arena: [UInt8] = []
  private var ends: [UInt32] = []
  private var hashes: [UInt32] = []
  /// A power of two of places, at most half of them taken; -1 is free.
  private var slots: [Int32] = Array(repeating: -1, count: 64)

  var count: Int { ends.count }

  func number(of range: Range<Int>, in bytes: [UInt8]) -> Int32? {
    let found = slots[slot(of: range, in: bytes, hash: Self.hash(range, bytes))]
    return found < 0 ? nil : found
  }

  mutating func add(_ range: Range<Int>, in bytes: [UInt8]) -> (number: Int32, isNew: Bool)? {
    let hash = Self.hash(range, bytes)
    var slot = slot(of: range, in: bytes, hash: hash)
    if slots[slot] >= 0 { return (slots[slot], false) }
    guard let end = UInt32(exactly: arena.count + range.count), let number = Int32(exactly: count)
    else { return nil }
    if 2 * (count + 1) > slots.count {
      grow()
      slot = self.slot(of: range, in: bytes, hash: hash)
    }
    slots[slot] = number
    arena += bytes[range]
    ends.append(end)
    hashes.append(hash)
    return (number, true)
  }

  func isEqual(_ number: Int32, _ range: Range<Int>, in bytes: [UInt8]) -> Bool {
    let own = place(of: Int(number))
    guard own.count == range.count else { return false }
    for offset in 0..<own.count
    where arena[own.lowerBound &+ offset] != bytes[range.lowerBound &+ offset] { return false }
    return true
  }

  func text(_ number: Int32) -> String { TextBytes.text(arena[place(of: Int(number))]) }

  private func place(of number: Int) -> Range<Int> {
    (number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number])
  }

  private func slot(of range: Range<Int>, in bytes: [UInt8], hash: UInt32) -> Int {
    let mask = slots.count &- 1
    var slot = Int(hash) & mask
    while slots[slot] >= 0 {
      let number = slots[slot]
      if hashes[Int(number)] == hash, isEqual(number, range, in: bytes) { break }
      slot = (slot &+ 1) & mask
    }
    return slot
  }

  private mutating func grow() {
    slots = Array(repeating: -1, count: 2 * slots.count)
    let mask = slots.count &- 1
    for (number, hash) in hashes.enumerated() {
      var slot = Int(hash) & mask
      while slots[slot] >= 0 { slot = (slot &+ 1) & mask }
      slots[slot] = Int32(truncatingIfNeeded: number)
    }
  }

  // Seeded, so that nobody can make a feed of texts that all hash alike.
  private static func hash(_ range: Range<Int>, _ bytes: [UInt8]) -> UInt32 {
    var hasher = Hasher()
    hasher.combine(range.count)
    var (word, count) = (UInt64(0), 0)
    for byte in bytes[range] {
      word = word << 8 | UInt64(byte)
      count &+= 1
      if count & 7 == 0 { hasher.combine(word) }
    }
    hasher.combine(word)
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }
}

/// Texts of feeds: UTF-8, and of feeds that do not keep to it, Latin-1.
enum TextBytes {
  static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
  }

  /// The text, in which bytes that are no UTF-8 are letters of Latin-1.
  static func text(_ bytes: ArraySlice<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
