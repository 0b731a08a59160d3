import Cupola
import Testing
@testable import CupolaCampus

@Suite("Map segment") struct MapSegmentTests {
  typealias Contact = MapSegment.Contact

  static func segment(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> MapSegment {
    MapSegment([a, b], [c, d])
  }

  // MARK: - A ray

  /// Points one unit in the last place apart, around a line of slope 1. Floating-point tests
  /// classify them inconsistently (Kettner et al. 2008).
  @Test("A place next to a line is on it, for both directions")
  func lastDigit() {
    for line in [Self.segment(12, 12, -24, -24), Self.segment(-24, -24, 12, 12)] {
      for dx in 0..<32 {
        for dy in 0..<32 {
          let place = SIMD2(0.5 + Double(dx) * 0x1p-53, 0.5 + Double(dy) * 0x1p-53)
          #expect(line.crossing(rayFrom: place) == .boundary)
        }
      }
    }
  }

  @Test("The width of a line is its tolerance")
  func tolerance() {
    var generator = SplitMix64(seed: 1997)
    func number(_ low: Double, _ high: Double) -> Double {
      Double.random(in: low...high, using: &generator)
    }
    for _ in 0..<20_000 {
      let start = SIMD2<Double>(number(-540, 540), number(-90, 90))
      let length: Double = [1e-4, 1e-2, 1, 90].randomElement(using: &generator) ?? 1
      let way = SIMD2<Double>(number(-length, length), number(0, length))
      let line = MapSegment(start, start + way)
      // The ends of vertical and horizontal lines are exact.
      guard line.vector.x.magnitude > 0.01 * length, line.vector.y > 0.01 * length else { continue }
      let left = SIMD2(-line.vector.y, line.vector.x) / line.length
      let foot = line.point(number(0.1, 0.9))
      #expect(line.crossing(rayFrom: foot) == .boundary)
      for share in [-0.9, 0.9] {
        #expect(line.crossing(rayFrom: foot + share * MapSegment.tolerance * left) == .boundary)
      }
      #expect(line.crossing(rayFrom: foot + 1.1 * MapSegment.tolerance * left) == .crossed)
      #expect(line.crossing(rayFrom: foot - 1.1 * MapSegment.tolerance * left) == .missed)
    }
  }

  @Test("A ray through an endpoint counts only the southern end")
  func ends() {
    for line in [Self.segment(1, 0, 3, 4), Self.segment(3, 4, 1, 0)] {
      #expect(line.crossing(rayFrom: [0, 0]) == .crossed)
      #expect(line.crossing(rayFrom: [0, 4]) == .missed)
      #expect(line.crossing(rayFrom: [1, 0]) == .boundary)
      #expect(line.crossing(rayFrom: [3, 4]) == .boundary)
      #expect(line.crossing(rayFrom: [4, 2]) == .missed)
    }
    let flat = Self.segment(3, 4, 1, 4)
    #expect(flat.crossing(rayFrom: [2, 4]) == .boundary)
    #expect(
      flat.crossing(rayFrom: [0, 4]) == .missed && flat.crossing(rayFrom: [4, 4]) == .missed)
  }

  // MARK: - Another line

  @Test("Classifies contacts of lines")
  func contacts() {
    let line = Self.segment(0, 0, 8, 4)
    for (other, contact) in [
      (Self.segment(0, 1, 8, 5), Contact.none), (Self.segment(0, 1, 1, 2), .none),
      (Self.segment(10, 5, 12, 6), .none), (Self.segment(3, 4, 5, 0), .crossing(0.5)),
      (Self.segment(4, 2, 4, 9), .touch(0.5)), (Self.segment(9, 1, 4, 2), .touch(0.5)),
      (Self.segment(8, 4, 9, 9), .touch(1)), (Self.segment(-3, 3, 3, -3), .touch(0)),
      (Self.segment(8, 4, 10, 5), .touch(1)), (Self.segment(6, 3, 2, 1), .overlap(0.25...0.75)),
      (Self.segment(-2, -1, 4, 2), .overlap(0...0.5)), (Self.segment(0, 0, 8, 4), .overlap(0...1)),
    ] {
      #expect(line.contact(with: other) == contact, "\(other)")
    }
  }

  @Test("Random lines on a lattice agree with integer arithmetic")
  func lattice() {
    var generator = SplitMix64(seed: 7)
    func point() -> (Int, Int) {
      (Int.random(in: 0...6, using: &generator), Int.random(in: 0...6, using: &generator))
    }
    func area(_ a: (Int, Int), _ b: (Int, Int), _ c: (Int, Int)) -> Int {
      ((b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)).signum()
    }
    for _ in 0..<20_000 {
      let (a, b, c, d) = (point(), point(), point(), point())
      guard a != b, c != d else { continue }
      func holds(_ a: (Int, Int), _ b: (Int, Int), _ c: (Int, Int)) -> Bool {
        area(a, b, c) == 0 && (min(a.0, b.0)...max(a.0, b.0)).contains(c.0)
          && (min(a.1, b.1)...max(a.1, b.1)).contains(c.1)
      }
      let crosses =
        area(a, b, c) * area(a, b, d) < 0 && area(c, d, a) * area(c, d, b) < 0
      let shared = [a, b].filter { holds(c, d, $0) } + [c, d].filter { holds(a, b, $0) }
      let contact = Self.segment(Double(a.0), Double(a.1), Double(b.0), Double(b.1))
        .contact(with: Self.segment(Double(c.0), Double(c.1), Double(d.0), Double(d.1)))
      switch contact {
      case .none: #expect(!crosses && shared.isEmpty)
      case .crossing: #expect(crosses)
      case .touch: #expect(!shared.isEmpty && shared.allSatisfy { $0 == shared[0] })
      case .overlap: #expect(shared.contains { $0 != shared[0] })
      }
    }
  }
}

@Suite("Edge curves") struct EdgeCurvesTests {
  @Test("Returns nil without edges within reach")
  func none() throws {
    let place = SurfacePoint(latitude: 48, longitude: 10).point
    #expect(EdgeCurves([]).nearestPoint(to: place) == nil)
    let curves = EdgeCurves([MapSegment([10, 48.01], [10.01, 48.01])])
    #expect(curves.nearestPoint(to: place, within: 1112) != nil)
    #expect(curves.nearestPoint(to: place, within: 1111) == nil)
  }

  @Test("The nearest point agrees with dense sampling", arguments: 1...30)
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
    // The sampling error.
    let step = lines.map { $0.length / 4000 * 111_700 }.max() ?? 0
    #expect(found >= best - step)
  }

  @Test("The nearest point of many edges is the nearest of each", arguments: 1...8)
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

  @Test("Tests few of many edges")
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

  @Test("Finds a point on a circle around the place quickly")
  func circle() throws {
    let ring = MapSegment([-180, 70], [180, 70])
    let pole = SurfacePoint(latitude: 90, longitude: 0).point
    let found = try #require(EdgeCurves([ring]).nearestPoint(to: pole))
    #expect(found.y == 70 && found.x.magnitude <= 180)
  }
}
