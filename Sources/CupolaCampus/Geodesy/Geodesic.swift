#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The shortest way between two places on the WGS 84 ellipsoid (C. F. F. Karney, "Algorithms for
/// geodesics", Journal of Geodesy 87, 2013).
///
/// Right to a few nanometres between any two places, also opposite ones.
public struct Geodesic: Equatable, Sendable {
  /// Metres.
  public let distance: Double
  /// The direction at the start, degrees clockwise from true north, 0..<360; 0 when both places are
  /// the same.
  public let azimuth: Double
  /// The direction of travel at the end, likewise.
  public let finalAzimuth: Double

  /// The shortest way from one place to another; of several equally short ones, any.
  public init(from start: Position, to end: Position) {
    if let short = Geodesic(chordFrom: start, to: end) {
      self = short
      return
    }
    // The problem is mirrored and reversed until the start is the place further from the equator,
    // lies south, and the end lies east of it (Karney 2013, figure 1).
    let turn = Degrees.turn(from: start.longitude, to: end.longitude)
    let isReversed = start.latitude.magnitude < end.latitude.magnitude
    let (first, second) =
      isReversed ? (end.latitude, start.latitude) : (start.latitude, end.latitude)
    let isNorth = first > 0
    let way = CanonicalGeodesic(
      from: isNorth ? -first : first, to: isNorth ? -second : second, turn: turn.magnitude)
    // Reversing the way turns both components; the mirrors turn one each.
    let north: Double = isReversed != isNorth ? -1 : 1
    let east: Double = turn < 0 ? -1 : 1
    let azimuths = [way.start, way.end].map {
      Degrees.azimuth(east: east * $0.sin, north: north * $0.cos)
    }
    distance = way.distance
    azimuth = azimuths[isReversed ? 1 : 0]
    finalAzimuth = azimuths[isReversed ? 0 : 1]
  }

  /// A way of less than 100 m as its chord in space, which loses no digits however short it is.
  ///
  /// Chord and geodesic differ by less than 1e-12 in direction and, once the curvature is allowed
  /// for, in length. Fails for longer ways.
  private init?(chordFrom start: Position, to end: Position) {
    let climb = end.latitude - start.latitude
    guard climb.magnitude < 0.001 else { return nil }
    let turn = Degrees.turn(from: start.longitude, to: end.longitude)
    let (here, there) = (
      WGS84.reduced(latitude: start.latitude), WGS84.reduced(latitude: end.latitude)
    )
    let (from, to) = (Degrees.sinCos(start.latitude), Degrees.sinCos(end.latitude))
    // Half the difference of the reduced latitudes, from that of the latitudes.
    let half =
      atan2(
        WGS84.ratio * Degrees.sinCos(climb).sin,
        from.cos * to.cos + WGS84.ratio * WGS84.ratio * from.sin * to.sin) / 2
    let middle = (sin: here.sin + there.sin, cos: here.cos + there.cos)
    let norm = hypot(middle.sin, middle.cos)
    let step = 2 * WGS84.equatorialRadius * sin(half) / norm
    // In the meridian's plane: away from the axis, and along it.
    let outwards = -step * middle.sin
    let upwards = step * middle.cos * WGS84.ratio
    let (sine, cosine) = Degrees.sinCos(turn)
    let versine = turn.magnitude < 90 ? sine * sine / (1 + cosine) : 1 - cosine
    let radii = (WGS84.equatorialRadius * here.cos, WGS84.equatorialRadius * there.cos)
    let east = (radii.1 * sine, radii.0 * sine)
    let across = (outwards - radii.1 * versine, outwards + radii.0 * versine)
    let chord = hypot(hypot(east.0, across.0), upwards)
    guard chord < 100 else { return nil }
    // A pole is one place, whatever its longitude.
    guard chord > 1e-100 else {
      (distance, azimuth, finalAzimuth) = (0, 0, 0)
      return
    }
    let curved = chord / WGS84.equatorialRadius
    distance = chord * (1 + curved * curved / 24)
    azimuth = Degrees.azimuth(east: east.0, north: upwards * from.cos - across.0 * from.sin)
    finalAzimuth = Degrees.azimuth(east: east.1, north: upwards * to.cos - across.1 * to.sin)
  }
}

extension Position {
  /// The place reached by going straight on along a geodesic; it has no horizontal error.
  ///
  /// - Parameters:
  ///   - azimuth: where to start to, degrees clockwise from true north.
  ///   - distance: metres; negative goes backwards.
  public func destination(azimuth: Double, distance: Double) -> Position {
    precondition(azimuth.isFinite && distance.isFinite, "a way of \(distance) m to \(azimuth)°")
    let direction = Degrees.sinCos(azimuth)
    let here = WGS84.reduced(latitude: latitude)
    let sinEquator = direction.sin * here.cos
    let cosEquator = hypot(direction.cos, direction.sin * here.sin)
    let sphere = AuxiliarySphere(sinEquator: sinEquator)
    let start = AuxiliarySphere.Point(
      sinLatitude: here.sin, cosAzimuthCosLatitude: direction.cos * here.cos)
    let (arc, end) = sphere.arc(from: start, distance: distance)
    // The end's reduced latitude, then its latitude.
    let up = cosEquator * end.sine
    let flat = hypot(sinEquator, cosEquator * end.cosine)
    let north = atan2(up, WGS84.ratio * flat) * (180 / .pi)
    let (from, to) = (
      atan2(sinEquator * start.sine, start.cosine), atan2(sinEquator * end.sine, end.cosine)
    )
    let lag = WGS84.flattening * sinEquator * sphere.lag.value(from: start, to: end, arc: arc)
    let east = Degrees.turn(from: 0, to: longitude + (to - from - lag) * (180 / .pi))
    return Position(latitude: north, longitude: east) ?? self
  }
}
