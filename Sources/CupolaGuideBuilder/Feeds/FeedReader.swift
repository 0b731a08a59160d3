internal import CupolaGuide
internal import CupolaTransit

/// Reads schedules in the General Transit Feed Specification
/// (https://gtfs.org/documentation/schedule/reference).
///
/// Kept is what a place needs: the stops within reach, the trips that call at one of them with all
/// their stops, and the routes, agencies, services and stations of these, all in the order of their
/// files. Rows that mean nothing are left out and told; where the reference has a default it is
/// taken. Times are settled as ``FeedTimes`` does it. Memory is bounded by what is kept, and by
/// identifiers.
enum FeedReader {
  /// A schedule and what was wrong with it.
  struct Result: Equatable, Sendable {
    let feed: TransitFeed
    /// One line each; equal ones are counted, and some dozen kept.
    let faults: [FeedFault]
  }

  /// Reads a feed: a .zip, or a folder with its files.
  ///
  /// - Parameter keeps: whether a stop at a point is within reach.
  /// - Throws: ``GuideError/file(_:)``; ``GuideError/badFeed(path:problem:)`` of damaged or
  ///   hostile archives, of missing files and columns, and of more rows than accepted.
  static func read(
    _ path: String, keeps: (MapPoint) -> Bool
  ) throws(GuideError) -> Result {
    try read(FeedSource(path), keeps: keeps)
  }

  static func read(
    _ source: FeedSource, keeps: (MapPoint) -> Bool
  ) throws(GuideError) -> Result {
    var input = FeedInput(source)
    let agencies = try FeedAgencies(&input)
    let stops = try FeedStops(&input)
    let isNear = stops.near(keeps)
    let routes = try FeedRoutes(&input, agencies: agencies)
    let services = try FeedServices(&input)
    let trips = try FeedTrips(&input, routes: routes, services: services)
    let calls = try FeedCalls(&input, stops: stops, trips: trips, isNear: isNear)
    var assembly = FeedAssembly(stops: stops, trips: trips, isNear: isNear)
    assembly.add(calls, &input.faults)
    assembly.add(routes: routes, services: services, agencies: agencies)
    assembly.feed.frequencies =
      try FeedFrequencies(&input, trips: trips, numbers: assembly.tripNumbers).rows
    assembly.feed.info = try FeedInfoReader.read(&input)
    return Result(feed: assembly.feed, faults: input.faults.faults)
  }
}
