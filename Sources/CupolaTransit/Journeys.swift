internal import CupolaGuide
internal import CupolaSupport

// 1. A journey: one ride, or two with a change.
// 2. The timetable runs the scan for later and later starts, and keeps the best journeys.
// 3. A query holds the request in whole seconds and numbers of stops.

/// A way from some stops to others: on one vehicle, or on two with a change.
public struct TransitJourney: Equatable, Sendable {
  /// What is ridden without a change.
  public struct Leg: Equatable, Sendable {
    /// The trip on its day.
    package let trip: TripInstance.Key
    /// The line.
    public let route: TransitRoute
    /// What the vehicle's sign says, else the name of its last stop.
    public let destination: String
    /// Where people get on.
    public let from: TransitStop
    /// `stop_sequence` there.
    let fromSequence: Int
    /// Seconds since 1970.
    public let departure: Double
    /// Where people get off.
    public let to: TransitStop
    /// `stop_sequence` there.
    let toSequence: Int
    /// Seconds since 1970.
    public let arrival: Double
    /// How much the times are worth.
    public let precision: TransitPrecision
  }

  /// The latest moment to start for the first stop, seconds since 1970.
  public let leave: Double
  /// The moment of being there, with the way from the last stop, seconds since 1970.
  public let arrive: Double
  /// In their order, one or two.
  public let legs: [Leg]
  /// Seconds of the way to the first stop.
  let accessSeconds: Double
  /// Seconds of the way between the vehicles, no less than the least for a change; 0 without one.
  let changeSeconds: Double
  /// Seconds of the way from the last stop.
  let egressSeconds: Double

  /// How often people change vehicles: 0 or 1.
  public var changes: Int { max(0, legs.count - 1) }
  /// Seconds from door to door.
  public var seconds: Double { arrive - leave }
}

extension Timetable {
  /// Ways from stops to stops on one vehicle, or on two with a change: those for which no other leaves
  /// later, arrives earlier and has fewer changes; by arrival, the first ones.
  ///
  /// Vehicles are changed at a stop, within a station, and between stops that `walks` joins; between
  /// platforms of a station, too, it takes what `walks` says, if it does. Of ways that are equal in all
  /// three, one is given, always the same.
  ///
  /// - Parameters:
  ///   - access: seconds on foot to stops, 0...86400; a station stands for its platforms.
  ///   - egress: seconds on foot from stops.
  ///   - moment: nobody leaves before it; seconds since 1970.
  ///   - during: all vehicles depart within that many seconds, no more than 400 days.
  ///   - limit: the most ways that are given.
  ///   - leastChange: the least seconds from one vehicle to another, 0...86400.
  ///   - stepFree: whether to leave out trips and stops that take no wheelchair; those that do not say may.
  ///   - walks: seconds on foot from a stop to others; asked for at most once a stop.
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

  /// Where vehicles come every second to catch one that comes once a day, no more is asked.
  private static let mostRounds = 5000

  /// Asks again and again for those who leave a second later than the earliest found, until no later
  /// way can be better than those that are wanted.
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
      // Who leaves later arrives no earlier than `arrive`.
      if best.count(where: { $0.arrive < arrive }) >= limit { break }
      moment = max(earliest, moment) + 1
    }
    best.sort {
      ($0.arrive, $0.rides.count, -$0.leave) < ($1.arrive, $1.rides.count, -$1.leave)
    }
    return Array(best.prefix(limit))
  }

  /// Whether one is in nothing worse than another.
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
      route: route, destination: headsign(ofTrip: trip) ?? last ?? route.title,
      from: index.stops[Int(from.stop)], fromSequence: Int(from.sequence),
      departure: Double(ride.midnight + lines.departure(ride.line, ride.run, ride.from)),
      to: index.stops[Int(to.stop)], toSequence: Int(to.sequence),
      arrival: Double(ride.midnight + lines.arrival(ride.line, ride.run, ride.to)),
      precision: precision(of: from, row: row))
  }
}

/// From where to where a journey is wanted, in whole seconds and numbers of stops.
struct JourneyQuery {
  /// A stop and the seconds on foot to it or from it.
  struct Reach: Equatable {
    var stop: Int
    var seconds: Int
  }

  /// Sorted by stop, each once.
  var access: [Reach]
  /// Likewise.
  var egress: [Reach]
  /// All boardings are in it, seconds since 1970.
  var window: Range<Int>
  /// The least seconds of a change.
  var change: Int
  /// Whether trips and stops that take no wheelchair are left out.
  var isStepFree: Bool
  /// The stops that can be walked to from one; those of its station come by themselves.
  var walks: (Int) -> [Reach]

  /// Longer walks are none.
  static let longestWalk = 86400.0

  /// Reads stops with seconds on foot; a station stands for its platforms. Unknown stops and seconds
  /// that are none are left out; of two for a stop, the shorter counts.
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
