import Cupola

/// Noise of many scales: octaves of value noise, each with `gain` times the strength of the coarser one.
///
/// A gain near 1 has as much detail as a photograph of foliage, a small one is as smooth as fog. Only
/// sums and products, so that it comes out the same everywhere.
struct FractalNoise {
  /// Pixels between the grid's corners in the coarsest octave, across and down.
  let across: Double
  let down: Double
  let gain: Double
  let octaves: Int
  private let seed: Int
  private let scale: Double

  /// Value noise of one octave has about this standard deviation.
  private static let deviation = 0.22

  init(
    across: Double, down: Double, gain: Double, octaves: Int = 7, using random: inout SplitMix64
  ) {
    self.across = across
    self.down = down
    self.gain = gain
    self.octaves = octaves
    seed = random.whole(0...1_000_000) * 16
    var (power, strength) = (0.0, 1.0)
    for _ in 0..<octaves {
      power += strength * strength
      strength *= gain
    }
    scale = 1 / (Self.deviation * power.squareRoot())
  }

  /// About normal with mean 0 and standard deviation 1.
  func value(_ x: Double, _ y: Double) -> Double {
    var (sum, strength, u, v) = (0.0, 1.0, x / across, y / down)
    for octave in 0..<octaves {
      sum += strength * (Noise.smooth(u, v, seed + octave) - 0.5)
      strength *= gain
      u *= 2.03
      v *= 2.03
    }
    return sum * scale
  }
}
