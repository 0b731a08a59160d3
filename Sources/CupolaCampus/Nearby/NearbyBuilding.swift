// 1. `nearestPoint` finds the point of a footprint that is nearest to a position.
// 2. `buildings(near:)` adds distance, bearing, turn and placement, and sorts by distance.
// 3. `BuildingOutline` is the footprint in meters; `BuildingView` is its distance and bearing.
// 4. `LocalPlacement` is a location in meters for augmented reality; `Side` is a relative direction.

/// A building near a position, with its distance and direction.
public struct NearbyBuilding: Equatable, Codable, Sendable {
  /// The building.
  public let building: Building
  /// The distance to the nearest point along the ellipsoid in meters; 0 inside the footprint.
  public let distance: Double
  /// Whether the position is in the footprint or on its edge.
  public let isInside: Bool
  /// The nearest point of the footprint, or the building's point if it has no footprint.
  public let nearestPoint: Position
  /// The direction of the nearest point in degrees clockwise from true north, 0..<360; `nil` if the distance is 0.
  public let bearing: Double?
  /// The bearing relative to the heading, -180...180 degrees, positive to the right; `nil` if either is unknown.
  public let turn: Double?
  /// The nearest point's location in meters relative to the observer.
  public let placement: LocalPlacement

  /// The compass point nearest to the bearing.
  public var compassPoint: CompassPoint? { bearing.map(CompassPoint.init) }

  /// The side of the observer on which the building lies, relative to the heading.
  public var side: Side? { turn.map(Side.init) }

  private enum CodingKeys: String, CodingKey {
    case building, placement
    case distance = "distance_m"
    case isInside = "inside"
    case nearestPoint = "nearest_point"
    case bearing = "bearing_deg"
    case turn = "turn_deg"
  }
}

extension Campus {
  /// Returns the buildings within a distance, nearest first. Equal distances are in map order.
  ///
  /// Ignores buildings without a position. The edges of footprints are straight in longitude and latitude (RFC 7946).
  /// Up to 100 km, distances are accurate to one part in a million and bearings to 0.001 degrees.
  ///
  /// - Parameters:
  ///   - position: The observer's position.
  ///   - meters: The maximum distance, inclusive; 0 or more.
  ///   - heading: The viewing direction. Magnetic headings are converted to true north.
  ///   - year: The current date as a decimal year, which a magnetic heading requires; see ``MagneticField``.
  public func buildings(
    near position: Position, within meters: Double = 100, heading: Heading? = nil,
    year: Double = MagneticField.defaultYear
  ) -> [NearbyBuilding] {
    precondition(meters >= 0, "invalid distance \(meters) m")
    let heading = heading?.trueNorth(at: position, year: year)
    let near = buildings.compactMap { building in
      building.nearestPoint(to: position, within: meters)
        .map { NearbyBuilding(building, $0, from: position, heading: heading) }
    }
    // Break ties by index to keep the map order.
    return near.enumerated().filter { $0.element.distance <= meters }
      .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
      .map(\.element)
  }
}

extension NearbyBuilding {
  fileprivate init(
    _ building: Building, _ nearest: Building.NearestPoint, from position: Position,
    heading: Heading?
  ) {
    self.building = building
    isInside = nearest.isInside
    nearestPoint = nearest.position
    let geodesic = Geodesic(from: position, to: nearest.position)
    distance = geodesic.distance
    bearing = geodesic.distance > 0 ? geodesic.azimuth : nil
    turn = bearing.flatMap { bearing in
      heading.map { (bearing - $0.degrees).remainder(dividingBy: 360) }
    }
    placement = LocalPlacement(of: nearest.position, from: position)
  }
}

extension Building {
  /// The distance to the building's nearest point in meters, 0 inside; `nil` if its position is unknown.
  package func distance(from position: Position) -> Double? {
    BuildingView(of: self, from: position)?.distance
  }
}

extension Building {
  struct NearestPoint {
    let position: Position
    let isInside: Bool
  }

  /// Returns the building's nearest point; can be `nil` if the building is farther than `meters`.
  func nearestPoint(to position: Position, within meters: Double) -> NearestPoint? {
    guard footprint.contains(where: { $0.rings.contains { !$0.isEmpty } }) else {
      return self.position.map { NearestPoint(position: $0, isInside: false) }
    }
    guard latitudesLie(within: meters, of: position) else { return nil }
    if footprint.contains(where: { $0.contains(position) }) {
      return Position(map: [position.longitude, position.latitude])
        .map { NearestPoint(position: $0, isInside: true) }
    }
    // The straight line through the Earth is never longer than the path along the surface.
    return EdgeCurves(footprint.flatMap(\.lines))
      .nearestPoint(to: SurfacePoint(position).point, within: meters)
      .flatMap { Position(map: $0) }
      .map { NearestPoint(position: $0, isInside: false) }
  }

  /// Whether the footprint's latitudes are near enough: a fast test that excludes most buildings in a town.
  private func latitudesLie(within meters: Double, of position: Position) -> Bool {
    var (south, north) = (Double.infinity, -Double.infinity)
    for vertex in footprint.lazy.flatMap(\.rings).joined() {
      (south, north) = (min(south, vertex.latitude), max(north, vertex.latitude))
    }
    let degrees = max(south - position.latitude, position.latitude - north)
    // A degree of latitude is at least 110.57 km.
    return degrees * 110_000 <= meters
  }
}

package struct BuildingOutline: Sendable {
  /// Closed rings, in meters east and north of ``center``.
  package let rings: [[SIMD2<Double>]]
  /// The building's point, or the mean of its footprint's corners.
  package let center: Position
  package let radius: Double

  /// The radius of the circle used for a building without a footprint, in meters.
  private static let pointRadius = 20.0
  private static let corners = 8

  package init?(of building: Building) {
    guard let center = building.position else { return nil }
    self.center = center
    let rings = building.footprint.flatMap(\.rings).filter { $0.count > 3 }.map { ring in
      ring.map { corner in
        let offset = LocalPlane.meters(
          from: center, latitude: corner.latitude, longitude: corner.longitude)
        return SIMD2(offset.east, offset.north)
      }
    }
    self.rings = rings.isEmpty ? [Self.circle] : rings
    radius = self.rings.joined().map { ($0 * $0).sum().squareRoot() }.max() ?? 0
  }

  /// Returns the distance to the circle around the building in meters, 0 or less inside.
  package func distance(from position: Position) -> Double {
    let offset = LocalPlane.meters(from: position, to: center)
    return (offset.east * offset.east + offset.north * offset.north).squareRoot() - radius
  }

  /// Whether, from all positions within `error` meters, the whole building is more than 90 degrees off the heading.
  package func isBehind(
    _ position: Position, error: Double, toward heading: Double
  ) -> Bool {
    let offset = LocalPlane.meters(from: position, to: center)
    let (sine, cosine) = Degrees.sinCos(heading)
    let ahead = SIMD2(sine, cosine)
    let farthest = rings.joined().map { ($0 * ahead).sum() }.max() ?? 0
    return farthest + (SIMD2(offset.east, offset.north) * ahead).sum() < -error
  }

  /// Whether, from all positions within `error` meters, the whole building is more than `angle` degrees off the heading.
  /// Angles above 90 degrees count as 90.
  package func isOutside(
    _ angle: Double, _ position: Position, error: Double, toward heading: Double
  ) -> Bool {
    // The visible sector lies in three half planes; a building outside one of them is outside the sector.
    let tilt = max(0, 90 - angle)
    return [heading - tilt, heading, heading + tilt].contains {
      isBehind(position, error: error, toward: $0)
    }
  }

  private static var circle: [SIMD2<Double>] {
    (0...corners).map { corner in
      let (sine, cosine) = Degrees.sinCos(360 * Double(corner % corners) / Double(corners))
      return SIMD2(sine, cosine) * pointRadius
    }
  }
}

package struct BuildingView: Sendable {
  /// The distance to the footprint's nearest point in meters; 0 inside.
  package let distance: Double
  /// The direction of the nearest point in degrees clockwise from true north; `nil` if the distance is 0.
  package let bearing: Double?

  package init?(of building: Building?, from position: Position) {
    guard let building,
      let nearest = building.nearestPoint(to: position, within: .infinity)
    else { return nil }
    let geodesic = Geodesic(from: position, to: nearest.position)
    distance = geodesic.distance
    bearing = geodesic.distance > 0 ? geodesic.azimuth : nil
  }
}

/// An object's location relative to an observer, for augmented reality.
///
/// Both are assumed to be on the ellipsoid, because maps have no heights. Therefore, `up` is due to the Earth's
/// curvature only: -0.8 mm at 100 m.
public struct LocalPlacement: Equatable, Codable, Sendable {
  /// The offset in meters.
  public let east, north, up: Double

  private enum CodingKeys: String, CodingKey {
    case east = "east_m"
    case north = "north_m"
    case up = "up_m"
  }

  init(of place: Position, from position: Position) {
    let offset = SurfacePoint(position).offset(of: SurfacePoint(place))
    (east, north, up) = (offset.x, offset.y, offset.z)
  }

  /// The columns of a 4x4 translation matrix; x is east, y north, z up.
  public var eastNorthUp: [SIMD4<Double>] {
    LocalPlacement.translation(east, north, up)
  }

  /// The columns of a 4x4 translation matrix; x is east, y up, z south.
  ///
  /// These are the axes of an ARKit session with `worldAlignment` set to `.gravityAndHeading`, started at the observer:
  ///
  ///     ARAnchor(transform: simd_float4x4(placement.gravityAndHeading.map { SIMD4<Float>($0) }))
  public var gravityAndHeading: [SIMD4<Double>] {
    LocalPlacement.translation(east, up, -north)
  }

  private static func translation(_ x: Double, _ y: Double, _ z: Double) -> [SIMD4<Double>] {
    [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [x, y, z, 1]]
  }
}

/// A side of the observer, relative to the heading.
public enum Side: String, CaseIterable, Codable, Sendable {
  /// Up to 45 degrees to the left or right of the heading.
  case ahead
  case right
  /// 135 degrees or more from the heading.
  case behind
  case left

  /// Returns the side for an angle relative to the heading, -180...180 degrees, positive clockwise.
  public init(turn: Double) {
    self =
      turn.magnitude <= 45 ? .ahead : turn.magnitude >= 135 ? .behind : turn > 0 ? .right : .left
  }
}
