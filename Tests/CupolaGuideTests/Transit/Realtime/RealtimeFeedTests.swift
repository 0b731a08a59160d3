import CupolaTestSupport
import Cupola
import Testing
@testable import CupolaGuide
@testable import CupolaGuideBuilder
@testable import CupolaSupport
@testable import CupolaTransit

@Suite("GTFS-realtime messages") struct RealtimeFeedTests {
  private static let trip = TestMessage().with(1, "t").with(2, "24:10:00").with(3, "20261123")
    .with(4, 0).with(5, "55").with(6, 1)
  private static let stop = TestMessage().with(1, 3)
    .with(2, TestMessage().with(1, -5).with(3, 30))
    .with(3, TestMessage().with(2, 1_763_900_000)).with(4, "A").with(5, 0)

  static let whole = TestMessage.feed(
    version: "v7", TestMessage.update(trip, stop),
    TestMessage().with(
      4,
      TestMessage().with(1, trip)
        .with(
          2,
          TestMessage().with(1, float: 42.5).with(2, float: -87.25).with(3, float: 90)
            .with(5, float: 7.5)
        ).with(3, 4).with(4, 1).with(5, 999_990).with(7, "B")
        .with(8, TestMessage().with(1, "bus 7").with(2, "7").with(4, 3)).with(9, 2)),
    TestMessage().with(
      5,
      TestMessage().with(1, TestMessage().with(1, 5).with(2, 9))
        .with(5, TestMessage().with(2, "55").with(5, "A")).with(6, 10).with(7, 4)
        .with(
          10,
          TestMessage().with(1, TestMessage().with(1, "Detour").with(2, "en"))
            .with(1, TestMessage().with(1, "Umleitung").with(2, "de-AT")))))

  @Test("Reads each field by its number in the reference")
  func fields() throws {
    let feed = try RealtimeFeed(bytes: Self.whole)
    #expect(feed.timestamp == 1_000_000 && feed.feedVersion == "v7")
    let update = try #require(feed.tripUpdates.first)
    #expect(update.trip.id == "t" && update.trip.route == "55" && update.trip.direction == 1)
    #expect(update.trip.startTime == "24:10:00" && update.trip.startDate == "20261123")
    let stop = try #require(update.stops.first)
    #expect(stop.sequence == 3 && stop.stop == "A")
    #expect(stop.arrival == RealtimeFeed.Event(delay: -5))
    #expect(stop.departure?.time == 1_763_900_000 && stop.departure?.delay == nil)
    let vehicle = try #require(feed.vehicles.first)
    #expect(vehicle.latitude == 42.5 && vehicle.longitude == -87.25 && vehicle.bearing == 90)
    #expect(vehicle.id == "bus 7" && vehicle.label == "7")
    #expect(vehicle.wheelchair == .doesNotFit && update.wheelchair == nil)
    #expect(vehicle.timestamp == 999_990 && vehicle.trip?.id == "t")
    let alert = try #require(feed.alerts.first)
    #expect(alert.subjects.first?.stop == "A")
    #expect(alert.holds(at: 5) && !alert.holds(at: 9) && !alert.holds(at: 4))
    #expect(alert.header.text(in: "de") == "Umleitung" && alert.header.text(in: "fr") == "Detour")
    let chinese = ["en", "zh-Hans", "zh-Hant"].map {
      RealtimeFeed.Alert.Translation(text: $0, language: $0)
    }
    #expect(chinese.text(in: "zh-Hant-TW") == "zh-Hant" && chinese.text(in: "zh") == "zh-Hans")
    #expect(chinese.text(in: nil) == "en")
  }

  @Test("Ignores unknown fields and merges repeated messages")
  func tolerance() throws {
    let group: [UInt8] = [0xA3, 0x06, 0x08, 0x01, 0xA4, 0x06]
    let half = TestMessage().with(raw: group).with(1, TestMessage().with(1, "t")).with(999, "x")
    let rest = TestMessage().with(1, TestMessage().with(5, "55"))
    let feed = try RealtimeFeed(
      bytes: TestMessage.feed(TestMessage().with(3, half).with(3, rest)))
    #expect(feed.tripUpdates.first?.trip.id == "t" && feed.tripUpdates.first?.trip.route == "55")
    let deleted = TestMessage.update(Self.trip).with(2, 1)
    #expect(try RealtimeFeed(bytes: TestMessage.feed(deleted)).tripUpdates.isEmpty)
  }

  @Test("A truncated or changed message never crashes")
  func cut() throws {
    for count in 0..<Self.whole.count {
      _ = try? RealtimeFeed(bytes: Array(Self.whole.prefix(count)))
    }
    var random = SplitMix64(seed: 9)
    for _ in 0..<Verification.count(2_000, of: 20_000) {
      var bytes = Self.whole
      for _ in 0...random.below(4) {
        bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
      }
      _ = try? RealtimeFeed(bytes: bytes)
    }
  }

  @Test("Reports an invalid message on one line with its name")
  func wrong() {
    let claims: [UInt8] = [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]
    let deep = [UInt8](repeating: 0x0B, count: 100_000)
    let text = Array("{\"header\": {}}".utf8)
    for bytes in [[], [0], claims, deep, text, Array(repeating: 0xFF, count: 20)] {
      let error = #expect(throws: GuideError.self) { try RealtimeFeed(bytes: bytes, path: "a.pb") }
      #expect(error?.message.hasPrefix("a.pb: ") ?? false)
    }
    var entities: [UInt8] = [0x12, 0x00]
    for _ in 0..<21 { entities += entities }
    let many = TestMessage().with(1, TestMessage().with(1, "2.0")).bytes + entities
    #expect(throws: GuideError.self) { try RealtimeFeed(bytes: many) }
  }
}

/// Writes Protocol Buffers messages.
struct TestMessage {
  private(set) var bytes: [UInt8] = []

  static func varint(_ value: UInt64) -> [UInt8] {
    var (bytes, rest): ([UInt8], UInt64) = ([], value)
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  func with(_ number: Int, _ value: Int) -> TestMessage {
    var other = self
    other.bytes += Self.varint(UInt64(number) << 3) + Self.varint(UInt64(bitPattern: Int64(value)))
    return other
  }

  func with(_ number: Int, _ text: String) -> TestMessage { with(number, Array(text.utf8)) }

  func with(_ number: Int, _ message: TestMessage) -> TestMessage { with(number, message.bytes) }

  func with(_ number: Int, float: Float) -> TestMessage {
    var other = self
    other.bytes += Self.varint(UInt64(number) << 3 | 5)
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      other.bytes.append(UInt8(truncatingIfNeeded: float.bitPattern >> shift))
    }
    return other
  }

  func with(_ number: Int, _ content: [UInt8]) -> TestMessage {
    var other = self
    other.bytes +=
      Self.varint(UInt64(number) << 3 | 2) + Self.varint(UInt64(content.count)) + content
    return other
  }

  func with(raw: [UInt8]) -> TestMessage {
    var other = self
    other.bytes += raw
    return other
  }

  static func feed(
    at timestamp: Int = 1_000_000, version: String? = nil, _ entities: TestMessage...
  ) -> [UInt8] {
    var header = TestMessage().with(1, "2.0").with(2, 0).with(3, timestamp)
    if let version { header = header.with(4, version) }
    var feed = TestMessage().with(1, header)
    for (number, entity) in entities.enumerated() {
      feed = feed.with(2, TestMessage().with(1, "\(number)").with(raw: entity.bytes))
    }
    return feed.bytes
  }

  static func update(_ trip: TestMessage, _ stops: TestMessage...) -> TestMessage {
    var update = TestMessage().with(1, trip)
    for stop in stops { update = update.with(2, stop) }
    return TestMessage().with(3, update)
  }
}
