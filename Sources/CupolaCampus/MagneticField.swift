#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Convert the geodetic position to geocentric latitude and radius.
// 2. Sum the gradients of the harmonics, using coefficients extrapolated to the year (`HarmonicField`).
// 3. Rotate the field to north, east and down relative to the ellipsoid.
// 4. Derive declination, inclination and intensities.

/// The Earth's magnetic field at a position and time, from the World Magnetic Model 2025.
///
/// The model is valid from 2025.0 to 2030.0. It is extrapolated to years from 2015 to 2035; earlier and later years use
/// these limits. Extrapolated to 2015, its declinations differ from those of the 2015 model by at most 1.2 degrees
/// (half of them by less than 0.15) where the horizontal field exceeds 6000 nT, which is up to about 60 degrees of
/// latitude. Extrapolating the 2015 and 2020 models by 10 years gave similar errors. A phone's compass has larger
/// errors.
public struct MagneticField: Equatable, Codable, Sendable {
  /// Components toward true north, east and down, in nanotesla.
  public let north, east, down: Double

  /// The year to use if the time is unknown: the middle of the model's validity period.
  public static let defaultYear = 2027.5

  /// Computes the field at a position.
  ///
  /// - Parameters:
  ///   - position: The position on the ground.
  ///   - height: Meters above the ellipsoid. A change of 1 km changes the declination by less than 0.01 degrees almost
  ///     everywhere.
  ///   - year: The decimal year, for example 2026.5 for the middle of 2026.
  public init(at position: Position, height: Double = 0, year: Double) {
    precondition(height.isFinite && year.isFinite, "invalid height \(height) m or year \(year)")
    let latitude = position.latitude * .pi / 180
    let (sine, cosine) = (sin(latitude), cos(latitude))
    let normal = WGS84.equatorialRadius / (1 - WGS84.eccentricity2 * sine * sine).squareRoot()
    let outwards = (normal + height) * cosine
    let upwards = (normal * (1 - WGS84.eccentricity2) + height) * sine
    let radius = hypot(outwards, upwards)
    let field = HarmonicField(
      sinLatitude: upwards / radius, cosLatitude: outwards / radius,
      longitude: position.longitude * .pi / 180, radius: radius,
      years: min(max(year, 2015), 2035) - WorldMagneticModel.epoch)
    // Rotate to the ellipsoid, whose normal defines down.
    let tilt = atan2(upwards, outwards) - latitude
    north = field.north * cos(tilt) - field.down * sin(tilt)
    east = field.east
    down = field.north * sin(tilt) + field.down * cos(tilt)
  }

  /// The direction of a compass needle in degrees clockwise from true north, -180...180.
  public var declination: Double { atan2(east, north) * 180 / .pi }

  /// The horizontal intensity in nanotesla. Compasses become unreliable below 6000 nT and useless below 2000 nT.
  public var horizontalIntensity: Double { hypot(north, east) }

  /// The standard deviation of the declination in degrees, including local effects (WMM2025 error model).
  public var declinationError: Double { hypot(0.26, 5417 / horizontalIntensity) }
}

private struct HarmonicField {
  private(set) var north = 0.0
  private(set) var east = 0.0
  private(set) var down = 0.0

  /// Sums the potential's gradients (WMM2025 report, equations 10 to 12). `years` are counted from the model's epoch.
  init(
    sinLatitude: Double, cosLatitude: Double, longitude: Double, radius: Double, years: Double
  ) {
    let ratio = WorldMagneticModel.referenceRadius / radius
    for order in 0...WorldMagneticModel.degree {
      let (sine, cosine) = (sin(Double(order) * longitude), cos(Double(order) * longitude))
      var legendre = Legendre(order: order, sinLatitude: sinLatitude, cosLatitude: cosLatitude)
      for degree in max(order, 1)...WorldMagneticModel.degree {
        while legendre.degree < degree { legendre.raise() }
        let row = WorldMagneticModel.row(degree: degree, order: order)
        let table = WorldMagneticModel.coefficients
        let g = table[row] + years * table[row + 2]
        let h = table[row + 1] + years * table[row + 3]
        let strength = pow(ratio, Double(degree + 2))
        north += strength * (g * cosine + h * sine) * legendre.slope
        east += strength * Double(order) * (g * sine - h * cosine) * legendre.overCosine
        down -= strength * Double(degree + 1) * (g * cosine + h * sine) * legendre.value
      }
    }
  }
}

/// Schmidt semi-normalized associated Legendre functions for one order and increasing degrees.
private struct Legendre {
  private(set) var degree: Int
  var value: Double { current[0] }
  /// The value divided by the cosine of the latitude, computed without a division; 0 for order 0.
  var overCosine: Double { current[1] }
  /// The derivative with respect to the angle from the North Pole.
  var slope: Double { current[2] }

  private let order: Int
  private let sinLatitude: Double
  private let cosLatitude: Double
  private var current: SIMD4<Double>
  private var last = SIMD4<Double>.zero

  init(order: Int, sinLatitude: Double, cosLatitude: Double) {
    self.order = order
    self.sinLatitude = sinLatitude
    self.cosLatitude = cosLatitude
    degree = order
    current = [1, 0, 0, 0]
    for step in 1..<order + 1 {
      let factor = step == 1 ? 1 : (1 - 1 / Double(2 * step)).squareRoot()
      let overCosine = factor * current[0]
      current = [
        overCosine * cosLatitude, overCosine, Double(step) * overCosine * sinLatitude, 0,
      ]
    }
  }

  mutating func raise() {
    let (n, m) = (Double(degree + 1), Double(order))
    let a = 2 * n - 1
    let b = ((n - 1) * (n - 1) - m * m).squareRoot()
    var next = a * sinLatitude * current - b * last
    next[2] -= a * cosLatitude * current[0]
    (last, current) = (current, next / (n * n - m * m).squareRoot())
    degree += 1
  }
}

/// The World Magnetic Model 2025 by NOAA and BGS (Chulliat et al., 2025), from `WMM.COF` of November 13, 2024.
enum WorldMagneticModel {
  static let epoch = 2025.0
  static let degree = 12
  /// The reference radius of the coefficients, in meters.
  static let referenceRadius = 6_371_200.0

  /// Returns the index of the first coefficient of a degree and order.
  static func row(degree: Int, order: Int) -> Int { 4 * (degree * (degree + 1) / 2 - 1 + order) }

  /// g and h in nanotesla and their changes per year, Schmidt semi-normalized, for each degree and order.
  static let coefficients: [Double] = [
    -29351.8, 0.0, 12.0, 0.0,
    -1410.8, 4545.4, 9.7, -21.5,
    -2556.6, 0.0, -11.6, 0.0,
    2951.1, -3133.6, -5.2, -27.7,
    1649.3, -815.1, -8.0, -12.1,
    1361.0, 0.0, -1.3, 0.0,
    -2404.1, -56.6, -4.2, 4.0,
    1243.8, 237.5, 0.4, -0.3,
    453.6, -549.5, -15.6, -4.1,
    895.0, 0.0, -1.6, 0.0,
    799.5, 278.6, -2.4, -1.1,
    55.7, -133.9, -6.0, 4.1,
    -281.1, 212.0, 5.6, 1.6,
    12.1, -375.6, -7.0, -4.4,
    -233.2, 0.0, 0.6, 0.0,
    368.9, 45.4, 1.4, -0.5,
    187.2, 220.2, 0.0, 2.2,
    -138.7, -122.9, 0.6, 0.4,
    -142.0, 43.0, 2.2, 1.7,
    20.9, 106.1, 0.9, 1.9,
    64.4, 0.0, -0.2, 0.0,
    63.8, -18.4, -0.4, 0.3,
    76.9, 16.8, 0.9, -1.6,
    -115.7, 48.8, 1.2, -0.4,
    -40.9, -59.8, -0.9, 0.9,
    14.9, 10.9, 0.3, 0.7,
    -60.7, 72.7, 0.9, 0.9,
    79.5, 0.0, 0.0, 0.0,
    -77.0, -48.9, -0.1, 0.6,
    -8.8, -14.4, -0.1, 0.5,
    59.3, -1.0, 0.5, -0.8,
    15.8, 23.4, -0.1, 0.0,
    2.5, -7.4, -0.8, -1.0,
    -11.1, -25.1, -0.8, 0.6,
    14.2, -2.3, 0.8, -0.2,
    23.2, 0.0, -0.1, 0.0,
    10.8, 7.1, 0.2, -0.2,
    -17.5, -12.6, 0.0, 0.5,
    2.0, 11.4, 0.5, -0.4,
    -21.7, -9.7, -0.1, 0.4,
    16.9, 12.7, 0.3, -0.5,
    15.0, 0.7, 0.2, -0.6,
    -16.8, -5.2, 0.0, 0.3,
    0.9, 3.9, 0.2, 0.2,
    4.6, 0.0, 0.0, 0.0,
    7.8, -24.8, -0.1, -0.3,
    3.0, 12.2, 0.1, 0.3,
    -0.2, 8.3, 0.3, -0.3,
    -2.5, -3.3, -0.3, 0.3,
    -13.1, -5.2, 0.0, 0.2,
    2.4, 7.2, 0.3, -0.1,
    8.6, -0.6, -0.1, -0.2,
    -8.7, 0.8, 0.1, 0.4,
    -12.9, 10.0, -0.1, 0.1,
    -1.3, 0.0, 0.1, 0.0,
    -6.4, 3.3, 0.0, 0.0,
    0.2, 0.0, 0.1, 0.0,
    2.0, 2.4, 0.1, -0.2,
    -1.0, 5.3, 0.0, 0.1,
    -0.6, -9.1, -0.3, -0.1,
    -0.9, 0.4, 0.0, 0.1,
    1.5, -4.2, -0.1, 0.0,
    0.9, -3.8, -0.1, -0.1,
    -2.7, 0.9, 0.0, 0.2,
    -3.9, -9.1, 0.0, 0.0,
    2.9, 0.0, 0.0, 0.0,
    -1.5, 0.0, 0.0, 0.0,
    -2.5, 2.9, 0.0, 0.1,
    2.4, -0.6, 0.0, 0.0,
    -0.6, 0.2, 0.0, 0.1,
    -0.1, 0.5, -0.1, 0.0,
    -0.6, -0.3, 0.0, 0.0,
    -0.1, -1.2, 0.0, 0.1,
    1.1, -1.7, -0.1, 0.0,
    -1.0, -2.9, -0.1, 0.0,
    -0.2, -1.8, -0.1, 0.0,
    2.6, -2.3, -0.1, 0.0,
    -2.0, 0.0, 0.0, 0.0,
    -0.2, -1.3, 0.0, 0.0,
    0.3, 0.7, 0.0, 0.0,
    1.2, 1.0, 0.0, -0.1,
    -1.3, -1.4, 0.0, 0.1,
    0.6, 0.0, 0.0, 0.0,
    0.6, 0.6, 0.1, 0.0,
    0.5, -0.1, 0.0, 0.0,
    -0.1, 0.8, 0.0, 0.0,
    -0.4, 0.1, 0.0, 0.0,
    -0.2, -1.0, -0.1, 0.0,
    -1.3, 0.1, 0.0, 0.0,
    -0.7, 0.2, -0.1, -0.1,
  ]
}
