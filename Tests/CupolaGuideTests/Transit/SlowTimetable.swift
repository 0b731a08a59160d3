@testable import CupolaGuide

/// Does what a timetable does in the obvious slow way: every trip of every day, one by one.
struct SlowTimetable {
  struct Run {
    var trip: Int
    var date: LocalDate
    var start: Int?
    var calls: [Call]
  }

  struct Call {
    var stop: Int
    var sequence: Int
    var arrival: Double
    var departure: Double
    var canBoard: Bool
    var canAlight: Bool
  }

  let feed: TransitFeed
  let runs: [Run]

  /// - Parameter days: all on which something may run.
  init(_ feed: TransitFeed, days: [LocalDate]) throws {
    self.feed = feed
    var runs: [Run] = []
    for date in days {
      guard let noon = LocalTime(date: date, minute: 720),
        let moment = noon.secondsSince1970(timeZone: feed.agencies[0].timeZone)
      else { continue }
      for (number, trip) in feed.trips.enumerated() {
        guard Self.runs(feed.services[Int(trip.service)], on: date), !trip.stopTimes.isEmpty else {
          continue
        }
        let rows = trip.stopTimes.map { feed.stopTimes[Int($0)] }
        let frequencies = feed.frequencies.filter { Int($0.trip) == number }
        var starts = frequencies.flatMap { row in
          Array(stride(from: row.times.lowerBound, to: row.times.upperBound, by: Int(row.headway)))
        }
        if frequencies.isEmpty { starts = [rows[0].departure] }
        for start in starts {
          let midnight = moment - 43200 + Double(start) - Double(rows[0].departure)
          let calls = rows.enumerated().map { place, row in
            Call(
              stop: Int(row.stop), sequence: Int(row.sequence),
              arrival: midnight + Double(row.arrival), departure: midnight + Double(row.departure),
              canBoard: row.pickup != 1 && place < rows.count - 1,
              canAlight: row.dropOff != 1 && place > 0)
          }
          runs.append(
            Run(
              trip: number, date: date, start: frequencies.isEmpty ? nil : Int(start),
              calls: calls))
        }
      }
    }
    self.runs = runs
  }

  private static func runs(_ service: TransitFeed.Service, on date: LocalDate) -> Bool {
    if service.removed.contains(date) { return false }
    if service.added.contains(date) { return true }
    guard let start = service.start, let end = service.end, start <= date, date <= end else {
      return false
    }
    return service.weekdays & 1 << UInt8(date.weekday) != 0
  }

  /// A station's platforms and itself.
  func stops(_ id: String) -> [Int] {
    feed.stops.indices.filter { number in
      feed.stops[number].id == id
        || feed.stops[number].parent.map { feed.stops[Int($0)].id == id } ?? false
    }
  }

  /// Keys and moments of departures, in no order.
  func departures(at stop: String, from: Double, during: Double) -> Set<String> {
    let stops = stops(stop)
    var found: Set<String> = []
    for run in runs {
      for call in run.calls where stops.contains(call.stop) && call.canBoard {
        guard call.departure >= from, call.departure < from + during else { continue }
        let start = run.start.map { String($0) } ?? "-"
        let trip = feed.trips[run.trip].id
        found.insert("\(trip) \(run.date) \(start) \(call.sequence) \(Int(call.departure))")
      }
    }
    return found
  }
}
