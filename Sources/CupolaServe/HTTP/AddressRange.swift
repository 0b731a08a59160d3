#if Serve
  internal import CupolaCampus

  #if canImport(Darwin)
    internal import Darwin
  #else
    internal import Glibc
  #endif

  /// A range of IP addresses in CIDR notation, such as `10.0.0.0/8` or `fd00::/8`. A single address is also a range.
  package struct AddressRange: Sendable, Equatable {
    private let bytes: [UInt8]
    private let bits: Int

    /// Returns `nil` if the text is not an address or range.
    package init?(_ text: String) {
      let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard let bytes = Self.bytes(String(parts[0])) else { return nil }
      let most = 8 * bytes.count
      guard let bits = parts.count > 1 ? Digits.number(parts[1]) : most, bits <= most else {
        return nil
      }
      (self.bytes, self.bits) = (bytes, bits)
    }

    func contains(_ address: String) -> Bool {
      guard let other = Self.bytes(address), other.count == bytes.count else { return false }
      return zip(bytes, other).enumerated().allSatisfy { number, pair in
        let rest = min(max(bits - 8 * number, 0), 8)
        return (pair.0 ^ pair.1) >> (8 - rest) == 0
      }
    }

    static func isAddress(_ text: some StringProtocol) -> Bool { bytes(String(text)) != nil }

    /// The 4 or 16 bytes of an address; 4 for IPv4 addresses of the form `::ffff:10.0.0.1`.
    private static func bytes(_ text: String) -> [UInt8]? {
      var small = in_addr()
      if unsafe inet_pton(AF_INET, text, &small) == 1 {
        return unsafe withUnsafeBytes(of: &small) { unsafe Array($0) }
      }
      var large = in6_addr()
      guard unsafe inet_pton(AF_INET6, text, &large) == 1 else { return nil }
      let bytes = unsafe withUnsafeBytes(of: &large) { unsafe Array($0) }
      let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]
      return bytes.starts(with: mapped) ? Array(bytes.dropFirst(mapped.count)) : bytes
    }
  }
#endif
