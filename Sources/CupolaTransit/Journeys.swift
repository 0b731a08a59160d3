internal import CupolaGuide
internal import CupolaSupport

// 1. Define a journey: one ride, or two rides with a transfer.
// 2. Repeat the scan with later departures, and keep the best journeys.
// 3. Convert the request to seconds (as integers) and stop numbers.

/// A journey between stops with one vehicle, or with two vehicles and a transfer.
public struct TransitJourney: Equatable, Sendable {
  /// A ride on one vehicle.
  public struct Leg: Equatable, Sendable {
    package let trip: TripInstance.Key
    /// The route of the trip.
    public let route: TransitRoute
    /// The headsign, or the name of the last stop if there is no headsign.
    public let destination: String
    /// The stop where passengers board.
    public let from: TransitStop
    let fromSequence: Int
    /// The departure time in seconds since 1970.
    public let departure: Double
    /// The stop where passengers alight.
    public let to: TransitStop
    let toSequence: Int
    /// The arrival time in seconds since 1970.
    public let arrival: Double
    /// How reliable the times are.
    public let precision: TransitPrecision
  }

  /// The latest time to leave for the first stop, in seconds since 1970.
  public let leave: Double
  /// The arrival at the destination after the last walk, in seconds since 1970.
  public let arrive: Double
  /// The rides in order, one or two.
  public let legs: [Leg]
  let accessSeconds: Double
  /// The time for the transfer in seconds, at least the minimum; 0 if there is no transfer.
  let changeSeconds: Double
  let egressSeconds: Double

  /// The number of transfers: 0 or 1.
  public var changes: Int { max(0, legs.count - 1) }
  /// The total duration in seconds.
  public var seconds: Double { arrive - leave }
}

extension Timetable {
  /// Returns the best journeys with at most one transfer, sorted by arrival.
  ///
  /// The journeys are Pareto optimal in departure, arrival and number of transfers. Passengers can transfer at a stop,
  /// within a station, and between stops that `walks` connects; `walks` also overrides the transfer time between
  /// platforms. All durations are in seconds. Walks and transfers take at most a day. A station includes its platforms.
  ///
  /// - Parameter stepFree: Whether to exclude trips and stops marked as not wheelchair accessible.
  package func journeys(
    from access: [String: Double], to egress: [String: Double], at moment: Double,
    during: Double = 86400, limit: Int = 5, leastChange: Double = 60,
    stepFree: Bool = false, walks: (String) -> [String: Double] = { _ in [:] }
  ) -> [TransitJourney] {
    guard let window = Self.window(from: moment, during: during), limit > 0 else { return [] }
    let change = (0...JourneyQuery.longestWalk).contains(leastChange) ? leastChange : 60
    return withoutActuallyEscaping(walks) { walks in
      let query = JourneyQuery(
        access: JourneyQuery.reaches(access, in: self),
        egress: JourneyQuery.reaches(egress, in: self), window: window,
        change: Int(change.rounded(.up)), isStepFree: stepFree,
        walks: { JourneyQuery.reaches(walks(index.stops[$0].id), in: self) })
      var scan = JourneyScan(self, query)
      return Self.best(of: &scan, query, limit: limit).compactMap { journey($0) }
    }
  }

  /// Limits the search, for example if one of the vehicles departs every second.
  private static let mostRounds = 5000

  /// Repeats the scan, starting one second after the earliest departure found, until later journeys cannot be better.
  private static func best(
    of scan: inout JourneyScan, _ query: JourneyQuery, limit: Int
  ) -> [JourneyScan.Found] {
    var best: [JourneyScan.Found] = []
    var moment = query.window.lowerBound
    for _ in 0..<mostRounds where moment < query.window.upperBound {
      let found = scan.arrivals(leavingAt: moment)
      guard let earliest = found.map(\.leave).min(), let arrive = found.map(\.arrive).min() else {
        break
      }
      for one in found where !best.contains(where: { dominates($0, one) }) {
        best.removeAll { dominates(one, $0) }
        best.append(one)
      }
      // A later departure never arrives before `arrive`.
      if best.count(where: { $0.arrive < arrive }) >= limit { break }
      moment = max(earliest, moment) + 1
    }
    best.sort {
      ($0.arrive, $0.rides.count, -$0.leave) < ($1.arrive, $1.rides.count, -$1.leave)
    }
    return Array(best.prefix(limit))
  }

  /// Whether a journey is at least as good as another in all criteria.
  private static func dominates(_ one: JourneyScan.Found, _ other: JourneyScan.Found) -> Bool {
    one.leave >= other.leave && one.arrive <= other.arrive
      && one.rides.count <= other.rides.count
  }

  private func journey(_ found: JourneyScan.Found) -> TransitJourney? {
    let legs = found.rides.compactMap { leg($0) }
    guard legs.count == found.rides.count else { return nil }
    return TransitJourney(
      leave: Double(found.leave), arrive: Double(found.arrive), legs: legs,
      accessSeconds: Double(found.access), changeSeconds: Double(found.change),
      egressSeconds: Double(found.egress))
  }

  private func leg(_ ride: JourneyScan.Ride) -> TransitJourney.Leg? {
    let lines = index.lines
    guard let date = LocalDate(dayNumber: ride.day) else { return nil }
    let trip = lines.trip(ride.line, ride.run)
    let row = lines.row(ride.line)
    let calls = tables.calls[tables.pattern(ofTrip: trip).calls]
    let (from, to) = (lines.call(ride.line, ride.from), lines.call(ride.line, ride.to))
    let last = calls.last.map { index.stops[Int($0.stop)].name }
    let route = index.routes[Int(tables.pattern(ofTrip: trip).route)]
    return TransitJourney.Leg(
      trip: TripInstance.Key(
        tripID: tables.trips[trip].id, serviceDate: date,
        frequencyStart: row < 0 ? nil : lines.start(ride.line, ride.run)),
      route: route, destination: headsign(ofTrip: trip, at: from) ?? last ?? route.title,
      from: index.stops[Int(from.stop)], fromSequence: Int(from.sequence),
      departure: Double(ride.midnight + lines.departure(ride.line, ride.run, ride.from)),
      to: index.stops[Int(to.stop)], toSequence: Int(to.sequence),
      arrival: Double(ride.midnight + lines.arrival(ride.line, ride.run, ride.to)),
      precision: precision(of: from, row: row))
  }
}

/// A journey request with times in integer seconds, and with stop numbers.
struct JourneyQuery {
  struct Reach: Equatable {
    var stop: Int
    var seconds: Int
  }

  /// The stops near the start, sorted by stop without duplicates; `egress` contains those near the destination.
  var access: [Reach]
  var egress: [Reach]
  /// The time window that contains all departures, in seconds since 1970.
  var window: Range<Int>
  var change: Int
  var isStepFree: Bool
  /// Returns the stops within walking distance; stops in the same station are added separately.
  var walks: (Int) -> [Reach]

  static let longestWalk = 86400.0

  /// Converts walking times; ignores unknown stops and invalid times, and keeps the shortest time for each stop.
  static func reaches(_ seconds: [String: Double], in timetable: Timetable) -> [Reach] {
    var best: [Int: Int] = [:]
    for (id, value) in seconds where (0...longestWalk).contains(value) {
      let rounded = Int(value.rounded(.up))
      for stop in timetable.numbers(ofStops: [id]) {
        best[stop] = min(best[stop] ?? rounded, rounded)
      }
    }
    return best.map { Reach(stop: $0.key, seconds: $0.value) }.sorted { $0.stop < $1.stop }
  }
}
