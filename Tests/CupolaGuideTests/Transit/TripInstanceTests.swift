import Cupola
import Testing

@testable import CupolaGuide

@Suite("Trips on their days")
struct TripInstanceTests {
  @Test("Every departure is a call of the instance that its key names")
  func keys() throws {
    var random = SplitMix64(seed: 7)
    for _ in 0..<40 {
      let (feed, first) = try RandomFeed.make(&random)
      let table = try Timetable(feed)
      let from = table.clock.secondsSince1970(0, on: first)
      for one in table.departures(at: table.stops.map(\.id), from: from, during: 15 * 86400) {
        let instance = try #require(table.instance(one.key.trip))
        let call = try #require(instance.calls.first { $0.sequence == one.key.sequence })
        #expect(call.departure == one.time && call.stopID == one.stop.id && call.canBoard)
        #expect(call.precision == one.precision && instance.key == one.key.trip)
        #expect(instance.route == one.route)
        #expect(instance.calls.last?.canBoard == false && instance.calls[0].canAlight == false)
      }
    }
  }

  @Test("Instances on their way in a window are those of the slow twin")
  func window() throws {
    var random = SplitMix64(seed: 8)
    for _ in 0..<40 {
      let (feed, first) = try RandomFeed.make(&random)
      let table = try Timetable(feed)
      let slow = try SlowTimetable(feed, days: (0..<16).compactMap { first.adding(days: $0) })
      let start = table.clock.secondsSince1970(0, on: first)
      let from = start + Double(Int.random(in: 0...14 * 24, using: &random)) * 3600
      for (number, trip) in feed.trips.enumerated() {
        let found = table.instances(ofTrip: trip.id, from: from, during: 7200)
        let expected = slow.runs.filter { run in
          guard let begin = run.calls.first, let end = run.calls.last else { return false }
          return run.trip == number && end.departure >= from && begin.arrival < from + 7200
        }
        #expect(
          Set(found.map(\.key))
            == Set(
              expected.map {
                TripInstance.Key(
                  tripID: trip.id, serviceDate: $0.date, frequencyStart: $0.start)
              }))
        #expect(found.count == expected.count)
      }
    }
  }

  @Test("Only what runs has an instance; where a frequency is all, any start in its period")
  func starts() throws {
    var maker = try TimetableMaker.campus()
    maker.trip("daily", [(0, "8:00"), (1, "8:10")])
    maker.trip("every", [(0, "0:00"), (1, "0:05")])
    maker.trip("exact", [(0, "0:00"), (1, "0:05")])
    maker.frequency(1, "6:00-7:00", headway: 600)
    maker.frequency(2, "6:00-7:00", headway: 600, isExact: true)
    let table = try Timetable(maker.feed)
    let day = try TimetableMaker.date(20_260_504)
    func has(_ trip: String, _ start: Int?, _ date: LocalDate) -> Bool {
      let key = TripInstance.Key(tripID: trip, serviceDate: date, frequencyStart: start)
      return table.instance(key) != nil
    }
    #expect(has("daily", nil, day) && has("daily", 28800, day))
    #expect(!has("daily", nil, try TimetableMaker.date(20_270_504)) && !has("no", nil, day))
    #expect(has("every", 21600, day) && has("every", 21700, day) && !has("every", 25200, day))
    #expect(has("exact", 22200, day) && !has("exact", 21700, day) && !has("exact", nil, day))
    let key = TripInstance.Key(tripID: "every", serviceDate: day, frequencyStart: 21700)
    let instance = try #require(table.instance(key))
    #expect(instance.headway == 600)
    #expect(instance.calls[1].arrival == (try moment("2026-05-04T06:06")) + 40)
    #expect(table.runsByFrequency("every") && !table.runsByFrequency("daily"))
    #expect(table.hasTrip("daily") && !table.hasTrip("no"))
    let none = table.instances(ofTrip: "daily", from: .nan, during: 5)
    #expect(none.isEmpty)
  }
}
