/// Reads the blocks of a component from a baseline scan (ITU-T T.81, F.2.2).
///
/// The next bits are looked up: what a whole number with its code means, or, where only lengths matter, how far all
/// the codes go that stand in them.
struct BlockCode {
  /// What the next bits mean: in bits 0 to 5 how many of them are taken, in 6 to 13 by how many coefficients the
  /// block goes on, in 14 to 19 by how many before the last of several codes, in 20 to 31 the number.
  struct Entry: Equatable {
    let bits: UInt32

    /// More is to be looked at than was looked up.
    static let long = Entry(length: 0, coefficients: 0, before: 63)

    init(length: Int, coefficients: Int, before: Int = 0, value: Int = 0) {
      bits =
        UInt32(truncatingIfNeeded: value) << 20 | UInt32(length | coefficients << 6 | before << 14)
    }

    @inline(__always) var length: Int { Int(bits & 63) }
    @inline(__always) var coefficients: Int { Int(bits &>> 6 & 255) }
    @inline(__always) var before: Int { Int(bits &>> 14 & 63) }
    @inline(__always) var value: Int32 { Int32(bitPattern: bits) >> 20 }
  }

  /// By how much the end of a block goes on: farther than a coefficient can from anywhere.
  static let end = 80
  /// The same of bits that are no code: farther than an end.
  static let damaged = 200

  let mean: CodeLookup
  let details: CodeLookup

  /// Takes the difference of the next block's mean to the one before; `nil` where the bits are no code.
  @inline(__always)
  func readMean(_ bits: inout JPEGBits, in bytes: Span<UInt8>) -> Int32? {
    bits.refill(from: bytes)
    let entry = mean.entry(bits)
    guard entry == .long else {
      bits.drop(entry.length)
      return entry.value
    }
    let long = mean.readLong(bits)
    bits = long.after
    bits.refill(from: bytes)
    return long.coefficients < Self.damaged ? long.value : nil
  }

  /// Takes the rest of a block whose mean was read; whether it is one.
  @inline(__always)
  func skip(_ bits: inout JPEGBits, in bytes: Span<UInt8>) -> Bool {
    var last = 0
    while true {
      let entry = details.entry(bits)
      if last &+ entry.before < 63 {
        bits.drop(entry.length)
        last &+= entry.coefficients
      } else {
        // A code longer than what was looked up, or one behind the block's last coefficient.
        let long = details.readLong(bits)
        bits = long.after
        last &+= long.coefficients
      }
      if last >= 63 { return Self.isEnd(last) }
      bits.refill(from: bytes)
    }
  }

  /// The same, adding the coefficients to a transform's sums; whether there are none, and `nil` where it is no
  /// block.
  @inline(__always)
  func readDetails(
    _ bits: inout JPEGBits, in bytes: Span<UInt8>, into sums: inout MutableSpan<Int32>,
    at slots: Span<Int>, by factors: Span<Int32>
  ) -> Bool? {
    var last = 0
    while true {
      let entry = details.entry(bits)
      let value: Int32
      if entry != .long {
        bits.drop(entry.length)
        value = entry.value
        last &+= entry.coefficients
      } else {
        let long = details.readLong(bits)
        bits = long.after
        value = long.value
        last &+= long.coefficients
      }
      if last > 63 { return Self.isEnd(last) ? last == Self.end : nil }
      sums[slots[last]] &+= value &* factors[last]
      if last == 63 { return false }
      bits.refill(from: bytes)
    }
  }

  /// Whether a block may end so: with its last coefficient, or by the code for that.
  private static func isEnd(_ last: Int) -> Bool { last == 63 || (end..<damaged).contains(last) }
}
