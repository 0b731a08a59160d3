import Cupola
import Foundation
import Testing

@testable import CupolaGuide

@Suite("Hostile schedules")
struct HostileFeedTests {
  @Test("whatever stands in the files, reading ends with a feed that holds together, or an error")
  func random() throws {
    var random = SplitMix64(seed: 21)
    let pieces = [
      "\"", ",", "\n", "\r", "t", "a", "-1", "99999999999999999999", "nan", "999:99:99", "\0",
      "é", ",,,,", "1e308", "20260101", "8:00:00", " ",
    ]
    var reads = 0
    for _ in 0..<800 {
      var zip = MadeFeed().zip()
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
        expectWhole(feed.feed)
      }
    }
    #expect(reads > 100)
  }

  private func expectWhole(_ feed: TransitFeed) {
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
    "an archive with any byte changed is read as it was, or refused",
    .enabled(if: RealFeeds.areThere, RealFeeds.absent))
  func flipped() throws {
    let bytes = Array(try Data(contentsOf: URL(filePath: RealFeeds.path("sample-feed-1.zip"))))
    func read(_ bytes: [UInt8]) -> FeedReader.Result? {
      try? FeedReader.read(FeedSource(ZipArchive(made: bytes))) { _ in true }
    }
    let expected = try #require(read(bytes))
    var refused = 0
    var random = SplitMix64(seed: 2)
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= UInt8.random(in: 1 ... .max, using: &random)
      guard let result = read(changed) else {
        refused += 1
        continue
      }
      if result != expected { Issue.record("byte \(place) changes what is read") }
    }
    #expect(refused > bytes.count / 2)
  }

  @Test(
    "an archive cut off at any byte is refused", .enabled(if: RealFeeds.areThere, RealFeeds.absent))
  func truncated() throws {
    let bytes = Array(try Data(contentsOf: URL(filePath: RealFeeds.path("sample-feed-1.zip"))))
    for count in bytes.indices {
      #expect(throws: GuideError.self) { try ZipArchive(made: Array(bytes[..<count])) }
    }
  }
}
