public import CupolaGuide
internal import CupolaSupport

// 1. Decode the header and entities by the field numbers of gtfs-realtime.proto.
// 2. Skip unknown fields and merge repeated messages, as required by Protocol Buffers.

extension RealtimeFeed {
  package static let mostBytes = 64 << 20

  /// Decodes a GTFS-realtime message in protobuf format; errors contain `path`.
  ///
  /// - Throws: `GuideError.badFile(path:problem:)` if the message is invalid.
  public init(bytes: [UInt8], path: String = "realtime") throws(GuideError) {
    guard bytes.count <= Self.mostBytes else {
      throw .badFile(
        path: path,
        problem: "larger than \(Self.mostBytes >> 20) MB; check that it is a GTFS-realtime message"
      )
    }
    do throws(ProtobufReader.Fault) {
      self = try RealtimeDecoder(bytes).feed
    } catch {
      let problem =
        switch error {
        case .endsEarly: "truncated message; download it again"
        case .noMessage:
          "not a GTFS-realtime message; download it again in protobuf format, not as text"
        case .tooMany: "too many fields; check that it is a GTFS-realtime message"
        }
      throw .badFile(path: path, problem: problem)
    }
  }
}

struct RealtimeDecoder {
  private(set) var feed = RealtimeFeed()
  /// The remaining number of fields; limits the memory used by tiny entities.
  private var room = 2_000_000

  typealias Fault = ProtobufReader.Fault
  private typealias Bytes = ArraySlice<UInt8>

  init(_ bytes: [UInt8]) throws(Fault) {
    let message = try fields([bytes[...]])
    let headers = message.parts(1)
    guard !headers.isEmpty else { throw .noMessage }
    let header = try fields(headers)
    feed.timestamp = header.last(3) { $0.moment }
    feed.feedVersion = header.last(4) { $0.text }
    for entity in message.parts(2) { try readEntity(entity) }
  }

  private struct Fields {
    var all: [(number: Int, value: ProtobufReader.Value)] = []

    /// Returns the last valid value of a field.
    func last<Result>(_ number: Int, _ read: (ProtobufReader.Value) -> Result?) -> Result? {
      for field in all.reversed() where field.number == number {
        if let result = read(field.value) { return result }
      }
      return nil
    }

    /// Returns all values of a message field: fragments to be merged, or the messages in a list.
    func parts(_ number: Int) -> [Bytes] {
      all.compactMap { $0.number == number ? $0.value.bytes : nil }
    }
  }

  private mutating func fields(_ parts: [Bytes]) throws(Fault) -> Fields {
    var fields = Fields()
    for part in parts {
      var reader = ProtobufReader(part)
      while let field = try reader.next() {
        guard room > 0 else { throw .tooMany }
        room -= 1
        fields.all.append(field)
      }
    }
    return fields
  }

  private mutating func readEntity(_ bytes: Bytes) throws(Fault) {
    let entity = try fields([bytes])
    if entity.last(2, { $0.number }) ?? 0 != 0 { return }
    let (updates, vehicles, alerts) = (entity.parts(3), entity.parts(4), entity.parts(5))
    if !updates.isEmpty { feed.tripUpdates.append(try tripUpdate(updates)) }
    if !vehicles.isEmpty { feed.vehicles.append(try vehicle(vehicles)) }
    if !alerts.isEmpty { feed.alerts.append(try alert(alerts)) }
  }

  private mutating func tripUpdate(_ parts: [Bytes]) throws(Fault) -> RealtimeFeed.TripUpdate {
    let fields = try fields(parts)
    var update = RealtimeFeed.TripUpdate()
    update.timestamp = fields.last(4) { $0.moment }
    update.delay = fields.last(5) { $0.int32 }
    update.trip = try trip(fields.parts(1))
    let copy = try self.fields(fields.parts(6))
    update.copy.id = copy.last(1) { $0.text }
    update.copy.startDate = copy.last(2) { $0.text }
    update.copy.startTime = copy.last(3) { $0.text }
    update.wheelchair = Self.wheelchair(try self.fields(fields.parts(3)))
    for stop in fields.parts(2) { update.stops.append(try stopUpdate(stop)) }
    return update
  }

  private mutating func trip(_ parts: [Bytes]) throws(Fault) -> RealtimeFeed.Trip {
    let fields = try fields(parts)
    return RealtimeFeed.Trip(
      id: fields.last(1) { $0.text }, route: fields.last(5) { $0.text },
      direction: fields.last(6) { $0.int32 }, startTime: fields.last(2) { $0.text },
      startDate: fields.last(3) { $0.text },
      relationship: fields.last(4) { $0.int32.flatMap { .init(rawValue: $0) } } ?? .scheduled)
  }

  private mutating func stopUpdate(_ bytes: Bytes) throws(Fault) -> RealtimeFeed.StopUpdate {
    let fields = try fields([bytes])
    return RealtimeFeed.StopUpdate(
      sequence: fields.last(1) { $0.uint32 }, stop: fields.last(4) { $0.text },
      arrival: try event(fields.parts(2)), departure: try event(fields.parts(3)),
      relationship: fields.last(5) { $0.int32.flatMap { .init(rawValue: $0) } } ?? .scheduled)
  }

  private mutating func event(_ parts: [Bytes]) throws(Fault) -> RealtimeFeed.Event? {
    if parts.isEmpty { return nil }
    let fields = try fields(parts)
    return RealtimeFeed.Event(
      delay: fields.last(1) { $0.int32 }, time: fields.last(2) { $0.int64 },
      scheduledTime: fields.last(4) { $0.int64 })
  }

  private mutating func vehicle(_ parts: [Bytes]) throws(Fault) -> RealtimeFeed.VehiclePosition {
    let fields = try fields(parts)
    var vehicle = RealtimeFeed.VehiclePosition()
    vehicle.timestamp = fields.last(5) { $0.moment }
    let trips = fields.parts(1)
    if !trips.isEmpty { vehicle.trip = try trip(trips) }
    let descriptor = try self.fields(fields.parts(8))
    vehicle.id = descriptor.last(1) { $0.text }
    vehicle.label = descriptor.last(2) { $0.text }
    vehicle.wheelchair = Self.wheelchair(descriptor)
    let place = try self.fields(fields.parts(2))
    vehicle.latitude = place.last(1) { $0.float }
    vehicle.longitude = place.last(2) { $0.float }
    vehicle.bearing = place.last(3) { $0.float }
    return vehicle
  }

  /// An unknown value resets a preceding one.
  private static func wheelchair(_ descriptor: Fields) -> RealtimeFeed.WheelchairAccess? {
    descriptor.last(4) { $0 }?.int32.flatMap { RealtimeFeed.WheelchairAccess(rawValue: $0) }
  }

  private mutating func alert(_ parts: [Bytes]) throws(Fault) -> RealtimeFeed.Alert {
    let fields = try fields(parts)
    var alert = RealtimeFeed.Alert()
    for part in fields.parts(1) {
      let period = try self.fields([part])
      alert.periods.append(
        .init(start: period.last(1) { $0.moment }, end: period.last(2) { $0.moment }))
    }
    for part in fields.parts(5) { alert.subjects.append(try subject(part)) }
    alert.header = try translations(fields.parts(10))
    alert.description = try translations(fields.parts(11))
    return alert
  }

  private mutating func subject(_ bytes: Bytes) throws(Fault) -> RealtimeFeed.Alert.Subject {
    let fields = try fields([bytes])
    let trips = fields.parts(4)
    return RealtimeFeed.Alert.Subject(
      agency: fields.last(1) { $0.text }, route: fields.last(2) { $0.text },
      direction: fields.last(6) { $0.uint32 }, stop: fields.last(5) { $0.text },
      routeType: fields.last(3) { $0.int32 }, trip: trips.isEmpty ? nil : try trip(trips))
  }

  private mutating func translations(
    _ parts: [Bytes]
  ) throws(Fault) -> [RealtimeFeed.Alert.Translation] {
    var translations: [RealtimeFeed.Alert.Translation] = []
    for part in try fields(parts).parts(1) {
      let fields = try fields([part])
      translations.append(
        .init(text: fields.last(1) { $0.text } ?? "", language: fields.last(2) { $0.text }))
    }
    return translations
  }
}

/// Reads the fields of a Protocol Buffers message; any bytes are safe.
///
/// Source: https://protobuf.dev/programming-guides/encoding
struct ProtobufReader {
  enum Value: Equatable {
    case varint(UInt64)
    case fixed64(UInt64)
    case fixed32(UInt32)
    case bytes(ArraySlice<UInt8>)
  }

  /// The bytes are not a valid message.
  enum Fault: Error, Equatable { case endsEarly, noMessage, tooMany }

  private var rest: ArraySlice<UInt8>

  /// The maximum nesting depth of groups, which are a deprecated feature.
  private static let deepestGroup = 50

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// Returns the next field, or `nil` at the end; skips groups.
  mutating func next() throws(Fault) -> (number: Int, value: Value)? {
    while !rest.isEmpty {
      let (number, type) = try key()
      switch type {
      case 0: return (number, .varint(try varint()))
      case 1: return (number, .fixed64(try fixed(8)))
      case 2: return (number, .bytes(try bytes()))
      case 3: try skipGroup(number)
      case 5: return (number, .fixed32(UInt32(truncatingIfNeeded: try fixed(4))))
      default: throw .noMessage
      }
    }
    return nil
  }

  private mutating func key() throws(Fault) -> (number: Int, type: Int) {
    let key = try varint()
    guard key >> 3 > 0, key >> 3 < 1 << 29 else { throw .noMessage }
    return (Int(key >> 3), Int(key & 7))
  }

  private mutating func varint() throws(Fault) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = rest.popFirst() else { throw .endsEarly }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw .noMessage
  }

  private mutating func fixed(_ count: Int) throws(Fault) -> UInt64 {
    guard rest.count >= count else { throw .endsEarly }
    let value = rest.prefix(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    rest = rest.dropFirst(count)
    return value
  }

  private mutating func bytes() throws(Fault) -> ArraySlice<UInt8> {
    let count = try varint()
    guard count <= UInt64(rest.count) else { throw .endsEarly }
    defer { rest = rest.dropFirst(Int(count)) }
    return rest.prefix(Int(count))
  }

  private mutating func skipGroup(_ number: Int) throws(Fault) {
    var open = [number]
    while let innermost = open.last {
      let (number, type) = try key()
      switch type {
      case 0: _ = try varint()
      case 1: _ = try fixed(8)
      case 2: _ = try bytes()
      case 3:
        guard open.count < Self.deepestGroup else { throw .noMessage }
        open.append(number)
      case 4:
        guard number == innermost else { throw .noMessage }
        open.removeLast()
      case 5: _ = try fixed(4)
      default: throw .noMessage
      }
    }
  }
}

extension ProtobufReader.Value {
  /// Seconds since 1970; `nil` for 0.
  var moment: Double? { number.flatMap { $0 == 0 ? nil : Double($0) } }
  /// The value of a `uint64`, `bool` or enum field.
  var number: UInt64? { if case .varint(let value) = self { value } else { nil } }
  var uint32: Int? { number.map { Int(UInt32(truncatingIfNeeded: $0)) } }
  /// The value of an `int32` field; protobuf encodes negative numbers with 64 bits.
  var int32: Int? { number.map { Int(Int32(truncatingIfNeeded: $0)) } }
  var int64: Int? { number.map { Int(Int64(bitPattern: $0)) } }
  var float: Double? {
    if case .fixed32(let bits) = self { Double(Float(bitPattern: bits)) } else { nil }
  }
  var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
  var bytes: ArraySlice<UInt8>? { if case .bytes(let bytes) = self { bytes } else { nil } }
}
