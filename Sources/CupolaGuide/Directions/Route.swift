public import CupolaCampus

// 1. `Route` holds points, the segments between them and the maneuvers.
// 2. Its initializer sums length, time, ascent and descent over the segments.
// 3. `RoutePoint` measures distances and finds places between two points.
// 4. `fromDoorToDoor` adds the straight lines before and beyond the mapped ways.

/// A way from one place to another.
public struct Route: Equatable, Sendable {
  /// A straight part between two points.
  struct Segment: Equatable, Sendable {
    /// What is gone along.
    var kind: WayKind
    /// The way's name; `nil` when it has none.
    var name: String?
    /// Its length.
    var meters: Double
    /// How long it takes.
    var seconds: Double
    /// Meters that it leads up, or less than 0 down; 0 where the map does not say.
    var metersUp = 0.0
    /// Whether it is inside of a building.
    var isIndoor = false
  }

  /// How one goes.
  public let mode: TravelMode
  /// At least one; two points after each other are different places, or floors.
  public let points: [RoutePoint]
  /// Between the points: one fewer.
  let segments: [Segment]
  /// In order; the first departs, the last arrives.
  public let maneuvers: [Maneuver]
  /// What people call where it begins; `nil` for a position.
  public let origin: String?
  /// What people call where it ends; `nil` for a position.
  public let destination: String?
  /// Its length, along the segments.
  public let meters: Double
  /// How long it takes.
  public let seconds: Double
  /// Meters that it climbs, all its parts up together: by the steps, inclines and floors that the map knows. Maps of
  /// OpenStreetMap have no heights, so a hill without `incline` counts as level.
  public let ascent: Double
  /// Meters that it goes down, likewise; 0 or more.
  public let descent: Double
  /// Meters in a straight line from where somebody asked to go to the last point: more than 0 where no way leads to
  /// the very place.
  public let metersBeyond: Double
  /// Meters in a straight line from where somebody asked to begin to the first point, where people on foot have a way
  /// there that ``TravelMode/stepFree`` has not, such as steps down from a door; 1 or more where the door itself bars
  /// wheels, else 0. Warn of it before people set out.
  public let metersNotStepFreeBefore: Double
  /// Meters in a straight line from the last point to where somebody asked to go, likewise; else 0, also where nobody
  /// has a way.
  public let metersNotStepFreeBeyond: Double

  init(
    mode: TravelMode, points: [RoutePoint], segments: [Segment], maneuvers: [Maneuver],
    origin: String? = nil, destination: String? = nil, metersBeyond: Double = 0,
    metersNotStepFreeBefore: Double = 0, metersNotStepFreeBeyond: Double = 0
  ) {
    precondition(points.count == segments.count + 1)
    (self.mode, self.points, self.segments) = (mode, points, segments)
    (self.maneuvers, self.origin, self.destination) = (maneuvers, origin, destination)
    meters = segments.reduce(0) { $0 + $1.meters }
    seconds = segments.reduce(0) { $0 + $1.seconds }
    ascent = segments.reduce(0) { $0 + max(0, $1.metersUp) }
    descent = segments.reduce(0) { $0 + max(0, -$1.metersUp) }
    self.metersBeyond = metersBeyond
    self.metersNotStepFreeBefore = metersNotStepFreeBefore
    self.metersNotStepFreeBeyond = metersNotStepFreeBeyond
  }
}

/// What to do at a point of a route.
public struct Maneuver: Equatable, Sendable {
  /// The kinds that apps draw signs for.
  public enum Kind: String, CaseIterable, Codable, Sendable {
    case depart, straight, slightLeft = "slight_left", slightRight = "slight_right", left, right
    case sharpLeft = "sharp_left", sharpRight = "sharp_right", uTurn = "u_turn"
    /// Steps and escalators of which the map does not say whether they lead up or down.
    case steps, escalator
    case stepsUp = "steps_up", stepsDown = "steps_down"
    case escalatorUp = "escalator_up", escalatorDown = "escalator_down"
    case elevatorUp = "elevator_up", elevatorDown = "elevator_down"
    case crossing, enterBuilding = "enter_building", leaveBuilding = "leave_building", arrive
  }

  /// Its sign.
  public let kind: Kind
  /// Where: a number of ``Route/points``.
  public let point: Int
  /// The way that is followed from here; `nil` when it has no name.
  package let name: String?
  /// What to do, in a sentence.
  public let text: String
  /// Meters from here to the next maneuver.
  public let meters: Double
  /// Seconds from here to the next maneuver.
  package let seconds: Double

  package init(
    _ kind: Kind, at point: Int, name: String? = nil, text: String, meters: Double,
    seconds: Double
  ) {
    (self.kind, self.point, self.name, self.text) = (kind, point, name, text)
    (self.meters, self.seconds) = (meters, seconds)
  }
}

/// A point of a route, WGS 84.
public struct RoutePoint: Hashable, Sendable {
  /// Degrees north, -90...90.
  public var latitude: Double
  /// Degrees east, -180...180.
  public var longitude: Double
  /// The floor; `nil` outdoors, where no map says one.
  public var level: Double?

  /// - Parameters:
  ///   - latitude: degrees north.
  ///   - longitude: degrees east.
  ///   - level: `nil` outdoors.
  public init(latitude: Double, longitude: Double, level: Double? = nil) {
    (self.latitude, self.longitude, self.level) = (latitude, longitude, level)
  }
}

extension Position {
  /// Meters to a point of a map, whatever its floor.
  public func distance(to point: RoutePoint) -> Double {
    RoutePoint(self).distance(to: point)
  }
}

extension RoutePoint {
  /// Meters to another point, whatever the floors.
  package func distance(to point: RoutePoint) -> Double {
    MapPoint(latitude: point.latitude, longitude: point.longitude).flatMap { other in
      MapPoint(latitude: latitude, longitude: longitude).map { $0.place.distance(to: other.place) }
    } ?? .infinity
  }

  /// A place on the way to another point, the short one across the date line; on this one's floor.
  ///
  /// - Parameter share: how much of the way is behind, 0...1.
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
  /// What it takes from door to door: also before and beyond the mapped ways, in straight lines.
  package func fromDoorToDoor(
    _ start: RouteEnd, _ goal: RouteEnd
  ) -> (meters: Double, seconds: Double) {
    let pace = EdgeCost.pace(mode)
    let (from, to) = (start.door(nearest: points.first), goal.door(nearest: points.last))
    let straight = Bearing.meters(from, to)
    let beyond = (points.first.map { Bearing.meters(from, $0) } ?? 0) + metersBeyond
    // Who leaves the mapped ways to walk as far need not come to them at all; to another floor nothing else leads.
    if from.level == to.level, straight <= beyond { return (straight, straight / pace) }
    return (meters + beyond, seconds + beyond / pace)
  }
}
