@testable import CupolaGuide
@testable import CupolaGuideBuilder
@testable import CupolaSupport
@testable import CupolaTransit

/// A slow reference implementation of a timetable that checks every trip on every day.
struct ReferenceTimetable {
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

  /// - Parameter days: All days on which trips can run.
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

  func stops(_ id: String) -> [Int] {
    feed.stops.indices.filter { number in
      feed.stops[number].id == id
        || feed.stops[number].parent.map { feed.stops[Int($0)].id == id } ?? false
    }
  }

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

extension ReferenceTimetable {
  struct Journey: Hashable {
    var leave: Double
    var arrive: Double
    var changes: Int

    func dominates(_ other: Journey) -> Bool {
      self != other && leave >= other.leave && arrive <= other.arrive && changes <= other.changes
    }
  }

  private struct Ride {
    var run: Int
    var from: Call
    var to: Call
  }

  /// Returns the Pareto-optimal journeys among all combinations of one or two rides.
  func journeys(
    from access: [String: Double], to egress: [String: Double], at moment: Double,
    during: Double, change: Double, stepFree: Bool = false, walks: [String: [String: Double]]
  ) -> [Journey] {
    let (starts, ends) = (seconds(access), seconds(egress))
    var rides: [Ride] = []
    func isOpen(_ call: Call) -> Bool { !stepFree || !isBarred(stop: call.stop) }
    for (number, run) in runs.enumerated()
    where !stepFree || feed.trips[run.trip].wheelchair != 2 {
      for (place, from) in run.calls.enumerated() where from.canBoard && isOpen(from) {
        guard from.departure >= moment, from.departure < moment + during else { continue }
        for to in run.calls[(place + 1)...] where to.canAlight && isOpen(to) {
          rides.append(Ride(run: number, from: from, to: to))
        }
      }
    }
    let lasts = rides.filter { ends[$0.to.stop] != nil }
    var found: Set<Journey> = []
    for first in rides {
      guard let seconds = starts[first.from.stop], first.from.departure - seconds >= moment else {
        continue
      }
      let leave = first.from.departure - seconds
      if let end = ends[first.to.stop] {
        found.insert(Journey(leave: leave, arrive: first.to.arrival + end, changes: 0))
      }
      let reach = self.reach(first.to.stop, change: change, walks)
      for second in lasts {
        guard let walk = reach[second.from.stop], let end = ends[second.to.stop],
          first.to.arrival + walk <= second.from.departure
        else { continue }
        found.insert(Journey(leave: leave, arrive: second.to.arrival + end, changes: 1))
      }
    }
    let best = found.filter { one in !found.contains { $0.dominates(one) } }
    return best.sorted { ($0.arrive, $0.changes, -$0.leave) < ($1.arrive, $1.changes, -$1.leave) }
  }

  /// Returns whether a stop, or its station, is marked as inaccessible.
  private func isBarred(stop: Int) -> Bool {
    let row = feed.stops[stop]
    let station = row.parent.map { feed.stops[Int($0)].wheelchair }
    return row.wheelchair == 2 || row.wheelchair == 0 && station == 2
  }

  private func seconds(_ reach: [String: Double]) -> [Int: Double] {
    var seconds: [Int: Double] = [:]
    for (id, value) in reach {
      for stop in stops(id) { seconds[stop] = min(seconds[stop] ?? .infinity, value.rounded(.up)) }
    }
    return seconds
  }

  private func reach(
    _ stop: Int, change: Double, _ walks: [String: [String: Double]]
  ) -> [Int: Double] {
    var reach = seconds(walks[feed.stops[stop].id] ?? [:]).mapValues { max($0, change) }
    for (other, row) in feed.stops.enumerated() {
      let isSame = row.parent != nil && row.parent == feed.stops[stop].parent
      if other == stop || isSame && reach[other] == nil { reach[other] = change }
    }
    return reach
  }
}
