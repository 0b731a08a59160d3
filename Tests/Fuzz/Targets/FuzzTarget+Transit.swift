@testable import CupolaGuide
@testable import CupolaGuideBuilder
@testable import CupolaTransit

/// Targets for transit schedules and realtime data.
extension FuzzTarget {
  static let transit: [FuzzTarget] = [
    FuzzTarget("zip") { bytes in
      let archive = try? ZipArchive(path: "made.zip", size: bytes.count) { Array(bytes[$0]) }
      guard let archive else { return }
      for member in archive.members.prefix(8) {
        guard var stream = try? archive.stream(of: member, limit: 1 << 20) else { continue }
        var contents: [UInt8] = []
        while (try? stream.append(to: &contents)) == true {}
      }
      read(archive)
    },
    FuzzTarget("gtfs") { bytes in
      let zip = FuzzFiles(bytes, names: names).zip
      let archive: ZipArchive
      do throws(GuideError) {
        archive = try ZipArchive(path: "made.zip", size: zip.count) { Array(zip[$0]) }
      } catch {
        throw FuzzFailure("the archive of the target cannot be read: \(error)")
      }
      guard let timetable = read(archive) else { return }
      let written = timetable.bytes
      guard let again = try? Timetable(bytes: written) else {
        throw FuzzFailure("a timetable cannot be written and read again")
      }
      try FuzzFailure.unless(
        again.bytes == written, "the timetable changed after writing and reading")
      use(again)
    },
    FuzzTarget("realtime") { bytes in
      guard let feed = try? RealtimeFeed(bytes: bytes), let timetable = smallTimetable else {
        return
      }
      let state = RealtimeState([feed], of: timetable, at: moment)
      let board = DepartureBoard(timetable, state)
      let stops = timetable.stops.prefix(4).map(\.id)
      for departure in board.departures(at: stops, from: moment, limit: 50) {
        _ = board.words(for: departure, now: moment)
      }
      _ = (
        board.notices(at: stops, now: moment, in: "de"), state.versionNotice,
        state.isOld(at: moment)
      )
    },
  ]

  private static let names = Set(FeedFile.allCases.map(\.name))
  /// Monday, 2026-11-23, 07:00 UTC.
  private static let moment = 1_795_417_200.0

  @discardableResult private static func read(_ archive: ZipArchive) -> Timetable? {
    guard let source = try? FeedSource(archive),
      let result = try? FeedReader.read(source, keeps: { _ in true })
    else { return nil }
    return try? TimetableBuilder.timetable(result.feed)
  }

  static func use(_ timetable: Timetable) {
    let stops = timetable.stops.map(\.id)
    let departures = timetable.departures(at: Array(stops.prefix(4)), from: moment, limit: 50)
    for departure in departures {
      _ = timetable.words(until: departure.time, now: moment)
      _ = timetable.instance(departure.key.trip)
    }
    for stop in stops.prefix(2) {
      _ = (timetable.routes(at: stop), timetable.stops(matching: stop))
    }
    guard let first = stops.first, let last = stops.last else { return }
    _ = timetable.journeys(from: [first: 60], to: [last: 60], at: moment) { _ in [last: 100] }
  }

  private static let smallTimetable: Timetable? = {
    let text = """
      === agency.txt
      agency_id,agency_name,agency_url,agency_timezone
      1,A,http://a,Europe/Berlin
      === stops.txt
      stop_id,stop_name,stop_lat,stop_lon
      a,First,48.3,10.9
      b,Second,48.301,10.9
      c,Last,48.303,10.9
      === routes.txt
      route_id,agency_id,route_short_name,route_type
      r,1,55,3
      === trips.txt
      route_id,service_id,trip_id,direction_id
      r,s,t,0
      r,s,f,0
      === stop_times.txt
      trip_id,stop_id,stop_sequence,arrival_time,departure_time
      t,a,1,8:00:00,8:00:00
      t,b,2,8:01:00,8:02:00
      t,c,3,8:03:00,8:03:00
      f,a,1,0:00:00,0:00:00
      f,b,2,0:05:00,0:05:00
      === frequencies.txt
      trip_id,start_time,end_time,headway_secs,exact_times
      f,8:00:00,10:00:00,600,1
      === calendar.txt
      service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
      s,1,1,1,1,1,0,0,20260101,20261231
      """
    let zip = FuzzFiles(Array(text.utf8), names: names).zip
    let archive = try? ZipArchive(path: "made.zip", size: zip.count) { Array(zip[$0]) }
    return archive.flatMap { read($0) }
  }()
}
