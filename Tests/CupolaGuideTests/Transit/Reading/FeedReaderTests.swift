import Cupola
import CupolaTestSupport
import CupolaTransit
import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Feed reader")
struct FeedReaderTests {
  @Test("Reads all files and columns")
  func columns() throws {
    var made = TestFeed()
    made["stops.txt"] = #"""
      stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station,\#
      platform_code,wheelchair_boarding
      p,,"Platform, ""2""",42.001,-87,0,station,2,1
      a,17,First,42,-87,,,,2
      station,,Station,42.001,-87.0001,1,,,
      door,,Door,42.001,-87.0002,2,station,,1
      """#
    made["routes.txt"] = """
      route_id,agency_id,route_short_name,route_long_name,route_type,route_color
      r,1,55,Museum,0,00aaFF
      """
    made["trips.txt"] =
      "route_id,service_id,trip_id,trip_headsign,direction_id,wheelchair_accessible\nr,s,t,To P,1,2"
    made.setTimes(
      ["t,a,5,8:00:00,8:00:00,1,2", "t,p,9,8:05:00,8:06:00,3,0"],
      columns: ",pickup_type,drop_off_type")
    made["frequencies.txt"] = """
      trip_id,start_time,end_time,headway_secs,exact_times
      t,9:00:00,10:00:00,600,1
      t,6:00:00,9:00:00,300,
      """
    made["feed_info.txt"] = """
      feed_publisher_name,feed_version,feed_start_date,feed_end_date
      Agency,v7,20260101,20261231
      """
    let result = try made.read()
    let feed = result.feed
    #expect(result.faults.isEmpty)
    #expect(feed.stops.map(\.id) == ["p", "a", "station", "door"])
    #expect(feed.stops[0].name == "Platform, \"2\"" && feed.stops[0].platform == "2")
    #expect(feed.stops.map(\.parent) == [2, nil, nil, 2])
    #expect(feed.stops.map(\.locationType) == [0, 0, 1, 2])
    #expect(feed.stops.map(\.wheelchair) == [1, 2, 0, 1])
    #expect(feed.stops[1].code == "17" && feed.stops[0].code == nil)
    #expect(feed.stops[3].point == MapPoint(latitude: 42.001, longitude: -87.0002))
    #expect(feed.routes[0].shortName == "55" && feed.routes[0].longName == "Museum")
    #expect(feed.routes[0].type == 0 && feed.routes[0].color == "00aaFF")
    #expect(feed.trips[0].headsign == "To P" && feed.trips[0].direction == 1)
    #expect(feed.trips[0].wheelchair == 2 && feed.trips[0].stopTimes == 0..<2)
    #expect(feed.stopTimes.map(\.pickup) == [1, 3] && feed.stopTimes.map(\.dropOff) == [2, 0])
    #expect(feed.stopTimes.map(\.sequence) == [5, 9])
    #expect(feed.frequencies.map(\.times) == [21_600..<32_400, 32_400..<36_000])
    #expect(feed.frequencies.map(\.headway) == [300, 600])
    #expect(feed.frequencies.map(\.isExact) == [false, true])
    #expect(feed.info.publisher == "Agency" && feed.info.version == "v7")
    #expect(feed.info.end == LocalDate(year: 2026, month: 12, day: 31))
    #expect(feed.agencies == [.init(id: "1", name: "A", timeZone: "America/Chicago")])
  }

  @Test("Combines both calendars")
  func calendars() throws {
    var made = TestFeed()
    made["calendar_dates.txt"] = """
      service_id,date,exception_type
      s,20260704,2
      s,20260101,2
      s,20260103,1
      only,20260706,1
      """
    made["trips.txt"] = "route_id,service_id,trip_id\nr,s,t\nr,only,u\n"
    made.setTimes([
      "t,a,1,8:00:00,8:00:00", "t,b,2,8:01:00,8:01:00", "u,a,1,8:00:00,8:00:00",
      "u,b,2,8:01:00,8:01:00",
    ])
    let services = try made.read().feed.services
    #expect(services.map(\.id) == ["s", "only"])
    #expect(services[0].weekdays == 0b001_1111 && services[1].weekdays == 0)
    #expect(services[0].start == LocalDate(year: 2026, month: 1, day: 1))
    #expect(services[0].removed.map(\.description) == ["2026-01-01", "2026-07-04"])
    #expect(services[0].added.map(\.description) == ["2026-01-03"])
    #expect(services[1].added.count == 1 && services[1].start == nil)
    made["calendar.txt"] = nil
    #expect(try made.read().feed.services.map(\.weekdays) == [0, 0])
  }

  @Test("Rejects feeds with missing files or columns")
  func missing() {
    for name in ["agency", "stops", "routes", "trips", "stop_times"] {
      var made = TestFeed()
      made[name + ".txt"] = nil
      #expect(made.refusal() == "missing \(name).txt; ask the publisher for a complete feed")
      made[name + ".txt"] = ""
      #expect(made.refusal()?.hasPrefix("\(name).txt: missing column") == true)
    }
    var made = TestFeed()
    made["calendar.txt"] = nil
    #expect(made.refusal()?.contains("missing calendar.txt and calendar_dates.txt") == true)
    made = TestFeed()
    made["agency.txt"] = "agency_name,agency_timezone\nA,\n"
    #expect(made.refusal()?.contains("missing agency_timezone") == true)
    made = TestFeed()
    made["stops.txt"] = "s\0t\0o\0p\0"
    #expect(made.refusal() == "stops.txt: missing column stop_id; save the file as UTF-8")
  }

  @Test("Reads a feed in one folder of an archive or disk")
  func folders() throws {
    let made = TestFeed()
    let expected = try made.read()
    var zip = made.zip(folder: "gtfs\\2026\\")
    zip.files.append(TestZip.File("__MACOSX/stops.txt"))
    zip.files.append(TestZip.File("other/readme.txt"))
    func read(_ zip: TestZip) throws(GuideError) -> FeedReader.Result {
      try FeedReader.read(FeedSource(ZipArchive(made: zip.bytes))) { _ in true }
    }
    #expect(try read(zip) == expected)
    zip.files.append(TestZip.File("other/stops.txt"))
    #expect(
      throws: GuideError.badFile(
        path: "made.zip",
        problem: "several folders contain schedules (gtfs/2026, other); use only one of them")
    ) { try read(zip) }
    #expect(
      throws: GuideError.badFile(
        path: "made.zip", problem: "no GTFS files such as stops.txt found; choose another feed")
    ) { try read(TestZip(TestZip.File("readme.txt"))) }
    let folder = try TemporaryFolder()
    for (name, text) in made.files {
      try folder.write(text, to: "plain/" + name)
      try folder.write(text, to: "deep/inner/" + name)
    }
    try folder.write(made.zip().bytes, to: "feed.zip")
    for name in ["plain", "deep", "feed.zip"] {
      #expect(try FeedReader.read(folder.path(name)) { _ in true } == expected)
    }
    #expect(try FeedReader.read(folder.path) { _ in true } == expected)
    try folder.write("", to: "other/stops.txt")
    #expect(throws: GuideError.self) { try FeedReader.read(folder.path) { _ in true } }
    #expect(throws: GuideError.self) { try FeedReader.read(folder.path("none")) { _ in true } }
  }
}

@Suite("Feeds within reach")
struct FeedReachTests {
  /// A feed with a distant station, and with two routes (of two agencies) that share the stop "mid".
  private var made: TestFeed {
    var made = TestFeed()
    made["agency.txt"] = """
      agency_id,agency_name,agency_timezone
      x,X,America/Chicago
      y,Y,America/Chicago
      """
    made["stops.txt"] = """
      stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
      far,Far,43,-87,0,station
      west,West,42,-88,,
      mid,Middle,42,-87,,
      east,East,42,-86,,
      station,Station,43.001,-87,1,
      alone,Alone,42.0001,-87,,
      """
    made["routes.txt"] =
      "route_id,agency_id,route_short_name,route_type\n1,x,1,3\n2,y,2,3\n3,y,3,3\n"
    made["calendar.txt"] = nil
    made["calendar_dates.txt"] =
      "service_id,date,exception_type\ns,20260101,1\nu,20260102,1\nv,20260102,1\n"
    made["trips.txt"] = "route_id,service_id,trip_id\n1,s,one\n3,v,three\n2,u,two\n"
    // The rows are not sorted by trip or sequence.
    made.setTimes([
      "two,mid,2,9:00:00,9:00:00", "one,west,1,8:00:00,8:00:00", "three,east,1,7:00:00,7:00:00",
      "two,far,1,8:30:00,8:30:00", "one,east,2,8:30:00,8:30:00", "three,west,2,8:00:00,8:00:00",
    ])
    made["frequencies.txt"] =
      "trip_id,start_time,end_time,headway_secs\none,8:00:00,9:00:00,60\ntwo,8:00:00,9:00:00,60\n"
    return made
  }

  @Test("Keeps whole trips that call within reach and what they refer to")
  func cut() throws {
    let result = try made.read { $0.latitude < 42.5 && $0.longitude == -87 }
    let feed = result.feed
    #expect(result.faults.isEmpty)
    #expect(feed.trips.map(\.id) == ["two"])
    #expect(feed.rows() == ["far 1800 1800", "mid 3600 3600"])
    #expect(feed.stops.map(\.id) == ["far", "mid", "station", "alone"])
    #expect(feed.stops[0].parent == 2)
    #expect(feed.routes.map(\.id) == ["2"] && feed.agencies.map(\.id) == ["y"])
    #expect(feed.routes[0].agency == 0 && feed.trips[0].route == 0)
    #expect(feed.services.map(\.id) == ["u"] && feed.trips[0].service == 0)
    #expect(feed.frequencies.map(\.trip) == [0])
  }

  @Test("Reads transfers between stops, and reports others")
  func transfers() throws {
    var made = TestFeed()
    made["transfers.txt"] = """
      from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type,min_transfer_time
      a,b,,,2,120
      a,c,,,3,
      b,c,,,1,
      a,d,,,0,
      c,d,,,2,
      a,nowhere,,,2,9
      a,b,t,t,1,
      a,b,t,t,4,
      """
    let result = try made.read()
    #expect(
      result.feed.transfers == [
        TransitFeed.Transfer(from: 0, to: 1, seconds: 120),
        TransitFeed.Transfer(from: 0, to: 2, seconds: -1),
        TransitFeed.Transfer(from: 1, to: 2, seconds: 0),
      ])
    #expect(
      result.faults.map(\.description) == [
        "transfers.txt, line 6: min_transfer_time is not 0 to 86400 s; row skipped",
        "transfers.txt, line 7: stop_id not in stops.txt; row skipped",
        "transfers.txt, line 8: transfer between routes or trips is not supported; row skipped (2 times)",
      ])
  }

  @Test("Finds the ways from the entrances of a station to its platforms")
  func pathways() throws {
    var made = TestFeed()
    made["stops.txt"] = """
      stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
      a,First,42.0,-87.0,0,station
      b,Second,42.001,-87.0,,
      c,Third,42.003,-87.0,,
      d,Last,42.004,-87.0,,
      station,Station,42.0,-87.0,1,
      door,Door,42.0005,-87.0,2,station
      hall,,,,3,station
      """
    made["pathways.txt"] = """
      pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,length,traversal_time
      1,door,hall,1,1,,30
      2,hall,a,2,1,,20
      3,a,hall,5,1,,60
      """
    let feed = try made.read().feed
    let door = try #require(MapPoint(latitude: 42.0005, longitude: -87))
    #expect(
      feed.entrances == [
        TransitFeed.Entrance(stop: 0, point: door, seconds: 50, stepFreeSeconds: 90)
      ])
  }

  @Test("Ignores entrances if pathways take too much work or connect too many of them")
  func pathwayLimits() throws {
    var made = TestFeed()
    made["stops.txt"] =
      "stop_id,stop_name,stop_lat,stop_lon,location_type\n"
      + "a,First,42.0,-87.0,\nb,Second,42.001,-87.0,\n"
      + (1...3).map { "door\($0),Door,42.0,-87.0,2\n" }.joined()
    made["pathways.txt"] =
      "from_stop_id,to_stop_id,pathway_mode\na,b,1\nb,door1,1\ndoor1,door2,1\ndoor2,door3,1\n"
    let input = FeedInput(try FeedSource(ZipArchive(made: made.zip().bytes)))
    let stops = try FeedStops(input)
    let pathways = try FeedPathways(input, stops)
    let numbers = stops.rows.indices.map { Int32($0) }
    func count(tests: Int, results: Int) -> Int {
      let budget = WorkBudget(tests: tests, results: results)
      return pathways.entrances(numbers, input.faults, within: budget).count
    }
    #expect(count(tests: 1000, results: 6) == 6)
    #expect(input.faults.faults.isEmpty)
    #expect(count(tests: 1000, results: 5) == 0)
    #expect(count(tests: 20, results: 6) == 0)
    #expect(
      input.faults.faults.map(\.description) == [
        "pathways.txt: too many pathways; entrances are ignored (2 times)"
      ])
    // The default budget limits the rows too.
    #expect(WorkBudget.pathways.results <= 1_000_000)
  }

  @Test("Replaces names and headsigns by their translations")
  func translations() throws {
    var made = TestFeed()
    made["trips.txt"] = "route_id,service_id,trip_id,trip_headsign\nr,s,t,Downtown\n"
    made.setTimes(
      ["t,a,1,8:00:00,8:00:00,Loop", "t,b,2,8:01:00,8:02:00,", "t,c,3,8:03:00,8:03:00,"],
      columns: ",stop_headsign")
    made["translations.txt"] = """
      table_name,field_name,language,translation,record_id,field_value
      stops,stop_name,de-AT,Der Erste,a,
      stops,stop_name,de,Erster,a,
      stops,stop_name,de,Zweiter,,Second
      stops,stop_name,fr,Troisième,c,
      trips,trip_headsign,de,Innenstadt,t,
      stop_times,stop_headsign,de,Schleife,,Loop
      """
    func read(_ language: String?) throws -> FeedReader.Result {
      try FeedReader.read(
        FeedSource(ZipArchive(made: made.zip().bytes)), language: language, keeps: { _ in true })
    }
    let german = try read("de")
    #expect(german.faults.isEmpty)
    #expect(german.feed.stops.map(\.name).prefix(3) == ["Erster", "Zweiter", "Third"])
    let departures = try TimetableBuilder.timetable(german.feed).departures(
      at: ["a", "b"], from: try moment("2026-05-04T07:30", "America/Chicago"), during: 7200)
    #expect(departures.map(\.destination) == ["Schleife", "Innenstadt"])
    #expect(try read(nil).feed.stops.map(\.name).prefix(2) == ["First", "Second"])
    #expect(
      try read("it").faults.map(\.description) == [
        "translations.txt: no translation into this language; the feed's own texts are used: \"it\""
      ])
  }

  @Test("A feed without stops within reach is empty")
  func nothing() throws {
    let feed = try made.read { _ in false }.feed
    #expect(feed == TransitFeed())
  }

  @Test("A cut feed has the same trips as the whole feed")
  func random() throws {
    var random = SplitMix64(seed: 11)
    for _ in 0..<(Verification.isFull ? 100 : 30) {
      var made = TestFeed()
      made["trips.txt"] =
        "route_id,service_id,trip_id\n" + (0..<9).map { "r,s,\($0)\n" }.joined()
      made.setTimes(
        (0..<40).map { _ in
          let stop = ["a", "b", "c", "d"].randomElement(using: &random) ?? "a"
          return "\(Int.random(in: 0..<9, using: &random)),\(stop),"
            + "\(Int.random(in: 0..<30, using: &random)),8:00:00,8:00:00"
        })
      let whole = try made.read().feed
      let cut = try made.read { $0.latitude == 42.001 }.feed
      func texts(_ feed: TransitFeed) -> [String: [String]] {
        Dictionary(
          uniqueKeysWithValues: feed.trips.indices.map {
            (feed.trips[$0].id, feed.rows(of: $0))
          })
      }
      let near = texts(whole).filter { $0.value.contains { $0.hasPrefix("b") } }
      #expect(near == texts(cut).filter { $0.value.contains { $0.hasPrefix("b") } })
    }
  }
}
