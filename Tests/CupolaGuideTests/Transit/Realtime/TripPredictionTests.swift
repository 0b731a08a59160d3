import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder
@testable import CupolaSupport
@testable import CupolaTransit

@Suite("Trip predictions") struct TripPredictionTests {
  private let table: Timetable
  private let trip: TripInstance
  private let start: Double

  init() throws {
    var maker = try TimetableMaker.campus()
    maker.stop("D")
    maker.stop("E")
    maker.trip("t", [(0, "8:00"), (1, "8:10"), (2, "8:20"), (3, "8:30"), (1, "8:40"), (4, "8:50")])
    maker.trip("f", [(0, "0:00"), (1, "0:10")])
    maker.frequency(1, "6:00-22:00", headway: 600)
    table = try TimetableBuilder.timetable(maker.feed)
    let day = try TimetableMaker.date(20_261_123)
    trip = try #require(table.instance(TripInstance.Key(tripID: "t", serviceDate: day)))
    start = trip.calls[0].departure
  }

  private func stop(
    _ sequence: Int? = nil, _ id: String? = nil, arrival: RealtimeFeed.Event? = nil,
    departure: RealtimeFeed.Event? = nil,
    relationship: RealtimeFeed.StopUpdate.Relationship = .scheduled
  ) -> RealtimeFeed.StopUpdate {
    RealtimeFeed.StopUpdate(
      sequence: sequence, stop: id, arrival: arrival, departure: departure,
      relationship: relationship)
  }

  private func late(_ seconds: Int) -> RealtimeFeed.Event { RealtimeFeed.Event(delay: seconds) }

  private func at(_ seconds: Double) -> RealtimeFeed.Event {
    RealtimeFeed.Event(time: Int(start + seconds))
  }

  private func calls(
    delay: Int? = nil, _ stops: RealtimeFeed.StopUpdate...
  ) -> [TripPrediction.Call] {
    let update = RealtimeFeed.TripUpdate(
      trip: RealtimeFeed.Trip(id: "t"), stops: stops, delay: delay)
    return TripPrediction(update, to: trip).calls
  }

  @Test("A call with an invalid time still has a delay")
  func oddTimes() {
    var odd = trip
    (odd.calls[0].departure, odd.calls[1].departure) = (.nan, -1e300)
    let update = RealtimeFeed.TripUpdate(
      trip: RealtimeFeed.Trip(id: "t"),
      stops: odd.calls.map { stop($0.sequence, departure: at(0)) })
    let delays = TripPrediction(update, to: odd).calls.map(\.delay)
    #expect(delays.prefix(2) == [0, Int.max])
  }

  @Test("A delay applies until the next update; an empty update is on time")
  func propagation() {
    // The example from the GTFS-realtime reference: delays of 5 s and 1 s, then on time.
    let found = calls(stop(6, arrival: late(5)), stop(16, arrival: late(1)), stop(21))
    #expect(found.map(\.delay) == [nil, 5, 5, 1, 0, 0])
    #expect(found[0].status == .scheduled && found[0].departure == nil)
    #expect(found[2].departure == start + 1205 && found[4].arrival == start + 2400)
  }

  @Test("Matches updates by sequence or by the next stop with the id")
  func matching() {
    let found = calls(stop(nil, "B", arrival: late(60)), stop(nil, "B", arrival: late(120)))
    #expect(found.map(\.delay) == [nil, 60, 60, 60, 120, 120])
    #expect(
      calls(stop(nil, "Z", arrival: late(60)), stop(99, arrival: late(9))).allSatisfy {
        $0.status == .scheduled
      })
  }

  @Test("Times override delays; a departure alone keeps the arrival")
  func times() {
    let both = RealtimeFeed.Event(delay: 999, time: Int(start + 630))
    let found = calls(stop(6, arrival: both), stop(11, departure: at(1290)))
    #expect(found[1].arrival == start + 630 && found[1].delay == 30)
    #expect(found[2].arrival == start + 1230 && found[2].departure == start + 1290)
    #expect(found[3].arrival == start + 1890)
    let only = calls(stop(6, departure: late(-20)))
    #expect(only[1].arrival == nil && only[1].departure == start + 580 && only[2].delay == -20)
  }

  @Test("Skipped stops keep the delay, NO_DATA ends it")
  func skipped() {
    let found = calls(
      stop(1, departure: late(40)), stop(6, relationship: .skipped),
      stop(16, relationship: .noData), stop(26, arrival: late(7)))
    let expected: [TripPrediction.Call.Status] = [
      .predicted, .skipped, .predicted, .noData, .scheduled, .predicted,
    ]
    #expect(found.map(\.status) == expected)
    #expect(found.map(\.delay) == [40, nil, 40, nil, nil, 7])
  }

  @Test("A trip's delay applies until a stop's; canceled trips stay so")
  func whole() {
    #expect(calls(delay: 90).map(\.delay) == [90, 90, 90, 90, 90, 90])
    #expect(calls(delay: 90, stop(11, arrival: late(30))).map(\.delay) == [90, 90, 30, 30, 30, 30])
    let canceled = RealtimeFeed.TripUpdate(
      trip: RealtimeFeed.Trip(id: "t", relationship: .canceled))
    #expect(TripPrediction(canceled, to: trip).calls.allSatisfy { $0.status == .canceled })
  }

  @Test("A replaced trip calls at its new stops, matched by id")
  func replaced() {
    var update = RealtimeFeed.TripUpdate(
      trip: RealtimeFeed.Trip(id: "t", relationship: .replacement),
      stops: [
        stop(1, "A", departure: at(0)), stop(2, "X", departure: at(900)),
        stop(3, "D", departure: at(1900)), stop(4, "B", arrival: at(2400)),
      ], delay: 90)
    let found = TripPrediction(update, to: trip).calls
    let expected: [TripPrediction.Call.Status] = [
      .predicted, .skipped, .skipped, .predicted, .predicted, .skipped,
    ]
    #expect(found.map(\.status) == expected)
    #expect(found.map(\.delay) == [0, nil, nil, 100, 0, nil])
    update.stops[3] = stop(21, departure: late(30))
    #expect(!update.replacesTrip)
    #expect(TripPrediction(update, to: trip).calls.map(\.status).last == .predicted)
  }

  @Test("Frequency trips use times only and have no delay")
  func frequency() throws {
    let day = try TimetableMaker.date(20_261_123)
    let run = try #require(
      table.instance(TripInstance.Key(tripID: "f", serviceDate: day, frequencyStart: 40_535)))
    let first = run.calls[0].departure
    var update = RealtimeFeed.TripUpdate(
      trip: RealtimeFeed.Trip(id: "f"), stops: [stop(1, departure: late(60))])
    #expect(TripPrediction(update, to: run).calls.allSatisfy { $0.status == .scheduled })
    update.stops = [stop(1, departure: RealtimeFeed.Event(time: Int(first) + 25))]
    let found = TripPrediction(update, to: run).calls
    #expect(
      found.map(\.departure) == [first + 25, first + 625] && found.allSatisfy { $0.delay == nil })
  }
}
