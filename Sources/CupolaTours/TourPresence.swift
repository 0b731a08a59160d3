internal import CupolaCampus
internal import CupolaGuide

// Where the visitor is:
// 1. the last position and the beacons tell of each stop whether the visitor is inside, near or away;
// 2. a stop of which the visitor is away long enough ends;
// 3. of those inside long enough the nearest begins.

extension TourVisit {
  /// Finds out what the last position and the beacons mean.
  mutating func locate(_ signals: inout [TourSignal]) {
    guard senses.clock != nil else { return }
    let presences = tour.stops.indices.map { senses.presence(tour.stops[$0], at: spots[$0]) }
    leave(presences, &signals)
    for number in progress.indices where canBegin(number) {
      let presence = presences[number]
      let since = progress[number].insideSince
      progress[number].insideSince = presence.isInside ? since ?? presence.time : nil
      if presence.isNear, !progress[number].isNear {
        progress[number].isNear = true
        signals.append(.near(stop: tour.stops[number].id, meters: presence.meters))
      } else if presence.isFar {
        progress[number].isNear = false
      }
    }
    begin(presences, &signals)
  }

  private func canBegin(_ number: Int) -> Bool {
    number != current && progress[number].isOpened && !progress[number].isPassed
  }

  /// Ends the stop of which the visitor is away long enough.
  private mutating func leave(
    _ presences: [TourPresence], _ signals: inout [TourSignal]
  ) {
    guard let number = current else { return }
    guard presences[number].isAway else {
      awaySince = nil
      return
    }
    let since = awaySince ?? presences[number].time
    awaySince = since
    guard presences[number].time - since >= Self.leastStay else { return }
    if progress[number].phase == .reached {
      signals.append(.left(stop: tour.stops[number].id, unanswered: progress[number].unanswered))
    }
    end(number, &signals)
  }

  /// Takes the visitor away from the stop, which is over if it is passed.
  mutating func end(_ number: Int, _ signals: inout [TourSignal]) {
    (current, awaySince) = (nil, nil)
    progress[number].insideSince = nil
    guard progress[number].phase == .answered else { return }
    progress[number].phase = .done
    signals.append(.done(stop: tour.stops[number].id))
  }

  /// Begins the stop where the visitor has been long enough; of several the nearest.
  private mutating func begin(
    _ presences: [TourPresence], _ signals: inout [TourSignal]
  ) {
    if let current, !progress[current].isPassed { return }
    let candidates = progress.indices.filter { number in
      guard canBegin(number), let since = progress[number].insideSince else { return false }
      return presences[number].time - since >= Self.leastStay
    }
    guard
      let next = candidates.min(by: { (presences[$0].rank, $0) < (presences[$1].rank, $1) })
    else { return }
    if let current { end(current, &signals) }
    (current, awaySince) = (next, nil)
    progress[next].insideSince = nil
    progress[next].phase = .reached
    signals.append(.arrived(stop: tour.stops[next].id))
  }
}

/// Where the visitor is, seen from a stop, as of the last position and the beacon's zone.
struct TourPresence: Equatable {
  /// Meters to the stop; `nil` without a recent position.
  var meters: Double?
  var isInside = false
  var isNear = false
  /// Whether the visitor is surely away from the stop, which ends it.
  var isAway = false
  /// Whether the visitor is surely not near any more.
  var isFar = false
  /// The smaller, the more it is this stop of several.
  var rank = Double.infinity
  /// When that was so: a position tells nothing of the seconds after it.
  var time = 0.0
}

/// What tells where the visitor is: kept between events.
struct TourSenses: Equatable, Sendable {
  struct Fix: Equatable, Sendable {
    let position: Position
    let time: Double
  }

  var clock: Double?
  var fix: Fix?
  /// Of those beacons of the tour that are heard.
  var zones: [String: TourZoneLevel] = [:]

  /// Seconds after which a position says nothing.
  static let oldFix = 60.0
  /// Meters around the radius within which a stop is near.
  static let nearMargin = 50.0
  /// Meters of error within which a position can begin any stop, however small.
  static let usableError = 30.0
  /// Meters beyond the radius at which a stop ends at the earliest, and at the latest.
  static let leaveMargins = 10.0...100.0

  func presence(_ stop: TourStop, at spot: Position?) -> TourPresence {
    var presence = TourPresence()
    presence.time = clock ?? 0
    var isHeard = false
    if let beacon = stop.beacon, let level = zones[beacon.zone] {
      isHeard = true
      presence.isNear = true
      presence.isInside = level <= beacon.level
      // A beacon tells more than a position in a building.
      if presence.isInside { presence.rank = Double(level.rank) / 10 }
    }
    let insideByBeacon = presence.isInside
    guard let spot, let fix, let clock, clock - fix.time <= Self.oldFix else {
      // Without a position the beacon alone tells, if there is one.
      presence.isAway = stop.beacon != nil && !insideByBeacon
      presence.isFar = stop.beacon != nil && !isHeard
      return presence
    }
    if !insideByBeacon { presence.time = fix.time }
    let meters = Geodesic(from: fix.position, to: spot).distance
    let error = fix.position.assumedError
    let margin = min(max(error, Self.leaveMargins.lowerBound), Self.leaveMargins.upperBound)
    presence.meters = meters
    if meters <= stop.radius, error <= max(2 * stop.radius, Self.usableError) {
      presence.isInside = true
      presence.rank = min(presence.rank, meters / stop.radius)
    }
    presence.isNear = presence.isNear || meters <= stop.radius + Self.nearMargin
    presence.isAway = !insideByBeacon && meters > stop.radius + margin
    presence.isFar = !isHeard && meters > stop.radius + Self.nearMargin + margin
    return presence
  }
}
