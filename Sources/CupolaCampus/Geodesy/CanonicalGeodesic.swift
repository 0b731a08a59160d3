#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The inverse problem in the one position that all others are mirrored to: the start lies on or
/// south of the equator and at least as far from it as the end, which lies east (Karney 2013,
/// section 4).
struct CanonicalGeodesic {
  typealias Direction = (sin: Double, cos: Double)

  let distance: Double
  let start: Direction
  let end: Direction

  /// - Parameter turn: the difference of the longitudes, 0...180 degrees.
  init(from first: Double, to second: Double, turn: Double) {
    let problem = Problem(from: first, to: second, turn: turn)
    if turn == 0 || turn == 180 || first == -90 {
      // Along a meridian, or over the south pole from one to another.
      let longitude = Degrees.sinCos(turn)
      start = (longitude.sin, longitude.cos)
      end = (0, 1)
      let trial = problem.trial(start: start)
      distance = trial.distance
    } else if first == 0, turn <= 180 * WGS84.ratio {
      start = (1, 0)
      end = (1, 0)
      distance = WGS84.equatorialRadius * turn * (.pi / 180)
    } else {
      let trial = problem.solution()
      start = trial.start
      end = trial.end
      distance = trial.distance
    }
  }
}

extension CanonicalGeodesic {
  /// Which direction at the start leads to the end?
  fileprivate struct Problem {
    let from: (sin: Double, cos: Double)
    let to: (sin: Double, cos: Double)
    let longitude: (sin: Double, cos: Double)
    let turn: Double

    init(from first: Double, to second: Double, turn: Double) {
      from = WGS84.reduced(latitude: first)
      to = WGS84.reduced(latitude: second)
      longitude = Degrees.sinCos(turn)
      self.turn = turn * (.pi / 180)
    }

    /// The direction by Newton's method, kept between bounds that are halved where it fails.
    ///
    /// The longitude reached grows with the azimuth wherever it passes the end's, so that bounds
    /// always hold the one solution. Directions are held by sine and cosine, which lose no digits
    /// near the meridian and across it.
    func solution() -> Trial {
      var lower = (sin: 0.0, cos: 1.0)
      var upper = (sin: 0.0, cos: -1.0)
      var trial = self.trial(start: sphericalDirection)
      for _ in 0..<100 {
        let excess = excess(of: trial)
        let start = trial.start
        if excess.magnitude < 2e-16 { break }
        if excess > 0 { upper = start } else { lower = start }
        let step = -excess / slope(of: trial)
        let newton = Self.unit(
          sin: start.sin * cos(step) + start.cos * sin(step),
          cos: start.cos * cos(step) - start.sin * sin(step))
        let isWithin =
          step.magnitude < .pi && Self.isLess(lower, newton) && Self.isLess(newton, upper)
        let next =
          isWithin ? newton : Self.unit(sin: lower.sin + upper.sin, cos: lower.cos + upper.cos)
        if next == start { break }
        trial = self.trial(start: next)
      }
      return trial
    }

    private static func unit(sin: Double, cos: Double) -> Direction {
      let norm = hypot(sin, cos)
      return (sin / norm, cos / norm)
    }

    /// Whether one direction of 0...π is less than another.
    private static func isLess(_ a: Direction, _ b: Direction) -> Bool {
      a.cos * b.sin > a.sin * b.cos
    }

    /// The direction of the great circle on a sphere with the curvature half way.
    private var sphericalDirection: Direction {
      let middle = (from.cos + to.cos) / 2
      let stretch = (1 - WGS84.eccentricity2 * middle * middle).squareRoot()
      let angle = turn / stretch
      guard angle < .pi else { return (1, 0) }
      return Self.unit(
        sin: to.cos * sin(angle), cos: from.cos * to.sin - from.sin * to.cos * cos(angle))
    }

    /// The geodesic in some direction until the end's latitude, where it passes it northwards.
    func trial(start: Direction) -> Trial {
      let sinEquator = start.sin * from.cos
      let sphere = AuxiliarySphere(sinEquator: sinEquator)
      let sine = min(1, sinEquator / to.cos)
      // cos² β₂ - cos² β₁, without cancellation.
      let gain =
        from.cos < -from.sin
        ? (to.cos - from.cos) * (to.cos + from.cos) : (from.sin - to.sin) * (from.sin + to.sin)
      let northwards = start.cos * from.cos
      let cosine =
        to.cos == from.cos && to.sin.magnitude == from.sin.magnitude
        ? start.cos.magnitude : max(0, northwards * northwards + gain).squareRoot() / to.cos
      let first = AuxiliarySphere.Point(
        sinLatitude: from.sin, cosAzimuthCosLatitude: northwards)
      let second = AuxiliarySphere.Point(
        sinLatitude: to.sin, cosAzimuthCosLatitude: cosine * to.cos)
      return Trial(sphere, start, (sine, cosine), first, second)
    }

    /// How much further east than wanted a trial comes, in radians.
    private func excess(of trial: Trial) -> Double {
      let sinEquator = trial.sphere.sinEquator
      let (first, second) = (trial.first, trial.second)
      // The longitudes on the sphere, up to a common factor, and their difference.
      let sine = max(
        0, sinEquator * (first.cosine * second.sine - first.sine * second.cosine))
      let cosine =
        first.cosine * second.cosine + sinEquator * sinEquator * first.sine * second.sine
      let angle = atan2(
        sine * longitude.cos - cosine * longitude.sin,
        cosine * longitude.cos + sine * longitude.sin)
      let lag = trial.sphere.lag.value(from: first, to: second, arc: trial.arc)
      return angle - WGS84.flattening * sinEquator * lag
    }

    /// How fast the longitude grows with the azimuth (Karney 2013, equation 46).
    private func slope(of trial: Trial) -> Double {
      trial.reducedLength * WGS84.ratio / (trial.end.cos * to.cos)
    }
  }

  /// A geodesic from the start to the end's latitude.
  fileprivate struct Trial {
    let sphere: AuxiliarySphere
    let start: Direction
    let end: Direction
    let first: AuxiliarySphere.Point
    let second: AuxiliarySphere.Point
    let arc: Double

    init(
      _ sphere: AuxiliarySphere, _ start: Direction, _ end: Direction,
      _ first: AuxiliarySphere.Point, _ second: AuxiliarySphere.Point
    ) {
      self.sphere = sphere
      self.start = start
      self.end = end
      self.first = first
      self.second = second
      arc = first.arc(to: second)
    }

    /// Metres.
    var distance: Double {
      WGS84.polarRadius * sphere.distance.value(from: first, to: second, arc: arc)
    }

    /// How far neighbouring geodesics part, over the polar radius (Karney 2013, equation 38).
    var reducedLength: Double {
      let integral =
        sphere.distance.value(from: first, to: second, arc: arc)
        - sphere.inverseDistance.value(from: first, to: second, arc: arc)
      let (here, there) = (
        (1 + sphere.modulus * first.sine * first.sine).squareRoot(),
        (1 + sphere.modulus * second.sine * second.sine).squareRoot()
      )
      return there * first.cosine * second.sine - here * first.sine * second.cosine
        - first.cosine * second.cosine * integral
    }
  }
}
