#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How likely people look in a direction when they photograph a building.
///
/// A von Mises density (Mardia & Jupp, "Directional Statistics", 2000) around the part of the horizon
/// that the building takes, mixed with a uniform one.
package enum HeadingDensity {
  /// Degrees by which a phone's compass errs, one standard deviation.
  static let compassError = 20.0
  /// The share of headings that mean nothing, so that none rules a building out.
  static let uniformShare = 0.2

  /// The logarithm of the density, compared with that of looking anywhere.
  ///
  /// At least the logarithm of ``uniformShare``; near 0 when the position's error is much larger than
  /// the distance, and 0 inside the building.
  /// - Parameters:
  ///   - heading: degrees clockwise from true north.
  ///   - positionError: meters.
  static func logRatio(_ heading: Double, _ view: BuildingView, positionError: Double) -> Double {
    guard view.bearing != nil else { return 0 }
    let compass = compassError * (.pi / 180)
    let parallax = positionError / max(view.distance, 1)
    let concentration = 1 / (compass * compass + parallax * parallax)
    let angle = view.angle(to: heading) * (.pi / 180)
    let width = (view.extent.upperBound - view.extent.lowerBound) * (.pi / 180)
    let all = width + (2 * .pi - width) * scaledBessel(concentration)
    let ratio = 2 * .pi * exp(concentration * (cos(angle) - 1)) / all
    return log(uniformShare + (1 - uniformShare) * ratio)
  }

  /// `exp(-x)` times the modified Bessel function of the first kind of order 0, by its power series;
  /// `x` is 0...20 here.
  static func scaledBessel(_ x: Double) -> Double {
    var (term, sum, order) = (1.0, 1.0, 1.0)
    while term > 1e-17 * sum {
      term *= (x / 2) * (x / 2) / (order * order)
      sum += term
      order += 1
    }
    return exp(-x) * sum
  }
}
