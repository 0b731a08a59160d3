internal import CupolaCampus
internal import CupolaGuide

/// What tells where the visitor is: kept between events.
struct TourSenses: Equatable, Sendable {
  struct Fix: Equatable, Sendable {
    let position: Position
    let time: Double
  }

  /// The time of the last event, seconds since 1970.
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
      let nearness = [TourZoneLevel.immediate, .near, .far].firstIndex(of: level) ?? 0
      if presence.isInside { presence.rank = Double(nearness) / 10 }
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
