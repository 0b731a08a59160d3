internal import CupolaSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Trigonometry in degrees, exact at the quarter turns.
package enum Degrees {
  /// Sine and cosine; a multiple of 90 degrees gives 0 and 1 without rounding errors. Both are NaN for what
  /// is not finite.
  package static func sinCos(_ degrees: Double) -> (sin: Double, cos: Double) {
    let rest = degrees.remainder(dividingBy: 90)
    let quarters = ((degrees - rest) / 90).rounded().remainder(dividingBy: 4)
    let (sine, cosine) = (sin(rest * (.pi / 180)), cos(rest * (.pi / 180)))
    return switch Int(saturating: quarters) & 3 {
    case 0: (sine, cosine)
    case 1: (cosine, -sine)
    case 2: (-sine, -cosine)
    default: (-cosine, sine)
    }
  }

  /// The way from one longitude to another, -180...180, without the rounding error of subtracting
  /// numbers on two sides of the date line.
  package static func turn(from start: Double, to end: Double) -> Double {
    let difference = end - start
    // What the subtraction lost (Knuth's two-sum).
    let part = difference + start
    let lost = (end - part) - (start - (part - difference))
    return difference.remainder(dividingBy: 360) + lost
  }

  /// The direction of a vector, clockwise from north, 0..<360; 0 for none.
  package static func azimuth(east: Double, north: Double) -> Double {
    if east == 0, north == 0 { return 0 }
    let degrees = atan2(east, north) * (180 / .pi)
    let positive = degrees < 0 ? degrees + 360 : degrees
    return positive == 360 ? 0 : positive
  }
}
