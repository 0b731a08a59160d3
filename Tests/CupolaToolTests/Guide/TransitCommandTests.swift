import CupolaTestSupport
import Foundation
import Testing

@Suite("cupola guide stops, departures and trips") struct TransitCommandTests {
  private let folder: TemporaryFolder
  private static let feed = Repository.root.appending(path: "Examples/SampleBus").path

  init() throws {
    folder = try TemporaryFolder()
    for (name, bytes) in try Self.built.get() { try folder.write(Array(bytes), to: name) }
  }

  private static let built = Result {
    let folder = try TemporaryFolder()
    expectSuccess(
      try Tool.run(
        [
          "guide", "build", Repository.sampleMap, Repository.sampleCampus + "/paths.geojson",
          "--gtfs", feed, "-o", "campus.guide",
        ], in: folder))
    return try folder.contents()
  }

  private func run(_ arguments: String...) throws -> Tool.Output {
    try Tool.run(["guide"] + arguments, in: folder)
  }

  @Test("Stops are found by name, number or nearby place")
  func stops() throws {
    let all = try run("stops", "campus.guide")
    expectSuccess(all)
    #expect(all.stdout.hasPrefix("Gate House (101): route R, gate\n"))
    #expect(all.stdout.count { $0 == "\n" } == 5)
    #expect(
      try run("stops", "campus.guide", "102").stdout.hasPrefix("Library Walk (102): routes R, 7"))
    #expect(try run("stops", "campus.guide", "libary").stdout.hasPrefix("Library Walk"))
    let near = try run("stops", "campus.guide", "--near", "Old Library", "--limit", "1", "--json")
    #expect(near.stdout.contains("\"id\" : \"library\"") && near.stdout.contains("\"meters\""))
    let none = try run("stops", "campus.guide", "nowhere")
    #expect(none.status == 1 && none.stderr == "no stop found\n")
    expectUsageError(
      try run("stops", "campus.guide", "--within", "100"), "--within requires --near")
    let year = try run("departures", "campus.guide", "102", "--when", "2026")
    expectUsageError(year, "such as 2026-11-23T14:30, not 2026")
    let far = try run("stops", "campus.guide", "--near", "Old Library", "--within", "1")
    #expect(far.status == 1 && far.stderr == "no stop found\n")
  }

  @Test("A station name finds its platforms nearby")
  func stationNear() throws {
    try FileManager.default.copyItem(atPath: Self.feed, toPath: folder.path("feed"))
    try folder.write(
      """
      stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
      hub,Central,48.300560,10.898360,1,
      gate,Gate House,48.299600,10.896700,0,
      library,North side,48.300560,10.898360,0,hub
      arena,Oval Arena,48.301700,10.901730,0,
      mill,Mill Path,48.299350,10.901730,0,
      station,Town Station,48.296800,10.905500,0,
      """, to: "feed/stops.txt")
    expectSuccess(
      try run(
        "build", Repository.sampleMap, Repository.sampleCampus + "/paths.geojson", "--gtfs",
        "feed", "-o", "hub.guide"))
    let near = try run("stops", "hub.guide", "central", "--near", "Old Library")
    expectSuccess(near)
    #expect(near.stdout.hasPrefix("North side: routes R, 7"))
    #expect(near.stdout.count { $0 == "\n" } == 1)
  }

  @Test("Prints scheduled departures, also past midnight")
  func departures() throws {
    let day = try run(
      "departures", "campus.guide", "Library Walk", "--when", "2026-11-23T14:30", "--limit", "3")
    expectSuccess(day)
    #expect(
      day.stdout == """
        R Round the campus in 3 min, every 10 min
        7 Town Station in 5 min, scheduled
        R Round the campus in 13 min, every 10 min

        """)
    let night = try run(
      "departures", "campus.guide", "102", "--at", "2026-11-24T00:01", "--limit", "1", "--json")
    #expect(night.stdout.contains("\"service_date\" : \"2026-11-23\""))
    #expect(night.stdout.contains("\"local\" : \"2026-11-24T00:05\""))
    let christmas = try run(
      "departures", "campus.guide", "gate", "--at", "2026-12-25T09:00", "--limit", "1")
    #expect(christmas.stdout.isEmpty && christmas.stderr == "no departures within a day\n")
    #expect(christmas.status == 1)
  }

  @Test("Realtime data delay departures, and invalid data exit with 65")
  func realtime() throws {
    // Header 2.0 at 2026-11-23T14:29 in Berlin; town-1435 leaves the first stop 4 minutes late.
    func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
      [number << 3 | 2, UInt8(bytes.count)] + bytes
    }
    func varint(_ number: UInt8, _ value: Int) -> [UInt8] {
      var (bytes, rest) = ([number << 3], UInt64(value))
      while rest >= 0x80 {
        bytes.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
      }
      return bytes + [UInt8(rest)]
    }
    let header = field(1, Array("2.0".utf8)) + varint(3, 1_795_440_540)
    let stop = varint(1, 1) + field(3, varint(1, 240))
    let update = field(1, field(1, Array("town-1435".utf8))) + field(2, stop)
    let message = field(1, header) + field(2, field(1, [0x31]) + field(3, update))
    try folder.write(message, to: "updates.pb")
    let output = try run(
      "departures", "campus.guide", "102", "--realtime", "updates.pb", "--at", "2026-11-23T14:30",
      "--limit", "2")
    expectSuccess(output)
    #expect(output.stdout.hasSuffix("\n7 Town Station in 9 min, 4 min late\n"))
    #expect(output.stderr.isEmpty)
    let old = try run(
      "departures", "campus.guide", "102", "--realtime", "updates.pb", "--at", "2026-11-23T14:33")
    #expect(old.stderr == "realtime data is 4 min old\n")
    try folder.write("{}", to: "text.pb")
    let wrong = try run("departures", "campus.guide", "102", "--realtime", "text.pb")
    #expect(wrong.status == 65 && wrong.stderr.hasPrefix("cupola: text.pb: "))
  }

  @Test("Trips use buses unless walking is as fast")
  func trips() throws {
    let output = try run(
      "trips", "campus.guide", "--from", "Old Library", "--to", "Town Station", "--at",
      "2026-11-23T14:30", "--limit", "1")
    expectSuccess(output)
    #expect(output.stdout.contains("  14:35 Library Walk: 7 Town Station\n"))
    let near = try run(
      "trips", "campus.guide", "--from", "Old Library", "--to", "North Hall", "--at",
      "2026-11-23T03:00")
    #expect(near.status == 1 && near.stdout.isEmpty && near.stderr.contains("cupola guide route"))
  }

  @Test(
    "If nothing is found, JSON lists are empty and the exit code is 1",
    arguments: [
      ["departures", "campus.guide", "nowhere"],
      ["departures", "campus.guide", "gate", "--at", "2026-12-25T09:00"],
      ["stops", "campus.guide", "nowhere"], ["stops", "campus.guide", "--near", "nowhere"],
      ["trips", "campus.guide", "--from", "nowhere", "--to", "Old Library"],
      ["trips", "campus.guide", "--from", "Old Library", "--to", "nowhere"],
      ["poi", "campus.guide", "zeppelin"],
    ])
  func emptyLists(arguments: [String]) throws {
    let output = try Tool.run(["guide"] + arguments + ["--json"], in: folder)
    #expect(output.status == 1)
    #expect(output.stdout.filter { !$0.isWhitespace } == "[]")
  }

  @Test("The nearest of several places is used and named")
  func ofKind() throws {
    let places = [("Far", "10.9055,48.2969"), ("Near", "10.8993,48.3010")].map { name, place in
      #"{"type":"Feature","properties":{"shop":"kiosk","name":"\#(name)"},"#
        + #""geometry":{"type":"Point","coordinates":[\#(place)]}}"#
    }
    try folder.write(
      #"{"type":"FeatureCollection","features":[\#(places.joined(separator: ","))]}"#,
      to: "kiosks.geojson")
    expectSuccess(
      try run(
        "build", Repository.sampleMap, Repository.sampleCampus + "/paths.geojson",
        "kiosks.geojson", "--gtfs", Self.feed, "-o", "kiosks.guide"))
    let trips = try run(
      "trips", "kiosks.guide", "--from", "Old Library", "--to", "kiosk", "--when",
      "2026-11-23T14:30")
    #expect(trips.status == 1 && trips.stdout.isEmpty)
    #expect(trips.stderr.hasPrefix("note: 2 places match --to; using Near ("))
    let near = try run("poi", "kiosks.guide", "Old Library", "--near", "kiosk")
    #expect(near.stderr.hasPrefix("note: 2 places match --near; using "))
  }

  @Test("Step-free trips warn about steps before or after a stop")
  func notStepFree() throws {
    let paths = try String(
      contentsOfFile: Repository.sampleCampus + "/paths.geojson", encoding: .utf8)
    try folder.write(
      paths.replacing(#""incline": "3%""#, with: #""incline": "30%""#), to: "steep.geojson")
    expectSuccess(
      try run(
        "build", Repository.sampleMap, "steep.geojson", "--gtfs", Self.feed, "-o", "steep.guide"))
    func trips(_ from: String, _ to: String, _ profile: String) throws -> Tool.Output {
      try run(
        "trips", "steep.guide", "--from", from, "--to", to, "--profile", profile, "--when",
        "2026-11-23T14:30", "--limit", "2")
    }
    let away = try trips("Old Library", "Town Station", "step-free")
    expectSuccess(away)
    #expect(
      away.stderr
        == "warning: no step-free path from Old Library is known for the first 7 m\n")
    let back = try trips("Town Station", "Old Library", "step-free")
    #expect(
      back.stderr == "warning: no step-free path to Old Library is known for the last 7 m\n")
    #expect(try trips("Old Library", "Town Station", "walk").stderr.isEmpty)
  }

  @Test(
    "A stop's exact name outranks a partial place name")
  func stopBeforePart() throws {
    func trips(_ name: String) throws -> Tool.Output {
      try folder.write(
        #"{"type":"Feature","properties":{"amenity":"bicycle_rental","name":"\#(name)"},"geometry":{"type":"Point","coordinates":[10.9000,48.3000]}}"#,
        to: "bikes.geojson")
      expectSuccess(
        try run(
          "build", Repository.sampleMap, Repository.sampleCampus + "/paths.geojson",
          "bikes.geojson", "--gtfs", Self.feed, "-o", "bikes.guide"))
      return try run(
        "trips", "bikes.guide", "--from", "Old Library", "--to", "town station", "--at",
        "2026-11-23T14:30", "--limit", "1")
    }
    #expect(try trips("Town Station Bikes").stdout.contains("  14:35 Library Walk: 7 Town"))
    #expect(try trips("Town Station").status == 1)
  }

  @Test("The timetable's dates are noted if it does not apply")
  func outsideOfDates() throws {
    for (day, note) in [
      ("2030-11-23", "the timetable ended on 2027-08-31; build the guide with a newer feed\n"),
      (
        "2026-08-03",
        "note: the timetable begins on 2026-09-01; build the guide with an older feed\n"
      ),
    ] {
      let when = day + "T14:30"
      let departures = try run("departures", "campus.guide", "102", "--when", when)
      #expect(departures.status == 1)
      let empty = note.hasPrefix("note") ? "no departures within a day\n" : ""
      #expect(departures.stderr == empty + note)
      let json = try run("departures", "campus.guide", "102", "--when", when, "--json")
      #expect(json.stderr == note)
      let trips = try run(
        "trips", "campus.guide", "--from", "Old Library", "--to", "Town Station", "--when", when)
      #expect(trips.status == 1 && trips.stdout.isEmpty && trips.stderr == note)
    }
    // The last bus of the last day leaves after midnight.
    let last = try run("departures", "campus.guide", "102", "--when", "2027-09-01T00:01")
    #expect(last.stdout.contains("Town Station") && last.stderr.isEmpty)
  }

  @Test("An expired timetable is a fault of check, a warning of build and a line of departures")
  func expiredTimetable() throws {
    try FileManager.default.copyItem(atPath: Self.feed, toPath: folder.path("old"))
    // The dates of feed_info.txt still promise 2027.
    try folder.write(
      """
      service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
      weekdays,1,1,1,1,1,0,0,20190901,20200831
      daily,1,1,1,1,1,1,1,20190901,20200831

      """, to: "old/calendar.txt")
    try? FileManager.default.removeItem(atPath: folder.path("old/calendar_dates.txt"))
    let maps = [Repository.sampleMap, Repository.sampleCampus + "/paths.geojson"]
    let ended = "the timetable ended on 2020-08-31"
    let check = try Tool.run(["guide", "check"] + maps + ["--gtfs", "old", "--json"], in: folder)
    #expect(check.status == 65)
    #expect(check.stdout.contains("expired_timetable") && check.stdout.contains("old: " + ended))
    let lines = try Tool.run(["guide", "check"] + maps + ["--gtfs", "old"], in: folder).stdout
    #expect(lines.hasPrefix("old: " + ended))
    // The timetable begins in September 2019.
    let epoch = ["SOURCE_DATE_EPOCH": "1546300800"]
    let future = "old: the timetable begins on 2019-09-01; use the current feed until then\n"
    let early = try Tool.run(
      ["guide", "check"] + maps + ["--gtfs", "old"], in: folder, environment: epoch)
    #expect(early.status == 65 && early.stdout.hasPrefix(future))
    let ahead = try Tool.run(
      ["guide", "build"] + maps + ["--gtfs", "old", "-o", "ahead.guide"], in: folder,
      environment: epoch)
    #expect(ahead.status == 0 && ahead.stderr.contains("warning: " + future))
    // The timetable was valid at the start of 2020.
    let earlier = try Tool.run(
      ["guide", "check"] + maps + ["--gtfs", "old"], in: folder,
      environment: ["SOURCE_DATE_EPOCH": "1577880000"])
    #expect(!earlier.stdout.contains(ended))
    let build = try Tool.run(
      ["guide", "build"] + maps + ["--gtfs", "old", "-o", "old.guide"], in: folder)
    #expect(build.status == 0 && build.stderr.contains("warning: old: " + ended))
    let departures = try run("departures", "old.guide", "Library Walk")
    #expect(departures.status == 1 && departures.stdout.isEmpty)
    #expect(departures.stderr == ended + "; build the guide with a newer feed\n")
  }

  @Test("Missing timetables, unknown stops and invalid feeds are reported")
  func faults() throws {
    #expect(try run("departures", "campus.guide", "nowhere").status == 1)
    expectSuccess(try run("build", Repository.sampleMap, "-o", "plain.guide"))
    let plain = try run("stops", "plain.guide")
    #expect(plain.status == 65 && plain.stderr.contains("--gtfs"))
    try folder.write("PK no zip", to: "feed.zip")
    for feed in ["feed.zip", "missing.zip"] {
      let output = try run("build", Repository.sampleMap, "--gtfs", feed, "-o", "new.guide")
      #expect([65, 66].contains(output.status) && output.stderr.hasPrefix("cupola: \(feed)"))
      #expect(output.stderr.count { $0 == "\n" } == 1)
    }
    // Four stops are on the grounds; the fifth is the destination of their buses.
    let near = try run(
      "build", Repository.sampleMap, "--gtfs", Self.feed, "--reach", "0", "-o", "new.guide")
    expectSuccess(near)
    #expect(near.stdout.contains(" 5 stops, "))
    try FileManager.default.copyItem(atPath: Self.feed, toPath: folder.path("far"))
    let stops = String(decoding: try folder.bytes("far/stops.txt"), as: UTF8.self)
    try folder.write(stops.replacing(",48.", with: ",49."), to: "far/stops.txt")
    let far = try run("build", Repository.sampleMap, "--gtfs", "far", "-o", "new.guide")
    expectFailure(far, 65, "no stop within 800 m of the campus", "a larger --reach")
  }
}
