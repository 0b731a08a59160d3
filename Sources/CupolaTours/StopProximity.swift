internal import CupolaCampus
internal import CupolaGuide

// 1. Compare the last position and the beacon zones with each stop.
// 2. End the current stop when the visitor has been away from it long enough.
// 3. Start the nearest stop when the visitor has been there long enough.

extension TourVisit {
  mutating func locate(_ signals: inout [TourSignal]) {
    guard evidence.clock != nil else { return }
    let proximities = tour.stops.indices.map { evidence.proximity(tour.stops[$0], at: spots[$0]) }
    leave(proximities, &signals)
    for number in progress.indices where canBegin(number) {
      let proximity = proximities[number]
      let since = progress[number].insideSince
      progress[number].insideSince = proximity.isInside ? since ?? proximity.time : nil
      if proximity.isNear, !progress[number].isNear {
        progress[number].isNear = true
        signals.append(.near(stop: tour.stops[number].id, meters: proximity.meters))
      } else if proximity.isFar {
        progress[number].isNear = false
      }
    }
    begin(proximities, &signals)
  }

  private func canBegin(_ number: Int) -> Bool {
    number != current && progress[number].isOpened && !progress[number].isPassed
  }

  private mutating func leave(
    _ proximities: [StopProximity], _ signals: inout [TourSignal]
  ) {
    guard let number = current else { return }
    guard proximities[number].isAway else {
      awaySince = nil
      return
    }
    let since = awaySince ?? proximities[number].time
    awaySince = since
    guard proximities[number].time - since >= Self.leastStay else { return }
    if progress[number].phase == .reached {
      signals.append(.left(stop: tour.stops[number].id, unanswered: progress[number].unanswered))
    }
    end(number, &signals)
  }

  mutating func end(_ number: Int, _ signals: inout [TourSignal]) {
    (current, awaySince) = (nil, nil)
    progress[number].insideSince = nil
    guard progress[number].phase == .answered else { return }
    progress[number].phase = .done
    signals.append(.done(stop: tour.stops[number].id))
  }

  private mutating func begin(
    _ proximities: [StopProximity], _ signals: inout [TourSignal]
  ) {
    if let current, !progress[current].isPassed { return }
    let candidates = progress.indices.filter { number in
      guard canBegin(number), let since = progress[number].insideSince else { return false }
      return proximities[number].time - since >= Self.leastStay
    }
    guard
      let next = candidates.min(by: { (proximities[$0].rank, $0) < (proximities[$1].rank, $1) })
    else { return }
    if let current { end(current, &signals) }
    (current, awaySince) = (next, nil)
    progress[next].insideSince = nil
    progress[next].phase = .reached
    signals.append(.arrived(stop: tour.stops[next].id))
  }
}

/// The visitor's location relative to a stop.
struct StopProximity: Equatable {
  /// The distance in meters, if a recent position is available.
  var meters: Double?
  var isInside = false
  var isNear = false
  /// Whether the visitor is certainly away, which ends the stop.
  var isAway = false
  /// Whether the visitor is certainly not near.
  var isFar = false
  /// The rank for choosing among several stops; the smallest rank wins.
  var rank = Double.infinity
  /// The time of the position or beacon signal; the time after it does not count toward a stay.
  var time = 0.0
}

struct TourEvidence: Equatable, Sendable {
  struct Fix: Equatable, Sendable {
    let position: Position
    let time: Double
  }

  var clock: Double?
  var fix: Fix?
  var zones: [String: TourZoneLevel] = [:]

  /// The age in seconds from which a position is ignored.
  static let oldFix = 60.0
  /// The distance in meters beyond the radius up to which a stop counts as near.
  static let nearMargin = 50.0
  /// The accuracy in meters that is sufficient for any stop.
  static let usableError = 30.0
  /// The smallest and largest distance in meters beyond the radius that the visitor must reach for a stop to end.
  static let leaveMargins = 10.0...100.0

  func proximity(_ stop: TourStop, at spot: Position?) -> StopProximity {
    var proximity = StopProximity()
    proximity.time = clock ?? 0
    var isHeard = false
    if let beacon = stop.beacon, let level = zones[beacon.zone] {
      isHeard = true
      proximity.isNear = true
      proximity.isInside = level <= beacon.level
      // Prefer beacons, which are more reliable than positions indoors.
      if proximity.isInside { proximity.rank = Double(level.rank) / 10 }
    }
    let insideByBeacon = proximity.isInside
    guard let spot, let fix, let clock, clock - fix.time <= Self.oldFix else {
      proximity.isAway = stop.beacon != nil && !insideByBeacon
      proximity.isFar = stop.beacon != nil && !isHeard
      return proximity
    }
    if !insideByBeacon { proximity.time = fix.time }
    let meters = Geodesic(from: fix.position, to: spot).distance
    let error = fix.position.assumedError
    let margin = min(max(error, Self.leaveMargins.lowerBound), Self.leaveMargins.upperBound)
    proximity.meters = meters
    if meters <= stop.radius, error <= max(2 * stop.radius, Self.usableError) {
      proximity.isInside = true
      proximity.rank = min(proximity.rank, meters / stop.radius)
    }
    proximity.isNear = proximity.isNear || meters <= stop.radius + Self.nearMargin
    proximity.isAway = !insideByBeacon && meters > stop.radius + margin
    proximity.isFar = !isHeard && meters > stop.radius + Self.nearMargin + margin
    return proximity
  }
}
