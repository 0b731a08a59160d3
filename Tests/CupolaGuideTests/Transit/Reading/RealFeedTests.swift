import CupolaCampus
import Testing

@testable import CupolaGuide

/// Counts and digests are those of gtfs-kit 13.0.1 and pandas 3.1.1.
@Suite("Real schedules", .enabled(if: RealFeeds.areThere, RealFeeds.absent))
struct RealFeedTests {
  struct Expected: CustomTestStringConvertible {
    let path: String
    /// Agencies, stops, routes, services, trips, stop times and frequencies.
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

  @Test("all rows are those of another reader", arguments: all)
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

  /// Of the sorted lines of trip, sequence, stop, arrival and departure.
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

  @Test("a cut of a real feed keeps just the trips that call there")
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
