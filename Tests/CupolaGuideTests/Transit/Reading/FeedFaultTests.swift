import CupolaTransit
import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Feed faults")
struct FeedFaultTests {
  private func faults(_ name: String, _ text: String) throws -> [String] {
    var made = TestFeed()
    made[name + ".txt"] = text
    return try made.faults()
  }

  @Test("A valid feed has no faults")
  func none() throws { #expect(try TestFeed().faults() == []) }

  @Test("Shortens values with many combining marks")
  func marks() throws {
    let text = "a" + String(repeating: "\u{301}", count: 10_000)
    let rows = "a,A,42,-87\nb,B,\(text),-87\n"
    let found = try faults("stops", "stop_id,stop_name,stop_lat,stop_lon\n" + rows)
    let beginning = "invalid coordinates: \"a\u{301}".utf8
    #expect(found.contains { $0.utf8.contains(beginning) })
    #expect(found.allSatisfy { $0.utf8.count < 1000 })
  }

  @Test("Reports and omits dangling references")
  func references() throws {
    var made = TestFeed()
    made["routes.txt"] = "route_id,agency_id,route_short_name,route_type\nr,9,55,3\n"
    made["trips.txt"] = "route_id,service_id,trip_id\nr,s,t\nx,s,u\nr,x,v\nr,s,w\n"
    made.setTimes([
      "t,a,1,8:00:00,8:00:00", "t,x,2,8:01:00,8:01:00", "t,b,3,8:02:00,8:02:00",
      "u,a,1,8:00:00,8:00:00", "u,b,2,8:00:00,8:00:00",
    ])
    made["frequencies.txt"] = "trip_id,start_time,end_time,headway_secs\nx,8:00:00,9:00:00,60\n"
    #expect(
      try made.faults() == [
        "routes.txt, line 2: agency_id not in agency.txt; first agency used: \"9\"",
        "trips.txt, line 3: route_id not in routes.txt; row skipped: \"x\"",
        "trips.txt, line 4: service_id not in any calendar; row skipped: \"x\"",
        "trips.txt: trip without rows in stop_times.txt; skipped: \"w\"",
        "stop_times.txt, line 3: stop_id not in stops.txt; row skipped: \"x\"",
        "stop_times.txt, line 5: trip_id not in trips.txt; row skipped: \"u\" (2 times)",
        "frequencies.txt, line 2: trip_id not in trips.txt; row skipped: \"x\"",
      ])
    #expect(try made.read().feed.rows() == ["a 0 0", "b 120 120"])
  }

  @Test("Reports stops with missing or duplicate ids or bad coordinates")
  func stops() throws {
    let rows = [
      ",none,42,-87,", "a,A,42,-87,", "a,again,42,-87,", "b,B,nan,-87,", "c,C,91,-87,",
      "d,,42,-87,x", "e,E,,,a", "f,F,inf,inf,f",
    ]
    let found = try faults(
      "stops",
      "stop_id,stop_name,stop_lat,stop_lon,parent_station\n" + rows.joined(separator: "\n"))
    #expect(
      found == [
        "stops.txt, line 2: missing identifier; row skipped",
        "stops.txt, line 4: duplicate identifier; first row used: \"a\"",
        "stops.txt, line 5: invalid coordinates: \"nan, -87\" (3 times)",
        "stops.txt, line 7: missing name",
        "stops.txt, line 8: missing coordinates; never within reach",
        "stops.txt: parent_station not in stops.txt; ignored: \"x\"",
        "stops.txt: parent_station with the wrong location_type; ignored: \"a\" (2 times)",
      ])
  }

  @Test("Reports invalid times, sequences, choices and distances")
  func stopTimes() throws {
    var made = TestFeed()
    made.setTimes(
      [
        "t,a,1,8:00:00,7:59:00,9,", "t,b,2,999:99:99,,,nan", "t,b,x,8:02:00,8:02:00,,",
        "t,b,-1,8:02:00,8:02:00,,", "t,b,99999999999,8:02:00,8:02:00,,", "t,c,2,8:03:00,8:03:00,,",
        "t,d,4,8:04:00,8:04:00,,", ",d,5,8:04:00,8:04:00,,",
      ], columns: ",pickup_type,shape_dist_traveled")
    #expect(try made.read().feed.rows() == ["a 0 0", "b 60 60 ~", "d 240 240"])
    #expect(
      try made.faults() == [
        "stop_times.txt, line 2: invalid number for this column; treated as blank: \"9\"",
        "stop_times.txt, line 2: departure before arrival; arrival used: \"7:59:00\"",
        "stop_times.txt, line 3: invalid shape_dist_traveled; treated as blank: \"nan\"",
        "stop_times.txt, line 3: time is not HH:MM:SS up to 167:59:59; treated as blank: \"999:99:99\"",
        "stop_times.txt, line 4: stop_sequence is not a number; row skipped: \"x\" (3 times)",
        "stop_times.txt, line 9: trip_id not in trips.txt; row skipped: \"\"",
        "stop_times.txt, line 7: duplicate stop_sequence in a trip; first row used: \"2\"",
      ])
  }

  @Test("Omits frequencies without an end or a start")
  func frequencies() throws {
    var made = TestFeed()
    made["frequencies.txt"] = """
      trip_id,start_time,end_time,headway_secs, exact_times
      t,8:00:00,9:00:00,0,
      t,8:00:00,9:00:00,-5,
      t,8:00:00,9:00:00,99999999999,
      t,9:00:00,9:00:00,60,
      t,,9:00:00,60,
      t,8:00:00,9:00:00,60,7
      """
    let result = try made.read()
    #expect(result.feed.frequencies.count == 1)
    #expect(result.faults.map(\.count) == [3, 2, 1])
  }

  @Test("Reports invalid, duplicate and reversed dates")
  func dates() throws {
    var made = TestFeed()
    made["calendar.txt"] = """
      service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
      s,1,2,1,1,1,0,0,20260101,20261231
      s,1,1,1,1,1,0,0,20260101,20261231
      x,1,1,1,1,1,0,0,20261231,20260101
      y,1,1,1,1,1,0,0,20260230,20261231
      """
    made["calendar_dates.txt"] = """
      service_id,date,exception_type
      s,20260704,1
      s,20260704,2
      s,20260705,3
      s,tomorrow,1
      ,20260705,1
      """
    let result = try made.read()
    #expect(result.feed.services[0].weekdays == 0b001_1101)
    #expect(result.feed.services[0].added.count == 1)
    #expect(result.feed.services[0].removed.isEmpty)
    #expect(
      result.faults.map(\.line) == [2, 3, 4, 5, 4, 5, 6, 3])
  }

  @Test("Reports and omits on-demand service")
  func onDemand() throws {
    var made = TestFeed()
    made.setTimes(
      [
        "t,a,1,8:00:00,8:00:00,,,", "t,,2,,,zone,8:00:00,9:00:00", "t,b,3,,,,8:00:00,9:00:00",
        "t,c,4,8:09:00,8:09:00,,,",
      ], columns: ",location_id,start_pickup_drop_off_window,end_pickup_drop_off_window")
    #expect(try made.read().feed.rows() == ["a 0 0", "c 540 540"])
    #expect(try made.faults().count == 1)
  }

  @Test("Reads text that is not UTF-8 as Latin-1 and reports it")
  func texts() throws {
    let made = TestFeed()
    var zip = made.zip()
    for index in zip.files.indices where zip.files[index].name == "stops.txt" {
      zip.files[index].bytes =
        Array("\u{FEFF} stop_id , stop_name,stop_lat,stop_lon\r\na , \" Caf".utf8) + [0xE9]
        + Array("\"x,42,-87,,\r\nb,B,42,-87,more\r\n".utf8)
    }
    let result = try FeedReader.read(FeedSource(ZipArchive(made: zip.bytes))) { _ in true }
    #expect(result.feed.stops.map(\.name) == ["Caféx", "B"])
    #expect(
      result.faults.prefix(3).map(\.description) == [
        "stops.txt, line 2: text after a closing quotation mark; added to the value",
        "stops.txt, line 2: not UTF-8, read as Latin-1; save the file as UTF-8: \"Caféx\"",
        "stops.txt, line 3: more values than columns; extra values ignored",
      ])
  }

  @Test("Counts equal faults and shows them on one short line")
  func counted() throws {
    let faults = FeedFaults()
    for line in 1...1_000 {
      faults.add(.badTime, in: .stopTimes, line: line, value: "\u{1B}\n")
    }
    #expect(faults.faults.count == 1 && faults.faults[0].count == 1_000)
    #expect(faults.faults[0].description.contains("\u{1B}") == false)
    for file in FeedFile.allCases {
      for problem in [.badTime, .badDate, .noID, .badEnum, .noName] as [FeedFaultKind] {
        faults.add(problem, in: file)
      }
    }
    #expect(faults.faults.count == FeedFaults.limit + 1)
    let others = 5 * FeedFile.allCases.count
    #expect(faults.faults.last?.count == others - FeedFaults.limit)
    #expect(faults.faults.reduce(0) { $0 + $1.count } == 1_000 + others)
  }
}
