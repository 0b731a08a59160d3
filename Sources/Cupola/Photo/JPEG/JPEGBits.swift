/// Reads the bits of a scan; zeros where its data end.
struct JPEGBits {
  /// The byte from which on ``refill(from:)`` takes.
  private(set) var position: Int
  /// The next bits, the first of them the highest.
  private var held: UInt64 = 0
  /// How many of them are sure; those behind them come again.
  private var count = 0

  /// - Parameter position: the first byte in ``EntropyData/bytes``.
  init(at position: Int) { self.position = position }

  /// The first byte of which no bit was taken.
  var nextByte: Int { position - count >> 3 }

  /// Holds the next 56 bits or more.
  @inline(__always)
  mutating func refill(from bytes: Span<UInt8>) {
    let word = bytes.word(at: position)
    held |= word &>> UInt64(truncatingIfNeeded: count)
    position &+= (63 &- count) &>> 3
    count |= 56
  }

  /// The next bits, up to 16, which stay; `refill(from:)` holds them.
  @inline(__always)
  func peek(_ length: Int) -> Int { Int(truncatingIfNeeded: held &>> UInt64(64 &- length)) }

  /// Takes bits, up to 56, that are held.
  @inline(__always)
  mutating func drop(_ length: Int) {
    held = held &<< UInt64(truncatingIfNeeded: length)
    count &-= length
  }

  /// Takes a number of so many bits, up to 16, that are held.
  @inline(__always)
  mutating func number(_ length: Int) -> Int {
    guard length > 0 else { return 0 }
    defer { drop(length) }
    return peek(length)
  }

  /// The same of a number that may be negative (T.81, F.2.2.1).
  @inline(__always)
  mutating func signed(_ length: Int) -> Int { Self.signed(number(length), length) }

  /// The number that so many bits mean.
  static func signed(_ bits: Int, _ length: Int) -> Int {
    length > 0 && bits < 1 << (length - 1) ? bits - (1 << length - 1) : bits
  }
}
