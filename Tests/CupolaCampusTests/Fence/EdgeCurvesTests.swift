import Cupola
import Testing

@testable import CupolaCampus

@Suite("Edge curves") struct EdgeCurvesTests {
  @Test("Without edges, or with none within reach, there is no nearest point")
  func none() throws {
    let place = SurfacePoint(latitude: 48, longitude: 10).point
    #expect(EdgeCurves([]).nearestPoint(to: place) == nil)
    let curves = EdgeCurves([MapSegment([10, 48.01], [10.01, 48.01])])
    #expect(curves.nearestPoint(to: place, within: 1112) != nil)
    #expect(curves.nearestPoint(to: place, within: 1111) == nil)
  }

  @Test("The nearest point is that of a fine walk along every edge", arguments: 1...30)
  func twin(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    func number(_ low: Double, _ high: Double) -> Double {
      Double.random(in: low...high, using: &generator)
    }
    let middle = SIMD2<Double>(number(-180, 180), number(-80, 80))
    let reach: Double = [0.0005, 0.02, 1, 5].randomElement(using: &generator) ?? 1
    func point() -> SIMD2<Double> {
      middle + SIMD2<Double>(number(-reach, reach), number(-reach, reach))
    }
    let lines = (0..<5).map { _ in MapSegment(point(), point()) }
    let place = SurfacePoint(point()).point
    func meters(_ point: SIMD2<Double>) -> Double {
      let rest = SurfacePoint(point).point - place
      return (rest * rest).sum().squareRoot()
    }
    let found = meters(try #require(EdgeCurves(lines).nearestPoint(to: place)))
    let walked = lines.flatMap { line in
      (0...4000).map { meters(line.point(Double($0) / 4000)) }
    }
    let best = try #require(walked.min())
    #expect(found <= best * (1 + 1e-10) + 1e-6)
    // Between two steps the walk misses less than that.
    let step = lines.map { $0.length / 4000 * 111_700 }.max() ?? 0
    #expect(found >= best - step)
  }

  @Test("Of many edges the nearest point is the nearest of each alone", arguments: 1...8)
  func many(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let middle = SIMD2<Double>(179.99, Double.random(in: -80...80, using: &generator))
    let corners = (0...300).map { corner -> SIMD2<Double> in
      let (sine, cosine) = Degrees.sinCos(Double(corner % 300) * 1.2)
      return middle + SIMD2(sine, cosine) * Double.random(in: 0.01...0.03, using: &generator)
    }
    let lines = MapSegment.path(corners)
    let curves = EdgeCurves(lines)
    let alone = lines.map { EdgeCurves([$0]) }
    for _ in 0..<30 {
      func offset() -> Double { Double.random(in: -0.06...0.06, using: &generator) }
      let place = SurfacePoint(middle + SIMD2<Double>(offset(), offset())).point
      func meters(_ point: SIMD2<Double>) -> Double {
        let rest = SurfacePoint(point).point - place
        return (rest * rest).sum().squareRoot()
      }
      let found = meters(try #require(curves.nearestPoint(to: place)))
      let best = try #require(
        alone.compactMap { $0.nearestPoint(to: place).map(meters) }.min())
      #expect((found - best).magnitude <= 1e-6)
      #expect(curves.nearestPoint(to: place, within: best - 0.01) == nil)
    }
  }

  @Test("Of many edges few are looked at")
  func work() throws {
    let count = 100_000
    let circle = (0...count).map { corner -> SIMD2<Double> in
      let (sine, cosine) = Degrees.sinCos(360 * Double(corner % count) / Double(count))
      return [10 + cosine, 48 + sine]
    }
    let curves = EdgeCurves(MapSegment.path(circle))
    for step in 0..<100 {
      let place = SurfacePoint(latitude: 48, longitude: 12 + Double(step) * 0.004).point
      var work = 0
      let found = try #require(curves.nearestPoint(to: place, &work))
      #expect((10.99...11).contains(found.x) && work < 1000)
    }
  }

  @Test("On a circle around the place any point will do, and is found at once")
  func circle() throws {
    let ring = MapSegment([-180, 70], [180, 70])
    let pole = SurfacePoint(latitude: 90, longitude: 0).point
    let found = try #require(EdgeCurves([ring]).nearestPoint(to: pole))
    #expect(found.y == 70 && found.x.magnitude <= 180)
  }
}
