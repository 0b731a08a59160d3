internal import CupolaCampus
public import CupolaGuide

// 1. Read the timetable of a guide.
// 2. Find the stops near a place and the walk to each.
// 3. Find trips between places; drop those that are slower than walking all the way.

/// A guide with its timetable: stops near places, and trips between places.
public struct TransitGuide: Sendable {
  /// Places and ways.
  package let guide: Guide
  /// The schedule of public transport around.
  public let timetable: Timetable

  /// Reads the timetable of a guide; keep it to ask more than once.
  ///
  /// - Throws: `GuideError.noTimetable` where the guide was built without,
  ///   `GuideError.badPart(name:problem:)`.
  public init(_ guide: Guide) throws(GuideError) {
    guard let bytes = guide.transitBytes else { throw .noTimetable }
    self.guide = guide
    timetable = try Timetable(bytes: bytes)
  }

  /// Meters in a straight line to stops that are near.
  package static let nearMeters = 800.0
  /// Stops whose ways are looked for.
  private static let mostStops = 60
  /// Meters in a straight line between two stops that people change between, and what a way is longer than that.
  private static let (changeMeters, detour) = (250.0, 1.3)
  /// Trips that are looked for beyond those that are given: some are slower than going all the way.
  private static let spare = 20

  /// Stops that are near to a place, of the 60 that are nearest in a straight line, the soonest reached first.
  ///
  /// - Parameters:
  ///   - end: the place.
  ///   - meters: in a straight line.
  ///   - mode: how somebody goes there.
  ///   - isWanted: whether a stop is to be among them.
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
    let directions = guide.directions(mode)
    return near.compactMap { stop, position, _ -> NearStop? in
      Self.walk(directions, from: end, to: .position(position)).map {
        NearStop(stop: stop, meters: $0.meters, seconds: $0.seconds)
      }
    }.sorted { ($0.seconds, $0.stop.id) < ($1.seconds, $1.stop.id) }
  }

  /// Trips from one place to another with at most one change, the earliest arrival first; none that is slower than
  /// going all the way.
  ///
  /// - Parameters:
  ///   - start: where somebody sets out.
  ///   - goal: where to.
  ///   - moment: when somebody sets out, seconds since 1970.
  ///   - limit: the most that are given.
  ///   - mode: how somebody goes to the stops and from them; step-free, no vehicle and no stop that the schedule says takes
  ///     no wheelchair.
  public func journeys(
    from start: RouteEnd, to goal: RouteEnd, at moment: Double, limit: Int = 3,
    by mode: TravelMode = .walk
  ) -> [TransitJourney] {
    guard limit > 0 else { return [] }
    func seconds(_ stops: [NearStop]) -> [String: Double] {
      Dictionary(stops.map { ($0.stop.id, $0.seconds) }) { first, _ in first }
    }
    // Who is as fast on foot need not wait.
    let walk = Self.walk(guide.directions(mode), from: start, to: goal)?.seconds ?? .infinity
    let found = timetable.journeys(
      from: seconds(stops(near: start, by: mode)), to: seconds(stops(near: goal, by: mode)),
      at: moment, limit: min(limit, .max - Self.spare) + Self.spare,
      stepFree: mode == .stepFree, walks: { Self.changes(at: $0, in: timetable, by: mode) })
    return Array(found.filter { $0.seconds < walk }.prefix(limit))
  }

  /// What it takes from door to door, with what lies beyond the mapped ways; `nil` where no way leads. Near positions far
  /// from all mapped ways, as where a bus leads off the map, are walked between in a straight line.
  private static func walk(
    _ directions: Directions, from start: RouteEnd, to goal: RouteEnd
  ) -> (meters: Double, seconds: Double)? {
    do throws(GuideError) {
      return try directions.route(from: start, to: goal).fromDoorToDoor(start, goal)
    } catch {
      let straight = Bearing.meters(start.point, goal.point)
      guard case .nothingNear = error, start.place == nil, goal.place == nil,
        straight <= Router.reach
      else { return nil }
      return (straight, straight / EdgeCost.pace(directions.mode))
    }
  }

  /// Seconds to the stops that people change to without a vehicle: those that are near, and those of the station.
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

/// A stop of public transport and the way to it.
public struct NearStop: Equatable, Sendable {
  /// The stop.
  public let stop: TransitStop
  /// Meters to go.
  public let meters: Double
  /// Seconds to go.
  public let seconds: Double
}
