#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A geodesic on the sphere that Bessel mapped the ellipsoid to: azimuths and reduced latitudes stay,
/// and the great circle's arc σ gives distance and longitude by integrals (Karney 2013, section 2).
struct AuxiliarySphere {
  /// Sine of the azimuth at the equator.
  let sinEquator: Double
  /// How far the integrals depart from the arc: e'² cos² α₀.
  let modulus: Double

  init(sinEquator: Double) {
    self.sinEquator = sinEquator
    modulus = WGS84.secondEccentricity2 * (1 - sinEquator * sinEquator)
  }

  /// A point of the great circle, by its arc from where the circle crosses the equator northwards.
  struct Point {
    let sine: Double
    let cosine: Double

    /// The point where the circle has a reduced latitude and an azimuth.
    init(sinLatitude: Double, cosAzimuthCosLatitude: Double) {
      let norm = hypot(sinLatitude, cosAzimuthCosLatitude)
      sine = norm == 0 ? 0 : sinLatitude / norm
      cosine = norm == 0 ? 1 : cosAzimuthCosLatitude / norm
    }

    /// The point an arc further on.
    init(_ point: Point, plus arc: Double) {
      sine = point.sine * cos(arc) + point.cosine * sin(arc)
      cosine = point.cosine * cos(arc) - point.sine * sin(arc)
    }

    /// The arc to another point, 0...π.
    func arc(to other: Point) -> Double {
      // Adding 0 makes a negative zero positive, and half a turn one forwards.
      atan2(
        max(0, cosine * other.sine - sine * other.cosine) + 0,
        cosine * other.cosine + sine * other.sine)
    }
  }

  /// Distance along the geodesic over the polar radius: ∫ √(1 + k² sin² σ) dσ.
  var distance: PeriodicIntegral {
    PeriodicIntegral { [modulus] in (1 + modulus * $0).squareRoot() }
  }

  /// Beside ``distance`` what the reduced length needs: ∫ 1 / √(1 + k² sin² σ) dσ.
  var inverseDistance: PeriodicIntegral {
    PeriodicIntegral { [modulus] in 1 / (1 + modulus * $0).squareRoot() }
  }

  /// The arc of a way along the geodesic, and where on the circle it ends.
  ///
  /// - Parameter distance: metres.
  func arc(from start: Point, distance: Double) -> (arc: Double, end: Point) {
    let integral = self.distance
    let goal = distance / WGS84.polarRadius
    var arc = goal / integral.mean
    // The integrand differs from its mean by a thousandth: each step wins three digits and more.
    for _ in 0..<4 {
      let end = Point(start, plus: arc)
      let slope = (1 + modulus * end.sine * end.sine).squareRoot()
      arc -= (integral.value(from: start, to: end, arc: arc) - goal) / slope
    }
    return (arc, Point(start, plus: arc))
  }

  /// What longitude lags behind that of the sphere, over f sin α₀.
  var lag: PeriodicIntegral {
    PeriodicIntegral { [modulus] in
      (1 + WGS84.ratio) / (1 + WGS84.ratio * (1 + modulus * $0).squareRoot())
    }
  }
}

/// The integral over σ of a function of sin² σ, as a Fourier series.
///
/// Such a function has the period π, so the trapezoidal rule on eight points gives its Fourier
/// coefficients with an error that shrinks geometrically (Trefethen and Weideman 2014): below 1e-16
/// for the Earth's flattening. Karney 2013 has the same series with coefficients as polynomials.
struct PeriodicIntegral {
  /// The mean of the function, by which the integral grows.
  let mean: Double
  /// Coefficients of sin 2σ, sin 4σ, sin 6σ, sin 8σ.
  private let waves: SIMD4<Double>

  init(_ function: (Double) -> Double) {
    let half = 0.5.squareRoot()
    // At arcs of 0, π/8, ... π/2; the other half period repeats them.
    let ends = (function(0), function(1))
    let middle = function(0.5)
    let sides = (function((1 - half) / 2), function((1 + half) / 2))
    let (sum, difference) = (ends.0 + ends.1, ends.0 - ends.1)
    let (sideSum, sideDifference) = (sides.0 + sides.1, 2 * half * (sides.0 - sides.1))
    mean = (sum + 2 * (sideSum + middle)) / 8
    waves = SIMD4(
      (difference + sideDifference) / 8, (sum - 2 * middle) / 16,
      (difference - sideDifference) / 24, (sum + 2 * (middle - sideSum)) / 64)
  }

  /// The integral from one point of the circle to another, `arc` further on.
  func value(
    from start: AuxiliarySphere.Point, to end: AuxiliarySphere.Point, arc: Double
  ) -> Double {
    mean * arc + (ripple(end) - ripple(start))
  }

  /// The part of the integral that repeats.
  private func ripple(_ point: AuxiliarySphere.Point) -> Double {
    // Clenshaw's summation over multiples of 2σ.
    let twice = 2 * (point.cosine - point.sine) * (point.cosine + point.sine)
    let third = waves.z + twice * waves.w
    let second = waves.y + twice * third - waves.w
    let first = waves.x + twice * second - third
    return 2 * point.sine * point.cosine * first
  }
}
