import Cupola
import Testing

@testable import CupolaGuide

@Suite("Stops of routes")
struct RouteSequenceTests {
  @Test("The usual stops are those of most trips; others come between")
  func branches() throws {
    var maker = try TimetableMaker.campus()
    for id in ["D", "E", "F"] { maker.stop(id) }
    // A B C usual; A D C; E A B C; A B C F.
    for number in 0..<3 {
      maker.trip(
        "u\(number)", headsign: "North", direction: 0, [(0, "8:00"), (1, "8:10"), (2, "8:20")])
    }
    maker.trip("d", headsign: "North", direction: 0, [(0, "9:00"), (3, "9:10"), (2, "9:20")])
    maker.trip("e", headsign: "N", direction: 0, [(4, "7:50"), (0, "8:00"), (1, "8:10")])
    maker.trip("f", headsign: "N", direction: 0, [(1, "8:00"), (2, "8:10"), (5, "8:20")])
    maker.trip("back", headsign: "South", direction: 1, [(2, "8:00"), (0, "8:10")])
    let found = try Timetable(maker.feed).sequences(ofRoute: "55")
    #expect(found.map(\.direction) == [0, 1] && found.map(\.headsign) == ["North", "South"])
    #expect(found[0].usual.map(\.id) == ["A", "B", "C"])
    #expect(found[0].stops.map(\.id) == ["E", "A", "D", "B", "C", "F"])
    #expect(found[0].tripCount == 6 && found[1].stops.map(\.id) == ["C", "A"])
    #expect(try Timetable(maker.feed).sequences(ofRoute: "none").isEmpty)
  }

  @Test("Where no direction is said, headsigns tell them apart; frequent trips count often")
  func noDirections() throws {
    var maker = try TimetableMaker.campus()
    maker.trip("1", headsign: "In", [(0, "8:00"), (2, "8:20")])
    maker.trip("2", headsign: "In", [(0, "8:30"), (2, "8:50")])
    maker.trip("3", headsign: "In", [(0, "8:00"), (1, "8:10"), (2, "8:20")])
    maker.trip("4", headsign: "Out", [(2, "8:00"), (0, "8:20")])
    maker.frequency(2, "8:00-9:00", headway: 600)
    let found = try Timetable(maker.feed).sequences(ofRoute: "55")
    #expect(found.map(\.headsign) == ["In", "Out"] && found.map(\.tripCount) == [8, 1])
    #expect(found[0].usual.map(\.id) == ["A", "B", "C"])
  }

  @Test("Merging keeps the sequence and adds every other stop once, loops too")
  func merging() {
    #expect(Timetable.merged([1, 2, 3, 1], with: [1, 2, 9, 3, 1]) == [1, 2, 9, 3, 1])
    #expect(Timetable.merged([1, 2, 3], with: [3, 8, 1, 2]) == [1, 2, 3, 8])
    #expect(Timetable.merged([1, 2], with: [8, 9]) == [1, 2, 8, 9])
    #expect(Timetable.merged([], with: [8, 9, 8]) == [8, 9])
    var random = SplitMix64(seed: 3)
    for _ in 0..<300 {
      let a = (0..<8).map { _ in Int32.random(in: 0..<9, using: &random) }
      let b = (0..<8).map { _ in Int32.random(in: 0..<14, using: &random) }
      let merged = Timetable.merged(a, with: b)
      #expect(merged.filter { Set(a).contains($0) } == a)
      #expect(Set(merged) == Set(a).union(b))
      #expect(merged.count == a.count + Set(b).subtracting(a).count)
    }
  }

  @Test("The order of a feed's trips changes nothing")
  func order() throws {
    var random = SplitMix64(seed: 12)
    for _ in 0..<30 {
      var (feed, _) = try RandomFeed.make(&random)
      feed.frequencies = []
      let table = try Timetable(feed)
      feed.trips.shuffle(using: &random)
      let other = try Timetable(feed)
      for route in table.routes {
        #expect(table.sequences(ofRoute: route.id) == other.sequences(ofRoute: route.id))
      }
      #expect(table.bytes == other.bytes)
    }
  }
}
