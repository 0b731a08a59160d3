extension Span where Element == UInt8 {
  /// Whether other bytes stand at a place.
  func matches(_ bytes: Span<UInt8>, at start: Int) -> Bool {
    guard start + bytes.count <= count else { return false }
    for index in 0..<bytes.count where self[start + index] != bytes[index] { return false }
    return true
  }
}
