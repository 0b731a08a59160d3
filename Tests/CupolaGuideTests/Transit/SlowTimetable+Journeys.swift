@testable import CupolaGuide

extension SlowTimetable {
  /// When a journey leaves and arrives, and whether vehicles are changed.
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

  /// All journeys, one by one, and of these the best.
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

  /// Whether a stop takes no wheelchair, or says nothing and its station does not.
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
