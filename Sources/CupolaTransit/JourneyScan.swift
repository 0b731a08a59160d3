internal import CupolaGuide
internal import CupolaSupport

// 1. In round one, follow the lines near the start, and store the earliest arrival at each stop.
// 2. In round two, transfer at these stops, and follow the lines near the destination.

/// Finds the earliest arrivals with and without a transfer, using RAPTOR with two rounds.
///
/// A line on a service day corresponds to a route in RAPTOR: its vehicles never overtake each other (Delling, Pajor &
/// Werneck, "Round-Based Public Transit Routing", 2012).
struct JourneyScan {
  struct Ride {
    var line: Int
    var run: Int
    var day: Int
    /// The start of the service day in seconds since 1970.
    var midnight: Int
    /// The positions of the two stops in the line's pattern.
    var from: Int
    var to: Int
  }

  struct Found {
    var leave: Int
    var arrive: Int
    var rides: [Ride]
    var access: Int
    var change: Int
    var egress: Int
  }

  private struct Label {
    var arrival: Int
    var ride: Ride
  }

  /// The earliest time at which passengers can board at a stop.
  private struct Ready {
    var moment = Int.max
    /// The stop where the transfer begins; -1 at the start of the journey.
    var origin = -1
    var seconds = 0
  }

  private let lines: TimetableLines
  private let places: Grouped<TimetableLines.Place>
  private let index: TimetableIndex
  private let query: JourneyQuery
  private let days: [(day: Int, midnight: Int)]
  /// The walking time in seconds from each stop to the destination; -1 if the stop is not near it.
  private var egress: [Int]
  /// For each line, the position of the last stop near the destination; -1 if there is none.
  private var lastEnd: [Int]
  /// Whether passengers can board and alight at each stop.
  private let isOpen: [Bool]
  private var walks: [Int: [JourneyQuery.Reach]] = [:]

  init(_ timetable: Timetable, _ query: JourneyQuery) {
    (index, self.query) = (timetable.index, query)
    (lines, places) = (timetable.index.lines, timetable.index.lines.places)
    isOpen = timetable.index.stops.map {
      !query.isStepFree || $0.isWheelchairAccessible != false
    }
    let clock = timetable.index.clock
    let days = timetable.index.services.span.map {
      clock.days(in: query.window, times: timetable.index.times, of: $0)
    }
    self.days = (days ?? []).map { ($0, clock.start(ofDay: $0)) }
    egress = [Int](repeating: -1, count: timetable.index.stops.count)
    lastEnd = [Int](repeating: -1, count: timetable.index.lines.lines.count)
    for reach in query.egress {
      egress[reach.stop] = reach.seconds
      for place in places[reach.stop] {
        lastEnd[Int(place.line)] = max(lastEnd[Int(place.line)], Int(place.position))
      }
    }
  }

  /// Returns the earliest arrival without a transfer; with a transfer, only if that arrival is earlier.
  mutating func arrivals(leavingAt moment: Int) -> [Found] {
    var ready = [Ready](repeating: Ready(), count: index.stops.count)
    for reach in query.access {
      ready[reach.stop] = Ready(moment: moment + reach.seconds, seconds: reach.seconds)
    }
    let labels = firstRound(ready)
    let direct = direct(labels)
    let afterChange = changes(labels)
    let changed = secondRound(afterChange, labels: labels, before: direct?.arrive ?? .max)
    return [direct, changed].compactMap(\.self)
  }

  // MARK: - Rounds

  private func firstRound(_ ready: [Ready]) -> [Label?] {
    var labels = [Label?](repeating: nil, count: ready.count)
    for (line, first) in linesToScan(from: query.access.map(\.stop)) {
      let last = lines.count(ofLine: line) - 1
      for day in days where index.services.runs(lines.service(line), onDay: day.day) {
        ride(line, day, positions: first...last, ready) { arrival, stop, ride in
          if let label = labels[stop], label.arrival <= arrival { return }
          labels[stop] = Label(arrival: arrival, ride: ride)
        }
      }
    }
    return labels
  }

  /// Returns the lines at stops, each with the position of its first stop, in line order.
  private func linesToScan(from stops: [Int]) -> [(line: Int, first: Int)] {
    var firsts: [Int: Int] = [:]
    for stop in stops {
      for place in places[stop] {
        let (line, position) = (Int(place.line), Int(place.position))
        firsts[line] = min(firsts[line] ?? position, position)
      }
    }
    return firsts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func direct(_ labels: [Label?]) -> Found? {
    var best: Found?
    for end in query.egress {
      guard let label = labels[end.stop] else { continue }
      let arrive = label.arrival + end.seconds
      if let best, best.arrive <= arrive { continue }
      let access = access(to: label.ride)
      best = Found(
        leave: departure(of: label.ride) - access, arrive: arrive, rides: [label.ride],
        access: access, change: 0, egress: end.seconds)
    }
    return best
  }

  private mutating func changes(_ labels: [Label?]) -> [Ready] {
    var ready = [Ready](repeating: Ready(), count: labels.count)
    for (stop, label) in labels.enumerated() {
      guard let label else { continue }
      for reach in walks(from: stop) {
        let moment = label.arrival + reach.seconds
        if moment < ready[reach.stop].moment {
          ready[reach.stop] = Ready(moment: moment, origin: stop, seconds: reach.seconds)
        }
      }
    }
    return ready
  }

  private mutating func walks(from stop: Int) -> [JourneyQuery.Reach] {
    if let known = walks[stop] { return known }
    var best = [stop: query.change]
    let station = index.stations[stop]
    if station >= 0 {
      best[station] = query.change
      for platform in index.platforms[station] { best[Int(platform)] = query.change }
    }
    // Platforms in a large station can be as far apart as separate stops.
    for reach in query.walks(stop) where reach.stop != stop {
      best[reach.stop] = max(reach.seconds, query.change)
    }
    // A forbidden transfer has no time, which removes the walk.
    for rule in index.transfers[stop] ?? [] { best[rule.to] = rule.seconds }
    let sorted = best.map { JourneyQuery.Reach(stop: $0.key, seconds: $0.value) }
      .sorted { $0.stop < $1.stop }
    walks[stop] = sorted
    return sorted
  }

  private func secondRound(_ ready: [Ready], labels: [Label?], before limit: Int) -> Found? {
    var best: Found?
    for (line, last) in lastEnd.enumerated() where last > 0 {
      for day in days where index.services.runs(lines.service(line), onDay: day.day) {
        ride(line, day, positions: 0...last, ready) { arrival, stop, ride in
          guard egress[stop] >= 0 else { return }
          let arrive = arrival + egress[stop]
          guard arrive < best?.arrive ?? limit else { return }
          let change = ready[lines.stop(line, ride.from)]
          guard change.origin >= 0, let first = labels[change.origin] else { return }
          let seconds = access(to: first.ride)
          best = Found(
            leave: departure(of: first.ride) - seconds, arrive: arrive,
            rides: [first.ride, ride], access: seconds, change: change.seconds,
            egress: egress[stop])
        }
      }
    }
    return best
  }

  // MARK: - A line on a day

  /// Follows a line, using the earliest vehicle that can be boarded, and reports each arrival.
  private func ride(
    _ line: Int, _ day: (day: Int, midnight: Int), positions: ClosedRange<Int>, _ ready: [Ready],
    arrived: (Int, Int, Ride) -> Void
  ) {
    var current: Ride?
    let runs = lines.runs(ofLine: line)
    for position in positions {
      let call = lines.call(line, position)
      let stop = Int(call.stop)
      guard isOpen[stop] else { continue }
      if var ride = current, call.canAlight {
        ride.to = position
        arrived(day.midnight + lines.arrival(line, ride.run, position), stop, ride)
      }
      guard call.canBoard, ready[stop].moment < query.window.upperBound else { continue }
      // Only an earlier run can improve the arrival time.
      let run = lines.firstRun(
        line, departingFrom: ready[stop].moment - day.midnight, at: position,
        before: current?.run ?? runs, isStepFree: query.isStepFree)
      guard let run,
        day.midnight + lines.departure(line, run, position) < query.window.upperBound
      else { continue }
      current = Ride(
        line: line, run: run, day: day.day, midnight: day.midnight, from: position, to: position)
    }
  }

  private func departure(of ride: Ride) -> Int {
    ride.midnight + lines.departure(ride.line, ride.run, ride.from)
  }

  private func access(to ride: Ride) -> Int {
    let stop = lines.stop(ride.line, ride.from)
    return query.access.first { $0.stop == stop }?.seconds ?? 0
  }
}
