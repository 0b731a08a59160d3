internal import CupolaSupport

/// An order in which places near each other mostly follow each other, along the curve of Morton (1966): boxes around runs
/// of such places are small.
enum MortonOrder {
  /// The numbers of places in that order; those at one place in their own.
  static func indices(of places: [SIMD2<Double>]) -> [Int] {
    let low = places.reduce(SIMD2(repeating: .infinity)) { pointwiseMin($0, $1) }
    let high = places.reduce(SIMD2(repeating: -.infinity)) { pointwiseMax($0, $1) }
    let step = max(high.x - low.x, high.y - low.y) / Double(UInt32.max)
    let keys = places.map { place in
      let steps = (place - low) / step
      return spread(steps.x) << 1 | spread(steps.y)
    }
    return places.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
  }

  /// The bits of a number with a zero before each.
  private static func spread(_ value: Double) -> UInt64 {
    var bits = UInt64(min(max(0, Int(saturating: value)), Int(UInt32.max)))
    for (shift, mask) in [
      (16, 0x0000_FFFF_0000_FFFF), (8, 0x00FF_00FF_00FF_00FF), (4, 0x0F0F_0F0F_0F0F_0F0F),
      (2, 0x3333_3333_3333_3333), (1, 0x5555_5555_5555_5555),
    ] as [(UInt64, UInt64)] {
      bits = (bits | bits << shift) & mask
    }
    return bits
  }
}
