import Cupola
import CupolaCampus
import CupolaSupport
import CupolaTestSupport
import CupolaTransit
import Foundation
import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Hostile feeds")
struct HostileFeedTests {
  @Test("Random damage gives a consistent feed or an error")
  func random() throws {
    var random = SplitMix64(seed: 21)
    let pieces = [
      "\"", ",", "\n", "\r", "t", "a", "-1", "99999999999999999999", "nan", "999:99:99", "\0",
      "é", ",,,,", "1e308", "20260101", "8:00:00", " ",
    ]
    var reads = 0
    for _ in 0..<(Verification.isFull ? 800 : 200) {
      var zip = TestFeed().zip()
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let file = Int.random(in: zip.files.indices, using: &random)
        let place = Int.random(in: 0...zip.files[file].bytes.count, using: &random)
        let end = min(zip.files[file].bytes.count, place + Int.random(in: 0...9, using: &random))
        let piece = pieces.randomElement(using: &random) ?? ""
        zip.files[file].bytes.replaceSubrange(place..<end, with: piece.utf8)
      }
      if let feed = try? FeedReader.read(
        FeedSource(ZipArchive(made: zip.bytes)), keeps: { _ in true })
      {
        reads += 1
        expectConsistent(feed.feed)
      }
    }
    #expect(reads > (Verification.isFull ? 100 : 20))
  }

  private func expectConsistent(_ feed: TransitFeed) {
    var next: Int32 = 0
    for trip in feed.trips {
      #expect(trip.stopTimes.lowerBound == next && !trip.stopTimes.isEmpty)
      next = trip.stopTimes.upperBound
      #expect(feed.routes.indices.contains(Int(trip.route)))
      #expect(feed.services.indices.contains(Int(trip.service)))
    }
    #expect(Int(next) == feed.stopTimes.count)
    #expect(feed.stopTimes.allSatisfy { feed.stops.indices.contains(Int($0.stop)) })
    #expect(feed.routes.allSatisfy { feed.agencies.indices.contains(Int($0.agency)) })
    #expect(feed.frequencies.allSatisfy { feed.trips.indices.contains(Int($0.trip)) })
    #expect(
      feed.stops.allSatisfy { $0.parent.map { feed.stops.indices.contains(Int($0)) } ?? true })
  }

  @Test(
    "An archive with a changed byte reads the same or is rejected",
    .enabled(if: RealFeeds.exist, RealFeeds.missingReason))
  func flipped() throws {
    let bytes = Array(try Data(contentsOf: URL(filePath: RealFeeds.path("sample-feed-1.zip"))))
    func read(_ bytes: [UInt8]) -> FeedReader.Result? {
      try? FeedReader.read(FeedSource(ZipArchive(made: bytes))) { _ in true }
    }
    let expected = try #require(read(bytes))
    var refused = 0
    var random = SplitMix64(seed: 2)
    var places = 0
    for place in stride(from: 0, to: bytes.count, by: Verification.isFull ? 1 : 7) {
      places += 1
      var changed = bytes
      changed[place] ^= UInt8.random(in: 1 ... .max, using: &random)
      guard let result = read(changed) else {
        refused += 1
        continue
      }
      if result != expected { Issue.record("byte \(place) changes the result") }
    }
    #expect(refused > places / 2)
  }

  @Test(
    "Rejects an archive truncated at any byte",
    .enabled(if: RealFeeds.exist, RealFeeds.missingReason))
  func truncated() throws {
    let bytes = Array(try Data(contentsOf: URL(filePath: RealFeeds.path("sample-feed-1.zip"))))
    for count in stride(from: 0, to: bytes.count, by: Verification.isFull ? 1 : 7) {
      #expect(throws: GuideError.self) { try ZipArchive(made: Array(bytes[..<count])) }
    }
  }
}

/// The counts and digests were computed with gtfs-kit 13.0.1 and pandas 3.1.1.
@Suite("Real feeds", .enabled(if: RealFeeds.exist, RealFeeds.missingReason))
struct RealFeedTests {
  struct Expected: CustomTestStringConvertible {
    let path: String
    /// The numbers of agencies, stops, routes, services, trips, stop times and frequencies.
    let counts: [Int]
    let digest: String

    var testDescription: String { path }
  }

  static let all = [
    Expected(
      path: "sample-feed-1.zip", counts: [1, 9, 5, 2, 11, 28, 11],
      digest: "f5ebf51526ac8ad48b84ca476f8f620ebbeae29ee4314fbe2becc00cfd153df6"),
    Expected(
      path: "bullrunner/gtfs.zip", counts: [1, 125, 6, 3, 15, 473, 15],
      digest: "bde8e969996b7bd12323a1eddddabc32a9e68df6e99f86ff20df4f2db6e3631e"),
    Expected(
      path: "king-county/gtfs.zip", counts: [1, 56, 1, 3, 282, 6923, 0],
      digest: "da681c91bbce9bb5f4748e7168ab6aca218b832105ec5477917c847022035029"),
    Expected(
      path: "wmata/gtfs.zip", counts: [1, 956, 14, 8, 2830, 154_763, 0],
      digest: "69cae60a03d7e069689706cc5bb4d1252e7f2b0018176e63f7f5bd733aac7a0b"),
  ]

  @Test("Rows match those of an independent reader", arguments: all)
  func whole(expected: Expected) throws {
    let result = try FeedReader.read(RealFeeds.path(expected.path)) { _ in true }
    let feed = result.feed
    #expect(result.faults.map(\.description) == [])
    #expect(
      [
        feed.agencies.count, feed.stops.count, feed.routes.count, feed.services.count,
        feed.trips.count, feed.stopTimes.count, feed.frequencies.count,
      ] == expected.counts)
    #expect(digest(feed) == expected.digest)
  }

  /// Returns the digest of sorted lines with trip, sequence, stop, arrival and departure.
  private func digest(_ feed: TransitFeed) -> String {
    let lines = feed.trips.flatMap { trip in
      let rows = Int(trip.stopTimes.lowerBound)..<Int(trip.stopTimes.upperBound)
      return feed.stopTimes[rows].map { time in
        let stop = feed.stops[Int(time.stop)].id
        return "\(trip.id)|\(time.sequence)|\(stop)|\(time.arrival)|\(time.departure)\n"
      }
    }
    return SHA256.hexadecimal(of: Array(lines.sorted().joined().utf8))
  }

  @Test("A cut of a real feed keeps only trips that call there")
  func cut() throws {
    let path = RealFeeds.path("king-county/gtfs.zip")
    func isNear(_ point: MapPoint) -> Bool {
      abs(point.latitude - 47.6) < 0.004 && abs(point.longitude + 122.33) < 0.006
    }
    let feed = try FeedReader.read(path, keeps: isNear).feed
    let whole = try FeedReader.read(path) { _ in true }.feed
    func near(_ feed: TransitFeed) -> [String] {
      feed.trips.filter { trip in
        feed.stopTimes[Int(trip.stopTimes.lowerBound)..<Int(trip.stopTimes.upperBound)].contains {
          feed.stops[Int($0.stop)].point.map(isNear) ?? false
        }
      }.map(\.id)
    }
    #expect(feed.trips.map(\.id) == near(whole))
    #expect(feed.trips.count < whole.trips.count && !feed.trips.isEmpty)
  }
}
