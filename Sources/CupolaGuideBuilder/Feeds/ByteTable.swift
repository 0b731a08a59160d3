internal import CupolaSupport

// 1. Hash the bytes of a text and look them up in an open-addressing table.
// 2. Assign the next number to each new text, and create a `String` only if it is kept.

/// Maps texts to numbers, starting with 0, in order of first appearance.
///
/// Each text requires its own bytes and about 16 more. Lookups do not create a `String`.
struct ByteTable {
  private var arena: [UInt8] = []
  private var ends: [UInt32] = []
  private var hashes: [UInt32] = []
  /// The hash slots. Their number is a power of two, and at most half of them are used; -1 is an empty slot.
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

  // The hash is seeded, so that feeds cannot be crafted to cause collisions.
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

/// The texts of feeds, decoded as UTF-8, or as Latin-1 if they are not valid UTF-8.
enum TextBytes {
  static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
  }

  static func text(_ bytes: ArraySlice<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
