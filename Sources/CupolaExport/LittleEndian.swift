extension FixedWidthInteger where Self: UnsignedInteger {
  /// The bytes, the lowest first.
  var littleEndianBytes: [UInt8] {
    (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
  }
}
