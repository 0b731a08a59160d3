import Cupola

/// Fractal noise: a sum of octaves of value noise. Each octave's amplitude is `gain` times that of the next coarser
/// octave.
///
/// With a gain near 1, the noise is detailed like foliage; with a small gain, it is smooth like fog. Uses only sums and
/// products, so results are the same on all machines.
struct FractalNoise {
  /// Pixels between grid corners in the coarsest octave, horizontally and vertically.
  let across: Double
  let down: Double
  let gain: Double
  let octaves: Int
  private let seed: Int
  private let scale: Double

  /// The approximate standard deviation of one octave of value noise.
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

  /// Returns noise that is approximately normal, with mean 0 and standard deviation 1.
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
