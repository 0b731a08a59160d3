import Cupola
import Testing

@testable import CupolaGuide

@Suite("Schedules within reach")
struct FeedReachTests {
  /// Two routes of two agencies that share the stop "mid", and a station far away.
  private var made: MadeFeed {
    var made = MadeFeed()
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
    // Not by trip, not in order.
    made.setTimes([
      "two,mid,2,9:00:00,9:00:00", "one,west,1,8:00:00,8:00:00", "three,east,1,7:00:00,7:00:00",
      "two,far,1,8:30:00,8:30:00", "one,east,2,8:30:00,8:30:00", "three,west,2,8:00:00,8:00:00",
    ])
    made["frequencies.txt"] =
      "trip_id,start_time,end_time,headway_secs\none,8:00:00,9:00:00,60\ntwo,8:00:00,9:00:00,60\n"
    return made
  }

  @Test("trips that call within reach are kept whole, with what they are of, and nothing else")
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

  @Test("nothing within reach is a feed of nothing")
  func nothing() throws {
    let feed = try made.read { _ in false }.feed
    #expect(feed == TransitFeed())
  }

  @Test("a cut is what the whole feed has of it")
  func random() throws {
    var random = SplitMix64(seed: 11)
    for _ in 0..<100 {
      var made = MadeFeed()
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
