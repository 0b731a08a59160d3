internal import CupolaCampus
internal import CupolaGuide

/// The outline of an area in meters, for comparisons that need no exact arithmetic.
struct AreaFrame {
  private let origin: SIMD2<Int>
  private let scale: SIMD2<Double>
  private let rings: [[SIMD2<Double>]]

  init?(_ rings: [[SIMD2<Int>]]) {
    guard let first = rings.first?.first else { return nil }
    origin = first
    let unit = LocalPlane.metersPerDegree / 1e7
    scale = [unit * max(0.01, Degrees.sinCos(Double(first.y) / 1e7).cos), unit]
    let (origin, scale) = (origin, scale)
    self.rings = rings.map { $0.map { SIMD2<Double>($0 &- origin) * scale } }
  }

  func meters(_ point: SIMD2<Int>) -> SIMD2<Double> { SIMD2<Double>(point &- origin) * scale }

  func point(_ place: SIMD2<Double>) -> SIMD2<Int> {
    let steps = (place / scale).rounded(.toNearestOrEven)
    return origin &+ [Int(saturating: steps.x), Int(saturating: steps.y)]
  }

  func covers(_ place: SIMD2<Double>) -> Bool { rings.enclose(place) }

  /// Whether a point is on the area or at most 5 cm outside.
  func isWithin(_ point: SIMD2<Int>) -> Bool {
    let place = meters(point)
    return covers(place) || distance(toOutline: place) <= 0.05
  }

  func distance(toOutline place: SIMD2<Double>) -> Double {
    rings.map { SegmentDistance.nearest(to: place, of: $0).distance }.min() ?? .infinity
  }
}
