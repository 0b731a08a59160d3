/// Writes messages of Protocol Buffers.
struct MadeMessage {
  private(set) var bytes: [UInt8] = []

  static func varint(_ value: UInt64) -> [UInt8] {
    var (bytes, rest): ([UInt8], UInt64) = ([], value)
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  func with(_ number: Int, _ value: Int) -> MadeMessage {
    var other = self
    other.bytes += Self.varint(UInt64(number) << 3) + Self.varint(UInt64(bitPattern: Int64(value)))
    return other
  }

  func with(_ number: Int, _ text: String) -> MadeMessage { with(number, Array(text.utf8)) }

  func with(_ number: Int, _ message: MadeMessage) -> MadeMessage { with(number, message.bytes) }

  func with(_ number: Int, float: Float) -> MadeMessage {
    var other = self
    other.bytes += Self.varint(UInt64(number) << 3 | 5)
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      other.bytes.append(UInt8(truncatingIfNeeded: float.bitPattern >> shift))
    }
    return other
  }

  func with(_ number: Int, _ content: [UInt8]) -> MadeMessage {
    var other = self
    other.bytes +=
      Self.varint(UInt64(number) << 3 | 2) + Self.varint(UInt64(content.count)) + content
    return other
  }

  func with(raw: [UInt8]) -> MadeMessage {
    var other = self
    other.bytes += raw
    return other
  }

  /// A feed of 2.0 with entities.
  static func feed(
    at timestamp: Int = 1_000_000, version: String? = nil, _ entities: MadeMessage...
  ) -> [UInt8] {
    var header = MadeMessage().with(1, "2.0").with(2, 0).with(3, timestamp)
    if let version { header = header.with(4, version) }
    var feed = MadeMessage().with(1, header)
    for (number, entity) in entities.enumerated() {
      feed = feed.with(2, MadeMessage().with(1, "\(number)").with(raw: entity.bytes))
    }
    return feed.bytes
  }

  /// An entity with a trip update.
  static func update(_ trip: MadeMessage, _ stops: MadeMessage...) -> MadeMessage {
    var update = MadeMessage().with(1, trip)
    for stop in stops { update = update.with(2, stop) }
    return MadeMessage().with(3, update)
  }
}
