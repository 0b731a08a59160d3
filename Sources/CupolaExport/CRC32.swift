/// The cyclic redundancy check of ZIP and PNG (ISO 3309, polynomial 0xEDB88320 with bits reversed).
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in
      value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320
    }
  }

  /// The check of some bytes.
  static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
  }
}
