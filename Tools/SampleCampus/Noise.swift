/// Reproducible noise in 0..<1 from integer hashing.
enum Noise {
  static func hash(_ x: Int, _ y: Int, _ seed: Int) -> Double {
    var h =
      UInt32(truncatingIfNeeded: x) &* 0x85eb_ca6b
      ^ (UInt32(truncatingIfNeeded: y) &+ 0x9e37_79b9) &* 0xc2b2_ae35
      ^ (UInt32(truncatingIfNeeded: seed) &+ 0x7f4a_7c15) &* 0x27d4_eb2f
    h ^= h >> 15
    h = h &* 0x2c1b_3c6d
    h ^= h >> 12
    h = h &* 0x297a_2d39
    h ^= h >> 15
    return Double(h) / 4_294_967_296
  }

  static func floor(_ x: Double) -> Int {
    let whole = Int(x)
    return Double(whole) > x ? whole - 1 : whole
  }

  /// Value noise: interpolation between the hashed corners of a unit grid.
  static func smooth(_ x: Double, _ y: Double, _ seed: Int) -> Double {
    let i = floor(x)
    let j = floor(y)
    var s = x - Double(i)
    var t = y - Double(j)
    s = s * s * (3 - 2 * s)
    t = t * t * (3 - 2 * t)
    let low = hash(i, j, seed) * (1 - s) + hash(i + 1, j, seed) * s
    let high = hash(i, j + 1, seed) * (1 - s) + hash(i + 1, j + 1, seed) * s
    return low * (1 - t) + high * t
  }

  static func fractal(_ x: Double, _ y: Double, _ seed: Int) -> Double {
    smooth(x, y, seed) * 0.53 + smooth(x * 2.1, y * 2.1, seed + 1) * 0.26
      + smooth(x * 4.3, y * 4.3, seed + 2) * 0.14 + smooth(x * 8.9, y * 8.9, seed + 3) * 0.07
  }
}
