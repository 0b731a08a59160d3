internal import Cupola

/// The errors of a phone's positions: four fifths of the variance fade by a tenth a second, the rest is new
/// each time.
package struct PositionNoise {
  private let deviation: Double
  /// The radius that the phone gives, sometimes wrong by 30 %.
  package let reported: Double
  private var slow: SIMD2<Double>
  private var random: SplitMix64

  /// - Parameter radius: meters within which 68 % of the errors are.
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

  /// Two numbers that are nearly of the standard normal distribution: sums of twelve uniform ones.
  private mutating func normal() -> SIMD2<Double> {
    var sum = SIMD2<Double>(repeating: -6)
    for _ in 0..<12 {
      sum += [Double.random(in: 0..<1, using: &random), Double.random(in: 0..<1, using: &random)]
    }
    return sum
  }
}
