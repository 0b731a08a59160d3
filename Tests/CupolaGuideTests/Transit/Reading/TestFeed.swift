import CupolaTransit

@testable import CupolaGuide
@testable import CupolaGuideBuilder

/// A small feed with one trip that calls at four stops. Tests replace some of its files.
struct TestFeed {
  var files: [String: String] = [
    "agency.txt":
      "agency_id,agency_name,agency_url,agency_timezone\n1,A,http://a,America/Chicago\n",
    "stops.txt": """
    stop_id,stop_name,stop_lat,stop_lon
    a,First,42.0,-87.0
    b,Second,42.001,-87.0
    c,Third,42.003,-87.0
    d,Last,42.004,-87.0

    """,
    "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,1,55,3\n",
    "trips.txt": "route_id,service_id,trip_id\nr,s,t\n",
    "stop_times.txt": """
    trip_id,stop_id,stop_sequence,arrival_time,departure_time
    t,a,1,8:00:00,8:00:00
    t,b,2,8:01:00,8:02:00
    t,c,3,8:03:00,8:03:00
    t,d,4,8:04:00,8:04:00

    """,
    "calendar.txt": """
    service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
    s,1,1,1,1,1,0,0,20260101,20261231

    """,
  ]

  subscript(name: String) -> String? {
    get { files[name] }
    set { files[name] = newValue }
  }

  /// Replaces the rows of `stop_times.txt`.
  ///
  /// - Parameter columns: The names of the columns after the departure time, each preceded by a comma.
  mutating func setTimes(_ rows: [String], columns: String = "") {
    files["stop_times.txt"] =
      "trip_id,stop_id,stop_sequence,arrival_time,departure_time\(columns)\n"
      + rows.map { $0 + "\n" }.joined()
  }

  /// Returns the feed as a .zip archive, with its files in a folder if one is given.
  func zip(folder: String = "") -> TestZip {
    TestZip(files.keys.sorted().map { TestZip.File(folder + $0, files[$0] ?? "") })
  }

  func read(keeps: (MapPoint) -> Bool = { _ in true }) throws(GuideError) -> FeedReader.Result {
    try FeedReader.read(FeedSource(ZipArchive(made: zip().bytes)), keeps: keeps)
  }

  func refusal() -> String? {
    do throws(GuideError) {
      _ = try read()
      return nil
    } catch {
      guard case .badFile("made.zip", let problem) = error else { return "another error" }
      return problem
    }
  }

  func faults() throws -> [String] { try read().faults.map(\.description) }
}

extension TransitFeed {
  /// Returns the rows of a trip: stop, and arrival and departure in seconds since 8:00:00.
  func rows(of trip: Int = 0) -> [String] {
    stopTimes[Int(trips[trip].stopTimes.lowerBound)..<Int(trips[trip].stopTimes.upperBound)]
      .map { time in
        "\(stops[Int(time.stop)].id) \(time.arrival - 28_800) \(time.departure - 28_800)"
          + (time.isExact ? "" : " ~")
      }
  }
}
