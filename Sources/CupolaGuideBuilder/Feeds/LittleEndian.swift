/// Numbers with the lowest byte first.
struct LittleEndian {
  let bytes: [UInt8]

  func number16(at place: Int) -> Int? { number(at: place, width: 2).map { Int($0) } }

  func number32(at place: Int) -> Int? { number(at: place, width: 4).map { Int($0) } }

  /// `nil` also of what is more than an `Int` holds.
  func number64(at place: Int) -> Int? {
    number(at: place, width: 8).flatMap { Int(exactly: $0) }
  }

  private func number(at place: Int, width: Int) -> UInt64? {
    guard place >= 0, place <= bytes.count - width else { return nil }
    var value: UInt64 = 0
    for offset in (0..<width).reversed() { value = value << 8 | UInt64(bytes[place + offset]) }
    return value
  }
}
