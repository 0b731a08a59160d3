internal import CupolaCampus

/// A way from one place to another.
public struct Route: Equatable, Sendable {
  /// A straight part between two points.
  public struct Segment: Equatable, Sendable {
    /// What is gone along.
    public var kind: WayKind
    /// The way's name; `nil` when it has none.
    public var name: String?
    /// Its length.
    public var meters: Double
    /// How long it takes.
    public var seconds: Double
    /// Meters that it leads up, or less than 0 down; 0 where the map does not say.
    public var metersUp: Double
    /// Whether it is inside of a building.
    public var isIndoor: Bool

    package init(
      kind: WayKind, name: String? = nil, meters: Double, seconds: Double, metersUp: Double = 0,
      isIndoor: Bool = false
    ) {
      (self.kind, self.name, self.isIndoor) = (kind, name, isIndoor)
      (self.meters, self.seconds, self.metersUp) = (meters, seconds, metersUp)
    }
  }

  /// How one goes.
  public let mode: TravelMode
  /// At least one; two points after each other are different places, or floors.
  public let points: [RoutePoint]
  /// Between the points: one fewer.
  public let segments: [Segment]
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

  package init(
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
