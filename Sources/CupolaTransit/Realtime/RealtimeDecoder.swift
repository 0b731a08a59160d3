public import CupolaGuide
internal import CupolaSupport

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

/// Trip updates, vehicles and alerts, by the field numbers of gtfs-realtime.proto.
extension RealtimeDecoder {
  mutating func tripUpdate(_ parts: Parts) throws(Fault) -> RealtimeFeed.TripUpdate {
    var update = RealtimeFeed.TripUpdate()
    var (trips, vehicles, stops): (Parts, Parts, Parts) = ([], [], [])
    var properties: Parts = []
    try each(parts) { number, value in
      switch number {
      case 1: trips.add(value)
      case 2: stops.add(value)
      case 3: vehicles.add(value)
      case 4: update.timestamp = value.moment ?? update.timestamp
      case 5: update.delay = value.int32 ?? update.delay
      case 6: properties.add(value)
      default: break
      }
    }
    update.trip = try trip(trips)
    update.copy = try copy(properties)
    let vehicle = try descriptor(vehicles)
    update.vehicle = vehicle.id
    update.wheelchair = vehicle.wheelchair
    update.stops.reserveCapacity(stops.count)
    for stop in stops { update.stops.append(try stopUpdate(stop)) }
    return update
  }

  private mutating func trip(_ parts: Parts) throws(Fault) -> RealtimeFeed.Trip {
    var trip = RealtimeFeed.Trip()
    try each(parts) { number, value in
      switch number {
      case 1: trip.id = value.text ?? trip.id
      case 2: trip.startTime = value.text ?? trip.startTime
      case 3: trip.startDate = value.text ?? trip.startDate
      case 4: trip.relationship = value.int32.flatMap { .init(rawValue: $0) } ?? trip.relationship
      case 5: trip.route = value.text ?? trip.route
      case 6: trip.direction = value.int32 ?? trip.direction
      default: break
      }
    }
    return trip
  }

  private mutating func copy(_ parts: Parts) throws(Fault) -> RealtimeFeed.Trip {
    var trip = RealtimeFeed.Trip()
    try each(parts) { number, value in
      switch number {
      case 1: trip.id = value.text ?? trip.id
      case 2: trip.startDate = value.text ?? trip.startDate
      case 3: trip.startTime = value.text ?? trip.startTime
      default: break
      }
    }
    return trip
  }

  private mutating func stopUpdate(
    _ bytes: ArraySlice<UInt8>
  ) throws(Fault) -> RealtimeFeed.StopUpdate {
    var update = RealtimeFeed.StopUpdate()
    var (arrivals, departures): (Parts, Parts) = ([], [])
    try each(bytes) { number, value in
      switch number {
      case 1: update.sequence = value.uint32 ?? update.sequence
      case 2: arrivals.add(value)
      case 3: departures.add(value)
      case 4: update.stop = value.text ?? update.stop
      case 5:
        update.relationship = value.int32.flatMap { .init(rawValue: $0) } ?? update.relationship
      default: break
      }
    }
    if !arrivals.isEmpty { update.arrival = try event(arrivals) }
    if !departures.isEmpty { update.departure = try event(departures) }
    return update
  }

  private mutating func event(_ parts: Parts) throws(Fault) -> RealtimeFeed.Event {
    var event = RealtimeFeed.Event()
    try each(parts) { number, value in
      switch number {
      case 1: event.delay = value.int32 ?? event.delay
      case 2: event.time = value.int64 ?? event.time
      case 3: event.uncertainty = value.int32 ?? event.uncertainty
      case 4: event.scheduledTime = value.int64 ?? event.scheduledTime
      default: break
      }
    }
    return event
  }

  // MARK: - Vehicles

  mutating func vehicle(_ parts: Parts) throws(Fault) -> RealtimeFeed.VehiclePosition {
    var vehicle = RealtimeFeed.VehiclePosition()
    var (trips, names, places): (Parts, Parts, Parts) = ([], [], [])
    try each(parts) { number, value in
      switch number {
      case 1: trips.add(value)
      case 2: places.add(value)
      case 3: vehicle.sequence = value.uint32 ?? vehicle.sequence
      case 4: vehicle.status = value.int32.flatMap { .init(rawValue: $0) } ?? vehicle.status
      case 5: vehicle.timestamp = value.moment ?? vehicle.timestamp
      case 7: vehicle.stop = value.text ?? vehicle.stop
      case 8: names.add(value)
      case 9: vehicle.occupancy = value.int32 ?? vehicle.occupancy
      default: break
      }
    }
    if !trips.isEmpty { vehicle.trip = try trip(trips) }
    let descriptor = try descriptor(names)
    (vehicle.id, vehicle.label) = (descriptor.id, descriptor.label)
    vehicle.wheelchair = descriptor.wheelchair
    try each(places) { number, value in
      switch number {
      case 1: vehicle.latitude = value.float ?? vehicle.latitude
      case 2: vehicle.longitude = value.float ?? vehicle.longitude
      case 3: vehicle.bearing = value.float ?? vehicle.bearing
      case 5: vehicle.speed = value.float ?? vehicle.speed
      default: break
      }
    }
    return vehicle
  }

  /// What a message says of the vehicle itself.
  private struct Descriptor {
    var id: String?
    var label: String?
    var wheelchair: RealtimeFeed.WheelchairAccess?
  }

  private mutating func descriptor(_ parts: Parts) throws(Fault) -> Descriptor {
    var descriptor = Descriptor()
    try each(parts) { number, value in
      switch number {
      case 1: descriptor.id = value.text ?? descriptor.id
      case 2: descriptor.label = value.text ?? descriptor.label
      case 4:
        descriptor.wheelchair = value.int32.flatMap { RealtimeFeed.WheelchairAccess(rawValue: $0) }
      default: break
      }
    }
    return descriptor
  }

  // MARK: - Alerts

  mutating func alert(_ parts: Parts) throws(Fault) -> RealtimeFeed.Alert {
    var alert = RealtimeFeed.Alert()
    var (periods, subjects): (Parts, Parts) = ([], [])
    var (urls, headers, descriptions): (Parts, Parts, Parts) = ([], [], [])
    try each(parts) { number, value in
      switch number {
      case 1: periods.add(value)
      case 5: subjects.add(value)
      case 6: alert.cause = value.int32 ?? alert.cause
      case 7: alert.effect = value.int32 ?? alert.effect
      case 8: urls.add(value)
      case 10: headers.add(value)
      case 11: descriptions.add(value)
      default: break
      }
    }
    for period in periods { alert.periods.append(try self.period(period)) }
    for subject in subjects { alert.subjects.append(try self.subject(subject)) }
    alert.url = try translations(urls)
    alert.header = try translations(headers)
    alert.description = try translations(descriptions)
    return alert
  }

  private mutating func period(
    _ bytes: ArraySlice<UInt8>
  ) throws(Fault) -> RealtimeFeed.Alert.Period {
    var period = RealtimeFeed.Alert.Period()
    try each(bytes) { number, value in
      switch number {
      case 1: period.start = value.moment ?? period.start
      case 2: period.end = value.moment ?? period.end
      default: break
      }
    }
    return period
  }

  private mutating func subject(
    _ bytes: ArraySlice<UInt8>
  ) throws(Fault) -> RealtimeFeed.Alert.Subject {
    var subject = RealtimeFeed.Alert.Subject()
    var trips: Parts = []
    try each(bytes) { number, value in
      switch number {
      case 1: subject.agency = value.text ?? subject.agency
      case 2: subject.route = value.text ?? subject.route
      case 3: subject.routeType = value.int32 ?? subject.routeType
      case 4: trips.add(value)
      case 5: subject.stop = value.text ?? subject.stop
      case 6: subject.direction = value.uint32 ?? subject.direction
      default: break
      }
    }
    if !trips.isEmpty { subject.trip = try trip(trips) }
    return subject
  }

  private mutating func translations(
    _ parts: Parts
  ) throws(Fault) -> [RealtimeFeed.Alert.Translation] {
    var all: Parts = []
    try each(parts) { number, value in if number == 1 { all.add(value) } }
    var translations: [RealtimeFeed.Alert.Translation] = []
    for part in all {
      var translation = RealtimeFeed.Alert.Translation()
      try each(part) { number, value in
        switch number {
        case 1: translation.text = value.text ?? translation.text
        case 2: translation.language = value.text ?? translation.language
        default: break
        }
      }
      translations.append(translation)
    }
    return translations
  }
}

/// Reads the fields of a message of Protocol Buffers (https://protobuf.dev/programming-guides/encoding), whatever the
/// bytes are.
struct ProtobufReader {
  /// What a field holds.
  enum Value: Equatable {
    case varint(UInt64)
    case fixed64(UInt64)
    case fixed32(UInt32)
    /// A text, bytes or another message.
    case bytes(ArraySlice<UInt8>)
  }

  /// The bytes are no message.
  enum Fault: Error, Equatable { case endsEarly, noMessage, tooMany }

  private var rest: ArraySlice<UInt8>

  /// Groups within groups, which nobody has written for years.
  private static let deepestGroup = 50

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// The next field; `nil` at the end. Groups are passed over.
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
  /// Of `uint64`, `bool` and enumerations.
  var number: UInt64? { if case .varint(let value) = self { value } else { nil } }
  /// Of `uint32`.
  var uint32: Int? { number.map { Int(UInt32(truncatingIfNeeded: $0)) } }
  /// Of `int32`; protobuf writes negative ones with 64 bits.
  var int32: Int? { number.map { Int(Int32(truncatingIfNeeded: $0)) } }
  /// Of `int64`.
  var int64: Int? { number.map { Int(Int64(bitPattern: $0)) } }
  /// Of `float`.
  var float: Double? {
    if case .fixed32(let bits) = self { Double(Float(bitPattern: bits)) } else { nil }
  }
  /// Of `string`.
  var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
  /// Of another message.
  var bytes: ArraySlice<UInt8>? { if case .bytes(let bytes) = self { bytes } else { nil } }
}
