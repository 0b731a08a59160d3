public import CupolaCampus

// 1. Store points, segments and maneuvers, and compute total length, time, ascent and descent.
// 2. Add the straight lines before and after the mapped paths with `fromDoorToDoor`.

/// A route from one place to another.
public struct Route: Equatable, Sendable {
  struct Segment: Equatable, Sendable {
    var kind: WayKind
    var name: String?
    var meters: Double
    var seconds: Double
    /// The climb in meters, negative when going down; 0 if the map does not contain it.
    var metersUp = 0.0
    var isIndoor = false
  }

  /// The travel mode.
  public let mode: TravelMode
  /// The points of the route, at least one. Consecutive points differ in position or floor.
  public let points: [RoutePoint]
  let segments: [Segment]
  /// The maneuvers in order, from the departure to the arrival.
  public let maneuvers: [Maneuver]
  /// The name of the start; `nil` if it is a position.
  public let origin: String?
  /// The name of the destination; `nil` if it is a position.
  public let destination: String?
  /// The length of the mapped paths in meters; see also ``totalMeters``.
  public let meters: Double
  /// The travel time on the mapped paths in seconds.
  public let seconds: Double
  /// The total climb in meters, from mapped steps, inclines and floors. OpenStreetMap contains no elevations, so a hill
  /// without an `incline` tag counts as level.
  public let ascent: Double
  /// The total descent in meters, 0 or more.
  public let descent: Double
  /// The length in meters of the straight lines before and after the mapped paths, without short ones.
  let metersOffPaths: Double
  /// The straight-line distance in meters from the last point to the destination, or to its outline if the map contains
  /// no door; above 0 if no path leads there.
  public let metersBeyond: Double
  /// The straight-line distance in meters from the start to the first point, if it requires walking over obstacles that
  /// ``TravelMode/stepFree`` avoids, such as steps down from a door; otherwise 0.
  ///
  /// At least 1 if the door itself has a step. Warn users before they set out.
  public let metersNotStepFreeBefore: Double
  /// The same distance from the last point to the destination. It is 0 if the destination cannot be reached on foot
  /// either.
  public let metersNotStepFreeBeyond: Double

  init(
    mode: TravelMode, points: [RoutePoint], segments: [Segment], maneuvers: [Maneuver],
    origin: String? = nil, destination: String? = nil,
    metersOffPaths: Double = 0, metersBeyond: Double = 0,
    metersNotStepFreeBefore: Double = 0, metersNotStepFreeBeyond: Double = 0
  ) {
    precondition(points.count == segments.count + 1)
    (self.mode, self.points, self.segments) = (mode, points, segments)
    (self.maneuvers, self.origin, self.destination) = (maneuvers, origin, destination)
    meters = segments.reduce(0) { $0 + $1.meters }
    seconds = segments.reduce(0) { $0 + $1.seconds }
    ascent = segments.reduce(0) { $0 + max(0, $1.metersUp) }
    descent = segments.reduce(0) { $0 + max(0, -$1.metersUp) }
    (self.metersOffPaths, self.metersBeyond) = (metersOffPaths, metersBeyond)
    self.metersNotStepFreeBefore = metersNotStepFreeBefore
    self.metersNotStepFreeBeyond = metersNotStepFreeBeyond
  }
}

/// An instruction at a point of a route.
public struct Maneuver: Equatable, Sendable {
  /// The kinds of maneuvers, for which apps show symbols.
  public enum Kind: String, CaseIterable, Codable, Sendable {
    case depart, straight, slightLeft = "slight_left", slightRight = "slight_right", left, right
    case sharpLeft = "sharp_left", sharpRight = "sharp_right", uTurn = "u_turn"
    /// Steps and escalators whose direction (up or down) is not mapped.
    case steps, escalator
    case stepsUp = "steps_up", stepsDown = "steps_down"
    case escalatorUp = "escalator_up", escalatorDown = "escalator_down"
    case elevatorUp = "elevator_up", elevatorDown = "elevator_down"
    case crossing, enterBuilding = "enter_building", leaveBuilding = "leave_building", arrive
    /// Crossing a roundabout, up to and including the exit.
    case roundabout

    /// Whether a turn leads to the right.
    var isToRight: Bool { self == .slightRight || self == .right || self == .sharpRight }
  }

  /// The kind, which selects the symbol.
  public let kind: Kind
  /// The index of the point in ``Route/points``.
  public let point: Int
  package let name: String?
  /// The instruction as a sentence.
  public let text: String
  /// The distance to the next maneuver in meters.
  public let meters: Double
  package let seconds: Double

  package init(
    _ kind: Kind, at point: Int, name: String? = nil, text: String, meters: Double,
    seconds: Double
  ) {
    (self.kind, self.point, self.name, self.text) = (kind, point, name, text)
    (self.meters, self.seconds) = (meters, seconds)
  }
}

/// A point of a route in WGS 84.
public struct RoutePoint: Hashable, Sendable {
  /// Degrees north, -90...90.
  public var latitude: Double
  /// Degrees east, -180...180.
  public var longitude: Double
  /// The floor; `nil` outdoors and if no floor is mapped.
  public var level: Double?

  /// - Parameters:
  ///   - latitude: Degrees north.
  ///   - longitude: Degrees east.
  ///   - level: The floor; `nil` outdoors.
  public init(latitude: Double, longitude: Double, level: Double? = nil) {
    (self.latitude, self.longitude, self.level) = (latitude, longitude, level)
  }
}

extension Position {
  /// Returns the distance to a map point in meters, ignoring the floor.
  public func distance(to point: RoutePoint) -> Double {
    RoutePoint(self).distance(to: point)
  }
}

extension RoutePoint {
  /// Returns the distance to another point in meters, ignoring the floors.
  package func distance(to point: RoutePoint) -> Double {
    MapPoint(latitude: point.latitude, longitude: point.longitude).flatMap { other in
      MapPoint(latitude: latitude, longitude: longitude).map { $0.place.distance(to: other.place) }
    } ?? .infinity
  }

  /// Returns a point on the line to another point, on this point's floor. The line may cross the antimeridian.
  package func toward(_ other: RoutePoint, _ share: Double) -> RoutePoint {
    let turn = Degrees.turn(from: longitude, to: other.longitude)
    return RoutePoint(
      latitude: latitude + share * (other.latitude - latitude),
      longitude: (longitude + share * turn).remainder(dividingBy: 360), level: level)
  }

  package init(_ position: Position, level: Double? = nil) {
    self.init(latitude: position.latitude, longitude: position.longitude, level: level)
  }

  package init(_ point: MapPoint, level: Double? = nil) {
    self.init(latitude: point.latitude, longitude: point.longitude, level: level)
  }
}

extension Route {
  /// The length in meters, including the straight lines to and from the mapped paths that are at least 20 m long.
  public var totalMeters: Double { meters + metersOffPaths }

  /// The travel time in seconds, including the same lines. Drivers walk there.
  public var totalSeconds: Double {
    seconds + metersOffPaths / EdgeCost.pace(mode)
  }

  /// Returns the length and time from door to door, including the straight lines before and after the mapped paths.
  package func fromDoorToDoor(
    _ start: RouteEnd, _ goal: RouteEnd
  ) -> (meters: Double, seconds: Double) {
    let pace = EdgeCost.pace(mode)
    let (from, to) = (start.door(nearest: points.first), goal.door(nearest: points.last))
    let straight = Bearing.meters(from, to)
    let beyond = (points.first.map { Bearing.meters(from, $0) } ?? 0) + metersBeyond
    // If the straight line is shorter than the parts off the mapped paths, use it, unless the floors differ.
    if from.level == to.level, straight <= beyond { return (straight, straight / pace) }
    return (meters + beyond, seconds + beyond / pace)
  }
}
