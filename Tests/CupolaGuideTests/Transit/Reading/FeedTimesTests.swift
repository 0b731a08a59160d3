import Cupola
import CupolaTestSupport
import CupolaTransit
import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Trip times")
struct FeedTimesTests {
  private func rows(_ rows: [String], columns: String = "") throws -> [String] {
    var feed = TestFeed()
    feed.setTimes(rows, columns: columns)
    return try feed.read().feed.rows()
  }

  @Test("Interpolates blank times by straight-line distance")
  func straight() throws {
    // The stops are 0.001, 0.003 and 0.004 degrees away from the first stop.
    let found = try rows(["t,a,1,7:58:00,8:00:00", "t,b,2,,", "t,c,3,,", "t,d,4,8:04:00,8:09:00"])
    #expect(found == ["a -120 0", "b 60 60 ~", "c 180 180 ~", "d 240 540"])
  }

  @Test("Interpolates by shape_dist_traveled if all rows have it")
  func shape() throws {
    let columns = ",shape_dist_traveled"
    let found = try rows(
      [
        "t,a,1,8:00:00,8:00:00,10", "t,b,2,,,12.5", "t,c,3,,,17.5", "t,d,4,8:04:00,8:04:00,20",
      ], columns: columns)
    #expect(found == ["a 0 0", "b 60 60 ~", "c 180 180 ~", "d 240 240"])
    // One distance is missing, so straight lines are used for all stops.
    let partly = try rows(
      ["t,a,1,8:00:00,8:00:00,0", "t,b,2,,,3", "t,c,3,,,", "t,d,4,8:04:00,8:04:00,4"],
      columns: columns)
    #expect(partly == ["a 0 0", "b 60 60 ~", "c 180 180 ~", "d 240 240"])
    let backward = try rows(
      ["t,a,1,8:00:00,8:00:00,0", "t,b,2,,,3", "t,c,3,,,2", "t,d,4,8:04:00,8:04:00,4"],
      columns: columns)
    #expect(backward == partly)
  }

  @Test("Interpolates evenly at one place or without coordinates")
  func even() throws {
    let found = try rows(["t,a,1,8:00:00,8:00:00", "t,a,2,,", "t,a,3,,", "t,a,4,8:03:00,8:03:00"])
    #expect(found == ["a 0 0", "a 60 60 ~", "a 120 120 ~", "a 180 180"])
    var feed = TestFeed()
    feed["stops.txt"] = "stop_id,stop_name\na,A\nb,B\nc,C\n"
    feed["stops.txt"] = "stop_id,stop_name,stop_lat,stop_lon\na,A,42,-87\nb,B,,\nc,C,42.9,-87\n"
    feed.setTimes(["t,a,1,8:00:00,8:00:00", "t,b,2,,", "t,c,3,8:01:00,8:01:00"])
    #expect(try feed.read().feed.rows() == ["a 0 0", "b 30 30 ~", "c 60 60"])
  }

  @Test("Sorts rows and interpolates each stretch separately")
  func stretches() throws {
    let found = try rows([
      "t,c,30,8:10:00,8:10:00", "t,d,7000,8:20:00,8:20:00", "t,a,0,8:00:00,8:00:00", "t,b,2,,",
      "t,a,40,,",
    ])
    #expect(found == ["a 0 0", "b 200 200 ~", "c 600 600", "a 857 857 ~", "d 1200 1200"])
  }

  @Test("A single arrival or departure time sets both")
  func oneTime() throws {
    let found = try rows(["t,a,1,,23:59:00", "t,b,2,24:10:00,", "t,c,3,25:35:00,26:00:00"])
    #expect(found == ["a 57540 57540", "b 58200 58200", "c 63300 64800"])
  }

  @Test("A timepoint of 0 marks times as approximate")
  func timepoints() throws {
    let found = try rows(
      ["t,a,1,8:00:00,8:00:00,1", "t,b,2,8:01:00,8:01:00,0", "t,c,3,8:02:00,8:02:00,"],
      columns: ",timepoint")
    #expect(found == ["a 0 0", "b 60 60 ~", "c 120 120"])
  }

  @Test("Drops as few decreasing times as possible and reports them")
  func backward() throws {
    var feed = TestFeed()
    feed.setTimes([
      "t,a,1,8:00:00,8:00:00", "t,b,2,99:00:00,99:00:00", "t,c,3,8:03:00,8:03:00",
      "t,d,4,8:04:00,8:04:00",
    ])
    #expect(try feed.read().feed.rows() == ["a 0 0", "b 60 60 ~", "c 180 180", "d 240 240"])
    #expect(try feed.faults().count == 1)
    #expect(try feed.faults()[0].contains("times go backward") == true)
    feed.setTimes([
      "t,a,1,8:09:00,8:09:00", "t,b,2,8:01:00,8:01:00", "t,c,3,8:03:00,8:03:00",
      "t,d,4,8:00:00,8:00:00",
    ])
    #expect(try feed.read().feed.rows() == ["a 60 60 ~", "b 60 60", "c 180 180", "d 180 180 ~"])
  }

  @Test("Random times of a trip never decrease")
  func random() throws {
    var random = SplitMix64(seed: 5)
    for _ in 0..<(Verification.isFull ? 300 : 100) {
      var feed = TestFeed()
      feed.setTimes(
        (1...9).map { number in
          func time() -> String {
            Bool.random(using: &random)
              ? "" : "8:\(Int.random(in: 10...59, using: &random)):00"
          }
          let stop = ["a", "b", "c", "d"].randomElement(using: &random) ?? "a"
          return "t,\(stop),\(number),\(time()),\(time())"
        })
      let read = try feed.read().feed
      let times = read.stopTimes.flatMap { [$0.arrival, $0.departure] }
      #expect(times == times.sorted())
      #expect(read.stopTimes.allSatisfy { $0.arrival >= 0 })
    }
  }

  @Test("Omits stops before the first and after the last time")
  func ends() throws {
    var feed = TestFeed()
    feed.setTimes(["t,a,1,,", "t,b,2,8:00:00,8:00:00", "t,c,3,8:01:00,8:01:00", "t,d,4,,"])
    #expect(try feed.read().feed.rows() == ["b 0 0", "c 60 60"])
    #expect(
      try feed.faults() == [
        "stop_times.txt, line 2: first or last stop without a time; skipped: \"t\""
      ])
    feed.setTimes(["t,a,1,,", "t,b,2,,"])
    #expect(try feed.read().feed.trips.isEmpty)
    #expect(
      try feed.faults() == ["stop_times.txt, line 2: trip without times; skipped: \"t\""])
  }
}
