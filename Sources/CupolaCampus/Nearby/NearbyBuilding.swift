// 1. `nearestPoint` finds the point of a footprint that is nearest to a position.
// 2. `buildings(near:)` adds distance, bearing, turn and placement, and sorts by distance.
// 3. `BuildingOutline` holds the footprint in meters, `BuildingView` the distance and bearing.
// 4. `LocalPlacement` gives the place in meters for augmented reality; `Side` names a direction.

/// A building near a position, and which way it is.
public struct NearbyBuilding: Equatable, Codable, Sendable {
  /// Its record.
  public let building: Building
  /// Meters to the nearest point, along the ellipsoid; 0 inside of the footprint.
  public let distance: Double
  /// Whether the position lies in the footprint, or on its edge.
  public let isInside: Bool
  /// The point of the footprint that is nearest, or the building's own point when it has none.
  public let nearestPoint: Position
  /// The direction of the nearest point, degrees clockwise from true north, 0..<360; `nil` at no
  /// distance.
  public let bearing: Double?
  /// The bearing from where someone looks, -180...180 degrees, positive to the right; `nil` without a
  /// heading or a bearing.
  public let turn: Double?
  /// Where the nearest point is in meters.
  public let placement: LocalPlacement

  /// The point of the compass that is nearest to the bearing.
  public var compassPoint: CompassPoint? { bearing.map(CompassPoint.init) }

  /// On which side of someone who looks to the heading.
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
  /// The buildings within some meters of a position, the nearest first; equally near ones in the
  /// order of the map.
  ///
  /// Buildings without a position are never near. Edges of footprints are straight on the map, as RFC
  /// 7946 has them; distances are right to a millionth, bearings to a thousandth of a degree up to 100 km.
  ///
  /// - Parameters:
  ///   - position: where someone stands.
  ///   - meters: 0 or more; a building exactly that far away counts.
  ///   - heading: where someone looks. A magnetic one is turned to true north.
  ///   - year: when a magnetic heading was measured; see ``MagneticField``.
  public func buildings(
    near position: Position, within meters: Double = 100, heading: Heading? = nil,
    year: Double = MagneticField.usualYear
  ) -> [NearbyBuilding] {
    precondition(meters >= 0, "within \(meters) m")
    let heading = heading?.trueNorth(at: position, year: year)
    let near = buildings.compactMap { building in
      building.nearestPoint(to: position, within: meters)
        .map { NearbyBuilding(building, $0, from: position, heading: heading) }
    }
    // Stable, so that the map's order remains.
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
    let way = Geodesic(from: position, to: nearest.position)
    distance = way.distance
    bearing = way.distance > 0 ? way.azimuth : nil
    turn = bearing.flatMap { bearing in
      heading.map { (bearing - $0.degrees).remainder(dividingBy: 360) }
    }
    placement = LocalPlacement(of: nearest.position, from: position)
  }
}

extension Building {
  /// Meters from a position to the nearest point of the building, 0 inside; `nil` when the map does not
  /// know where it is.
  package func distance(from position: Position) -> Double? {
    BuildingView(of: self, from: position)?.distance
  }
}

extension Building {
  /// The point of a building that is nearest to someone.
  struct NearestPoint {
    let position: Position
    let isInside: Bool
  }

  /// The nearest point of the footprint, or the building's own point when it has none.
  ///
  /// - Parameter meters: `nil` is returned early for what is further away.
  func nearestPoint(to position: Position, within meters: Double) -> NearestPoint? {
    guard footprint.contains(where: { $0.rings.contains { !$0.isEmpty } }) else {
      return self.position.map { NearestPoint(position: $0, isInside: false) }
    }
    guard latitudesLie(within: meters, of: position) else { return nil }
    if footprint.contains(where: { $0.contains(position) }) {
      return Position(map: [position.longitude, position.latitude])
        .map { NearestPoint(position: $0, isInside: true) }
    }
    // No way over the ground is shorter than the one through it.
    return EdgeCurves(footprint.flatMap(\.lines))
      .nearestPoint(to: SurfacePoint(position).point, within: meters)
      .flatMap { Position(map: $0) }
      .map { NearestPoint(position: $0, isInside: false) }
  }

  /// Whether a parallel of the footprint is within reach: a quick look that spares most buildings of
  /// a town the rest.
  private func latitudesLie(within meters: Double, of position: Position) -> Bool {
    var (south, north) = (Double.infinity, -Double.infinity)
    for vertex in footprint.lazy.flatMap(\.rings).joined() {
      (south, north) = (min(south, vertex.latitude), max(north, vertex.latitude))
    }
    let degrees = max(south - position.latitude, position.latitude - north)
    // A degree of latitude is 110.57 km at least.
    return degrees * 110_000 <= meters
  }
}

/// The ground that a building stands on, in meters around its middle, ready to be looked at.
package struct BuildingOutline: Sendable {
  /// Closed rings, east and north of ``center``.
  package let rings: [[SIMD2<Double>]]
  /// The building's point, or the mean of its corners.
  package let center: Position
  /// Meters from there to the farthest corner.
  package let radius: Double

  /// Half the width of a building that the map gives as a point, in meters.
  private static let usualHalfWidth = 20.0
  /// How many corners it gets.
  private static let corners = 8

  /// `nil` when the map does not know where the building is.
  package init?(of building: Building) {
    guard let center = building.position else { return nil }
    self.center = center
    let rings = building.footprint.flatMap(\.rings).filter { $0.count > 3 }.map { ring in
      ring.map { corner in
        let way = LocalPlane.meters(
          from: center, latitude: corner.latitude, longitude: corner.longitude)
        return SIMD2(way.east, way.north)
      }
    }
    self.rings = rings.isEmpty ? [Self.circle] : rings
    radius = self.rings.joined().map { ($0 * $0).sum().squareRoot() }.max() ?? 0
  }

  /// Meters from a place to the circle around the building, 0 or less inside of it.
  package func distance(from position: Position) -> Double {
    let way = LocalPlane.meters(from: position, to: center)
    return (way.east * way.east + way.north * way.north).squareRoot() - radius
  }

  /// Whether all of it lies more than 90 degrees off a heading, wherever the position is within its error.
  ///
  /// - Parameters:
  ///   - error: meters.
  ///   - heading: degrees clockwise from true north.
  package func isBehind(
    _ position: Position, error: Double, toward heading: Double
  ) -> Bool {
    let way = LocalPlane.meters(from: position, to: center)
    let (sine, cosine) = Degrees.sinCos(heading)
    let ahead = SIMD2(sine, cosine)
    let farthest = rings.joined().map { ($0 * ahead).sum() }.max() ?? 0
    return farthest + (SIMD2(way.east, way.north) * ahead).sum() < -error
  }

  private static var circle: [SIMD2<Double>] {
    (0...corners).map { corner in
      let (sine, cosine) = Degrees.sinCos(360 * Double(corner % corners) / Double(corners))
      return SIMD2(sine, cosine) * usualHalfWidth
    }
  }
}

/// A building as seen from a place: how far it is, and in which direction.
package struct BuildingView: Sendable {
  /// Meters to the nearest point of the footprint; 0 inside.
  package let distance: Double
  /// The direction of that point, degrees clockwise from true north; `nil` at no distance.
  package let bearing: Double?

  /// `nil` when the map does not know where the building is.
  package init?(of building: Building?, from position: Position) {
    guard let building,
      let nearest = building.nearestPoint(to: position, within: .infinity)
    else { return nil }
    let way = Geodesic(from: position, to: nearest.position)
    distance = way.distance
    bearing = way.distance > 0 ? way.azimuth : nil
  }
}

/// Where something is from where someone stands, as augmented reality wants it.
///
/// East, north and up are the axes of the tangent plane to WGS 84 at the position of the person; both
/// places are taken to be on the ellipsoid, as maps give no heights, so that `up` is only how much the
/// Earth curves away: -0.8 mm in 100 m.
public struct LocalPlacement: Equatable, Codable, Sendable {
  /// Meters.
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

  /// The columns of a 4x4 matrix that moves here without turning; x is east, y north, z up.
  public var eastNorthUp: [SIMD4<Double>] {
    LocalPlacement.translation(east, north, up)
  }

  /// The columns of a 4x4 matrix that moves here without turning; x is east, y up, z south, as in an
  /// ARKit session whose `worldAlignment` is `.gravityAndHeading` and that began at the position.
  ///
  ///     ARAnchor(transform: simd_float4x4(placement.gravityAndHeading.map { SIMD4<Float>($0) }))
  public var gravityAndHeading: [SIMD4<Double>] {
    LocalPlacement.translation(east, up, -north)
  }

  private static func translation(_ x: Double, _ y: Double, _ z: Double) -> [SIMD4<Double>] {
    [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [x, y, z, 1]]
  }
}

/// On which side of someone something is.
public enum Side: String, CaseIterable, Codable, Sendable {
  /// Up to 45 degrees to the left or right of where they look.
  case ahead
  case right
  /// 135 degrees or more.
  case behind
  case left

  /// The side at an angle from where someone looks, -180...180 degrees, positive clockwise.
  public init(turn: Double) {
    self =
      turn.magnitude <= 45 ? .ahead : turn.magnitude >= 135 ? .behind : turn > 0 ? .right : .left
  }
}
