internal import CupolaCampus
public import CupolaGuide

// 1. Read a guide's timetable.
// 2. Find the stops near a place, and the walk to each of them, through the entrances of stations.
// 3. Find journeys between places, and drop those slower than walking.

/// A guide with its timetable: stops near places and journeys between places.
public struct TransitGuide: Sendable {
  package let guide: Guide
  /// The public transport schedule.
  public let timetable: Timetable

  /// Decodes a guide's timetable; keep the value to use it for several queries.
  ///
  /// - Throws: `GuideError.noTimetable` if the guide has no timetable, `GuideError.badPart(name:problem:)` if the
  ///   timetable is invalid.
  public init(_ guide: Guide) throws(GuideError) {
    guard let bytes = guide.transitBytes else { throw .noTimetable }
    self.guide = guide
    timetable = try Timetable(bytes: bytes)
  }

  /// The default straight-line distance to nearby stops, in meters.
  package static let nearMeters = 800.0
  private static let mostStops = 60
  /// The maximum straight-line distance of a transfer in meters, and the assumed ratio of path length to straight line.
  private static let (changeMeters, detour) = (250.0, 1.3)
  /// The number of additional journeys to search for, because those slower than walking are dropped.
  private static let spare = 20

  /// Returns the stops near a place, sorted by travel time; considers the 60 stops nearest in a straight line.
  public func stops(
    near end: RouteEnd, within meters: Double = 800, by mode: TravelMode = .walk,
    where isWanted: (TransitStop) -> Bool = { _ in true }
  ) -> [NearStop] {
    let here = end.point
    let near = timetable.stops.filter { $0.kind == .stop && isWanted($0) }
      .compactMap { stop in stop.position.map { (stop, $0, $0.distance(to: here)) } }
      .filter { $0.2 <= meters }
      .sorted { ($0.2, $0.0.id) < ($1.2, $1.0.id) }
      .prefix(Self.mostStops)
    let ways = near.flatMap { entries(to: $0.0, at: $0.1, by: mode) }
    let walks = Self.walks(guide.directions(mode), from: end, to: ways.map(\.end))
    var best: [String: NearStop] = [:]
    for (way, walk) in zip(ways, walks) {
      guard let walk else { continue }
      let seconds = walk.seconds + way.seconds
      if let known = best[way.stop.id], known.seconds <= seconds { continue }
      let inside = way.seconds * EdgeCost.pace(mode)
      best[way.stop.id] = NearStop(stop: way.stop, meters: walk.meters + inside, seconds: seconds)
    }
    return best.values.sorted { ($0.seconds, $0.stop.id) < ($1.seconds, $1.stop.id) }
  }

  /// Returns the entrances through which a stop is reached, with the time inside the station; the stop itself if no
  /// entrances are known.
  private func entries(
    to stop: TransitStop, at position: Position, by mode: TravelMode
  ) -> [(stop: TransitStop, end: RouteEnd, seconds: Double)] {
    let entrances = timetable.entrances(of: stop.id)
    guard !entrances.isEmpty else { return [(stop, .position(position), 0)] }
    return entrances.compactMap { entrance in
      let seconds = mode == .stepFree ? entrance.stepFreeSeconds : entrance.seconds
      let point = entrance.point
      guard seconds >= 0,
        let position = Position(latitude: point.latitude, longitude: point.longitude)
      else { return nil }
      return (stop, .position(position), Double(seconds))
    }
  }

  /// Returns journeys with at most one transfer that are faster than walking, sorted by arrival.
  ///
  /// With `.stepFree`, excludes trips and stops that the schedule marks as not wheelchair accessible.
  ///
  /// - Parameters:
  ///   - start: The start of the journey.
  ///   - goal: The destination.
  ///   - moment: The earliest start in seconds since 1970.
  ///   - limit: The maximum number of journeys.
  ///   - mode: The profile of the walks.
  public func journeys(
    from start: RouteEnd, to goal: RouteEnd, at moment: Double, limit: Int = 3,
    by mode: TravelMode = .walk
  ) -> [TransitJourney] {
    guard limit > 0 else { return [] }
    func seconds(_ stops: [NearStop]) -> [String: Double] {
      Dictionary(stops.map { ($0.stop.id, $0.seconds) }) { first, _ in first }
    }
    let walks = Self.walks(guide.directions(mode), from: start, to: [goal])
    let walk = walks.first??.seconds ?? .infinity
    let found = timetable.journeys(
      from: seconds(stops(near: start, by: mode)), to: seconds(stops(near: goal, by: mode)),
      at: moment, limit: min(limit, .max - Self.spare) + Self.spare,
      stepFree: mode == .stepFree, walks: { Self.changes(at: $0, in: timetable, by: mode) })
    return Array(found.filter { $0.seconds < walk }.prefix(limit))
  }

  /// Returns the walks to several places, including the distances that are not on mapped paths.
  ///
  /// Uses a straight line if two positions are close together but far from mapped paths.
  private static func walks(
    _ directions: Directions, from start: RouteEnd, to goals: [RouteEnd]
  ) -> [(meters: Double, seconds: Double)?] {
    zip(goals, directions.routes(from: start, to: goals)).map { goal, result in
      switch result {
      case .success(let route): return route.fromDoorToDoor(start, goal)
      case .failure(let error):
        let straight = Bearing.meters(start.point, goal.point)
        guard case .nothingNear = error, start.place == nil, goal.place == nil,
          straight <= Router.reach
        else { return nil }
        return (straight, straight / EdgeCost.pace(directions.mode))
      }
    }
  }

  /// Returns the walking time in seconds to each stop that is nearby or in the same station.
  private static func changes(
    at id: String, in timetable: Timetable, by mode: TravelMode
  ) -> [String: Double] {
    guard let here = timetable.stop(id), let position = here.position else { return [:] }
    let point = RoutePoint(latitude: position.latitude, longitude: position.longitude)
    var seconds: [String: Double] = [:]
    for stop in timetable.stops where stop.id != id && stop.kind == .stop {
      let isSame = stop.station != nil && stop.station == here.station
      guard let meters = stop.position?.distance(to: point), isSame || meters <= changeMeters
      else { continue }
      seconds[stop.id] = meters * detour / EdgeCost.pace(mode)
    }
    return seconds
  }
}

/// A stop and the walk to it.
public struct NearStop: Equatable, Sendable {
  /// The stop.
  public let stop: TransitStop
  /// The walking distance in meters.
  public let meters: Double
  /// The walking time in seconds.
  public let seconds: Double
}
