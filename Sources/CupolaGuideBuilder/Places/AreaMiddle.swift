internal import CupolaGuide

/// A point inside of an area where a name can stand.
struct AreaMiddle {
  /// The middle of the longest horizontal piece near the height of the centroid: inside of any area with some ground.
  ///
  /// - Parameter rings: the outer ring and holes, meters.
  static func point(of rings: [[SIMD2<Double>]]) -> SIMD2<Double> {
    let ring = rings[0]
    let centroid = centroid(of: ring)
    let low = ring.map(\.y).min() ?? 0
    let high = ring.map(\.y).max() ?? 0
    var best: (length: Double, point: SIMD2<Double>)?
    for share in [0, -0.1, 0.1, -0.25, 0.25] {
      let y = centroid.y + share * (high - low)
      let walls = rings.flatMap { crossings(of: $0, at: y) }.sorted()
      for pair in stride(from: 0, to: walls.count - 1, by: 2) {
        let length = walls[pair + 1] - walls[pair]
        if length > 1.2 * (best?.length ?? 0) {
          best = (length, [(walls[pair] + walls[pair + 1]) / 2, y])
        }
      }
    }
    return best?.point ?? centroid
  }

  private static func crossings(of ring: [SIMD2<Double>], at y: Double) -> [Double] {
    zip(ring, ring.dropFirst() + ring.prefix(1)).compactMap { one, other in
      guard (one.y > y) != (other.y > y) else { return nil }
      return one.x + (y - one.y) * (other.x - one.x) / (other.y - one.y)
    }
  }

  private static func centroid(of ring: [SIMD2<Double>]) -> SIMD2<Double> {
    var (area, sum) = (0.0, SIMD2<Double>.zero)
    for (one, other) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
      let cross = one.x * other.y - other.x * one.y
      area += cross
      sum += (one + other) * cross
    }
    if area.magnitude > 1e-9 { return sum / (3 * area) }
    return ring.reduce(.zero, +) / Double(ring.count)
  }
}
