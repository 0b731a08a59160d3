#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The Earth's magnetic field at a place and time, by the World Magnetic Model 2025.
///
/// The model holds from 2025.0 to 2030.0, and then needs its successor. From 2015 to 2035 its yearly
/// change is carried on, outside of these the field of 2015 or 2035 is given. Where the horizontal
/// field is above 6000 nT, that is up to some 60 degrees of latitude, declinations of 2015 differ
/// from the model of that time by at most 1.2 degrees, half of them by less than 0.15; models of 2015 and
/// 2020 carried on for ten years were as far from the next ones. A phone's compass errs by more.
public struct MagneticField: Equatable, Codable, Sendable {
  /// Nanotesla to true north, to the east, and down.
  public let north, east, down: Double

  /// The middle of the model's time, where nobody said when.
  public static let usualYear = 2027.5

  /// The field at a place.
  ///
  /// - Parameters:
  ///   - position: a place on the Earth.
  ///   - height: meters above the ellipsoid; a kilometer changes the declination by less than 0.01 degrees
  ///     nearly everywhere.
  ///   - year: such as 2026.5 for the middle of 2026.
  public init(at position: Position, height: Double = 0, year: Double) {
    precondition(height.isFinite && year.isFinite, "a height of \(height) m in \(year)")
    let latitude = position.latitude * .pi / 180
    // From geodetic latitude and height to the geocentric sphere.
    let (sine, cosine) = (sin(latitude), cos(latitude))
    let normal = WGS84.equatorialRadius / (1 - WGS84.eccentricity2 * sine * sine).squareRoot()
    let outwards = (normal + height) * cosine
    let upwards = (normal * (1 - WGS84.eccentricity2) + height) * sine
    let radius = hypot(outwards, upwards)
    let field = HarmonicField(
      sinLatitude: upwards / radius, cosLatitude: outwards / radius,
      longitude: position.longitude * .pi / 180, radius: radius,
      years: min(max(year, 2015), 2035) - WorldMagneticModel.epoch)
    // And back: down is along the ellipsoid's normal.
    let tilt = atan2(upwards, outwards) - latitude
    north = field.north * cos(tilt) - field.down * sin(tilt)
    east = field.east
    down = field.north * sin(tilt) + field.down * cos(tilt)
  }

  /// Where a compass needle points, degrees clockwise from true north, -180...180.
  public var declination: Double { atan2(east, north) * 180 / .pi }

  /// How far the field points below the horizon, degrees, -90...90.
  public var inclination: Double { atan2(down, horizontalIntensity) * 180 / .pi }

  /// Nanotesla; compasses become unreliable below 6000 and useless below 2000.
  public var horizontalIntensity: Double { hypot(north, east) }

  /// Nanotesla.
  public var totalIntensity: Double { hypot(horizontalIntensity, down) }

  /// One standard deviation of the declination in degrees while the model holds, with what rocks and
  /// currents add (the error model of WMM2025).
  public var declinationError: Double { hypot(0.26, 5417 / horizontalIntensity) }
}

/// The field of the harmonics on the geocentric sphere.
private struct HarmonicField {
  private(set) var north = 0.0
  private(set) var east = 0.0
  private(set) var down = 0.0

  /// Sums the gradients of the potential (WMM2025 report, equations 10 to 12).
  ///
  /// - Parameter years: since the epoch of the model.
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

/// Schmidt semi-normalized associated Legendre functions of one order, degree by degree.
private struct Legendre {
  private(set) var degree: Int
  /// Of the sine of the latitude.
  var value: Double { current[0] }
  /// The value divided by the cosine of the latitude, without dividing; 0 for order 0.
  var overCosine: Double { current[1] }
  /// How the value changes with the angle from the north pole.
  var slope: Double { current[2] }

  private let order: Int
  private let sinLatitude: Double
  private let cosLatitude: Double
  private var current: SIMD4<Double>
  private var last = SIMD4<Double>.zero

  /// Begins with the degree that is the order.
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

  /// Goes on to the next degree.
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
