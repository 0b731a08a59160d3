#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How much light a sample stands for: the curves of ICC.1:2022, 10.6 and 10.18.
enum ToneCurve: Sendable {
  /// Light at equal steps of the sample, 0...1; two at least.
  case table([Double])
  /// `c * x + f` below `d`, and `(a * x + b) ^ gamma + e` from there on.
  case parametric(gamma: Double, a: Double, b: Double, c: Double, d: Double, e: Double, f: Double)

  /// IEC 61966-2-1.
  static let sRGB = ToneCurve.parametric(
    gamma: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.04045, e: 0, f: 0)

  /// A power of the sample.
  static func power(_ gamma: Double) -> ToneCurve {
    .parametric(gamma: gamma, a: 1, b: 0, c: 0, d: 0, e: 0, f: 0)
  }

  /// The light, 0...1, of a sample, 0...1.
  func light(_ x: Double) -> Double {
    switch self {
    case .table(let values):
      let place = x * Double(values.count - 1)
      let below = min(Int(place), values.count - 2)
      let share = place - Double(below)
      return values[below] * (1 - share) + values[below + 1] * share
    case .parametric(let gamma, let a, let b, let c, let d, let e, let f):
      return x < d ? c * x + f : pow(max(a * x + b, 0), gamma) + e
    }
  }

  /// The sRGB sample, 0...1, of some light, 0...1.
  static func sRGBSample(_ light: Double) -> Double {
    light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
  }
}
