internal import Cupola

/// Simulated errors of a phone's position. Four fifths of the variance decay by 10% per second; the
/// rest is independent.
package struct PositionNoise {
  private let deviation: Double
  /// The error that the phone reports, sometimes wrong by 30%.
  package let reported: Double
  private var slow: SIMD2<Double>
  private var random: SplitMix64

  /// - Parameter radius: The radius in meters that contains 68% of the errors.
  package init(radius: Double, seed: UInt64) {
    random = SplitMix64(seed: seed)
    deviation = radius / 1.5096
    let wrong = Int.random(in: 0..<4, using: &random)
    reported = radius * (wrong == 0 ? 0.7 : wrong == 1 ? 1.3 : 1)
    slow = .zero
    slow = 0.8.squareRoot() * deviation * normal()
  }

  package mutating func next() -> SIMD2<Double> {
    defer { slow = 0.9 * slow + (0.8 * 0.19).squareRoot() * deviation * normal() }
    return slow + 0.2.squareRoot() * deviation * normal()
  }

  /// Two approximately standard normal numbers: sums of 12 uniform ones.
  private mutating func normal() -> SIMD2<Double> {
    var sum = SIMD2<Double>(repeating: -6)
    for _ in 0..<12 {
      sum += [Double.random(in: 0..<1, using: &random), Double.random(in: 0..<1, using: &random)]
    }
    return sum
  }
}
