import Cupola
import Testing

@testable import CupolaCampus

@Suite("Exact orientation") struct ExactOrientationTests {
  /// Multiples of 2⁻⁵³, so that the determinant fits 128 bits.
  static func point(_ x: Int, _ y: Int) -> MapPoint {
    MapPoint(longitude: Double(x) * 0x1p-53, latitude: Double(y) * 0x1p-53)
  }

  static func exactSign(_ a: (Int, Int), _ b: (Int, Int), _ c: (Int, Int)) -> Int {
    let left = Int128(a.0 - c.0) * Int128(b.1 - c.1)
    let right = Int128(a.1 - c.1) * Int128(b.0 - c.0)
    return left == right ? 0 : left > right ? 1 : -1
  }

  /// Half a degree and up to 255 steps of the last digit, against a line of slope one: rounded
  /// arithmetic calls these left, right and on the line in a motley pattern (Kettner et al. 2008).
  @Test("Points a last digit beside a line are told apart")
  func kettner() {
    let one = 1 << 53
    let (b, c) = ((12 * one, 12 * one), (24 * one, 24 * one))
    var signs: Set<Int> = []
    for dx in 0..<64 {
      for dy in 0..<64 {
        let a = (one / 2 + dx, one / 2 + dy)
        let sign = ExactOrientation.sign(
          Self.point(a.0, a.1), Self.point(b.0, b.1), Self.point(c.0, c.1))
        #expect(sign == Self.exactSign(a, b, c))
        signs.insert(sign)
      }
    }
    #expect(signs == [-1, 0, 1])
  }

  @Test("Random points near a line are on the side that integers say")
  func random() {
    var generator = SplitMix64(seed: 1997)
    for _ in 0..<20_000 {
      let a = (
        Int.random(in: -(1 << 58)...(1 << 58), using: &generator) >> 6,
        Int.random(in: -(1 << 58)...(1 << 58), using: &generator) >> 6
      )
      let step = (
        Int.random(in: -1000...1000, using: &generator),
        Int.random(in: -1000...1000, using: &generator)
      )
      let times = (
        Int.random(in: 1...(1 << 40), using: &generator),
        Int.random(in: 1...(1 << 40), using: &generator)
      )
      // In line but for the last digits, as far as doubles hold them.
      func along(_ k: Int) -> (Int, Int) {
        let noise = Int.random(in: -1...1, using: &generator)
        let exact = (a.0 + step.0 * k + noise, a.1 + step.1 * k)
        return (Int(Double(exact.0)), Int(Double(exact.1)))
      }
      let points = [(Int(Double(a.0)), Int(Double(a.1))), along(times.0), along(times.1)]
      let sign = ExactOrientation.sign(
        Self.point(points[0].0, points[0].1), Self.point(points[1].0, points[1].1),
        Self.point(points[2].0, points[2].1))
      #expect(sign == Self.exactSign(points[0], points[1], points[2]))
    }
  }

  @Test("A turn of 360 degrees loses nothing")
  func tails() {
    // 1e-20 vanishes in 360 + 1e-20, and must not.
    let tiny = MapPoint(longitude: 1e-20, latitude: 0, turns: 1)
    #expect(tiny.x == 360 && tiny.tail == 1e-20)
    let south = MapPoint(longitude: 0, latitude: -1, turns: 1)
    let north = MapPoint(longitude: 0, latitude: 1, turns: 1)
    #expect(ExactOrientation.sign(south, north, tiny) == -1)
    let line = MapPoint(longitude: 0, latitude: 0, turns: 1)
    #expect(ExactOrientation.sign(south, north, line) == 0)
    #expect(
      ExactOrientation.sign(south, north, MapPoint(longitude: -1e-20, latitude: 0, turns: 1)) == 1)
    #expect(line.isWest(of: tiny) && !tiny.isWest(of: line))
  }

  @Test("The smallest numbers have a side too")
  func smallest() {
    let tiny = Double.leastNonzeroMagnitude
    let origin = MapPoint(longitude: 0, latitude: 0)
    let corner = MapPoint(longitude: 3, latitude: 1)
    for (x, y, side) in [(tiny, 0, -1), (0, tiny, 1), (3 * tiny, tiny, 0), (-tiny, 0, 1)] {
      let place = MapPoint(longitude: x, latitude: y)
      #expect(ExactOrientation.sign(origin, corner, place) == side)
    }
  }
}
