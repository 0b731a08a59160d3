/// Where the campus is: everything inside any of its polygons, and their boundaries.
///
/// Edges are straight in longitude and latitude (RFC 7946, section 3.1.1). A fence is prepared when it
/// is made, so that of its edges only those due east of a position are looked at: that takes a microsecond or so, but
/// some milliseconds where there are ten thousands of them, as there are of a comb to its west.
public struct Geofence: Sendable {
  /// The parts of the grounds.
  public let polygons: [Polygon]

  private let index: FenceIndex
  private let boundary: EdgeCurves

  /// A fence around some areas, which may overlap.
  public init(polygons: [Polygon]) {
    self.polygons = polygons
    index = FenceIndex(polygons)
    boundary = EdgeCurves(FenceOutline(index).segments)
  }

  /// Whether a place is on the campus; the boundary is. The position's error is ignored.
  ///
  /// A slanted edge is 0.1 mm wide to either side, as coordinates round; one along a meridian or parallel, where they do
  /// not, is exact.
  public func contains(_ position: Position) -> Bool {
    index.location(of: position) != .outside
  }

  /// Meters to the fence along the ellipsoid, negative inside, 0 on the boundary.
  ///
  /// Up to 100 km the error is below 1 mm, up to 1000 km below 5 cm, anywhere below 0.3 %. Where there is
  /// no boundary it is infinite: `-inf` when the fence holds all the Earth, `inf` when it is empty.
  public func signedDistance(to position: Position) -> Double {
    let distance =
      boundary.nearestPoint(to: SurfacePoint(position).point)
      .flatMap { Position(map: $0) }
      .map { Geodesic(from: position, to: $0).distance } ?? .infinity
    switch index.location(of: position) {
    case .outside: return distance
    case .inside: return -distance
    // The boundary of a part may be a seam in the middle of the grounds.
    case .boundary: return distance < 2e-4 ? 0 : -distance
    }
  }

  /// On which side of the fence a position surely lies, given its horizontal error, or
  /// ``Position/usualError`` where that is not known.
  ///
  /// With an error of 0 a place on the boundary is inside and no place is too close.
  public func side(of position: Position) -> FenceSide {
    let error = position.assumedError
    guard error > 0 else { return contains(position) ? .inside : .outside }
    let distance = signedDistance(to: position)
    return distance > error ? .outside : distance <= -error ? .inside : .tooClose
  }
}

extension Geofence {
  /// The same as ``contains(_:)``; to `work` is added how many boxes around edges were compared.
  func contains(_ position: Position, _ work: inout Int) -> Bool {
    index.location(of: position, &work) != .outside
  }

  /// Whether more places lie inside with latitude and longitude exchanged than as they are.
  package func isSwapped(by positions: [Position]) -> Bool {
    let swapped = positions.compactMap(\.swapped)
    return positions.count(where: contains) < swapped.count(where: contains)
  }
}

extension Geofence: Equatable {
  /// Whether two fences have the same polygons.
  public static func == (a: Geofence, b: Geofence) -> Bool { a.polygons == b.polygons }
}
