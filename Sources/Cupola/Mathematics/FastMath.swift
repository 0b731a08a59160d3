#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Row functions that vectorize.
enum FastMath {
  /// Turns scores plus constants into probabilities; returns the logarithm of their sum of powers.
  static func softmax(
    _ scores: inout MutableSpan<Float>, adding constants: Span<Float>
  ) -> Float {
    let (top, lanes) = WideRows.powers(&scores, adding: constants)
    let sum = lanes.sum()
    let scale = 1 / sum
    for index in 0..<scores.count { scores[index] *= scale }
    return top + logf(sum)
  }

  /// `exp(x)` for `x <= 0`, within 2 units in the last place; 0 below -69, where it is 1e-30.
  ///
  /// Products with smaller powers would be subnormal, for which Intel's processors take 75 times as long: of a patch most
  /// components have no more.
  ///
  /// `x = n log 2 + r` by the rounding of a large addition, a polynomial for `exp(r)` (Cephes), and
  /// `2^n` by its bits: no branch, no conversion, so loops over it vectorize.
  @inline(__always)
  static func exponential(_ x: Float) -> Float {
    // What is thrown away below is not to be subnormal on the way either.
    let clamped = x > -87 ? x : -87
    let rounder: Float = 12_582_912
    let shifted = clamped * 1.442_695 + rounder
    let n = shifted - rounder
    let r = (clamped - n * 0.693_359_375) - n * -2.121_944_4e-4
    var p: Float = 1.987_569_2e-4
    p = p * r + 1.398_2e-3
    p = p * r + 8.333_452e-3
    p = p * r + 4.166_579_6e-2
    p = p * r + 0.166_666_66
    p = p * r + 0.5
    let power = p * (r * r) + r + 1
    let exponent = (Int32(bitPattern: shifted.bitPattern) &- 0x4B40_0000 &+ 127) &<< 23
    return x < -69 ? 0 : power * Float(bitPattern: UInt32(bitPattern: exponent))
  }
}
