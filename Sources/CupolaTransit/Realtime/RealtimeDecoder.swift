public import CupolaGuide

/// Makes feeds of messages of Protocol Buffers; fields that are not known are passed over, what comes twice is joined as
/// protobuf says.
struct RealtimeDecoder {
  private(set) var feed = RealtimeFeed()
  /// Fields that may still come: a message of two-byte entities must not fill the memory.
  private var room = 2_000_000

  typealias Fault = ProtobufReader.Fault

  init(_ bytes: [UInt8]) throws(Fault) {
    var (headers, entities): (Parts, Parts) = ([], [])
    try each(bytes[...]) { number, value in
      switch number {
      case 1: headers.add(value)
      case 2: entities.add(value)
      default: break
      }
    }
    guard !headers.isEmpty else { throw .noMessage }
    try readHeader(headers)
    for entity in entities { try readEntity(entity) }
  }

  /// Hands out the fields of a message in pieces.
  mutating func each(
    _ parts: Parts, _ body: (Int, ProtobufReader.Value) -> Void
  ) throws(Fault) {
    for part in parts { try each(part, body) }
  }

  /// Hands out the fields of a message.
  mutating func each(
    _ bytes: ArraySlice<UInt8>, _ body: (Int, ProtobufReader.Value) -> Void
  ) throws(Fault) {
    var reader = ProtobufReader(bytes)
    while let (number, value) = try reader.next() {
      guard room > 0 else { throw .tooMany }
      room -= 1
      body(number, value)
    }
  }

  private mutating func readHeader(_ parts: Parts) throws(Fault) {
    var feed = feed
    try each(parts) { number, value in
      switch number {
      case 1: feed.version = value.text ?? feed.version
      case 2: feed.isDifferential = value.number.map { $0 == 1 } ?? feed.isDifferential
      case 3: feed.timestamp = value.moment ?? feed.timestamp
      case 4: feed.feedVersion = value.text ?? feed.feedVersion
      default: break
      }
    }
    self.feed = feed
  }

  private mutating func readEntity(_ bytes: ArraySlice<UInt8>) throws(Fault) {
    var isDeleted = false
    var (updates, positions, alerts): (Parts, Parts, Parts) = ([], [], [])
    try each(bytes) { number, value in
      switch number {
      case 2: isDeleted = value.number.map { $0 != 0 } ?? isDeleted
      case 3: updates.add(value)
      case 4: positions.add(value)
      case 5: alerts.add(value)
      default: break
      }
    }
    if isDeleted { return }
    if !updates.isEmpty { feed.tripUpdates.append(try tripUpdate(updates)) }
    if !positions.isEmpty { feed.vehicles.append(try vehicle(positions)) }
    if !alerts.isEmpty { feed.alerts.append(try alert(alerts)) }
  }

  /// Pieces of one message, which count as one behind the other.
  typealias Parts = [ArraySlice<UInt8>]
}

extension RealtimeDecoder.Parts {
  mutating func add(_ value: ProtobufReader.Value) {
    if let bytes = value.bytes { append(bytes) }
  }
}

extension ProtobufReader.Value {
  /// Seconds since 1970; 0 stands for none.
  var moment: Double? { number.flatMap { $0 == 0 ? nil : Double($0) } }
}

extension RealtimeFeed {
  /// Bytes of a message at most.
  public static let mostBytes = 64 << 20

  /// Reads a message.
  ///
  /// - Parameters:
  ///   - bytes: a message of GTFS-realtime.
  ///   - path: what it is called in errors.
  /// - Throws: ``GuideError/badFeed(path:problem:)``.
  public init(bytes: [UInt8], path: String = "realtime") throws(GuideError) {
    guard bytes.count <= Self.mostBytes else {
      throw .badFeed(
        path: path, problem: "more than \(Self.mostBytes >> 20) MB; no realtime message is so large"
      )
    }
    do throws(ProtobufReader.Fault) {
      self = try RealtimeDecoder(bytes).feed
    } catch {
      let problem =
        switch error {
        case .endsEarly: "it ends early; fetch it again"
        case .noMessage: "no GTFS-realtime message; fetch it again, and as bytes, not as text"
        case .tooMany: "more values than any realtime message has"
        }
      throw .badFeed(path: path, problem: problem)
    }
  }
}
