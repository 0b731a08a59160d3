import Cupola

/// Plausible routes, made by a seed.
struct RouteGenerator {
  /// The forms of routes.
  enum Form: CaseIterable { case grid, curved, hairpins, figureEight, sameBlockTwice }

  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// Corners in meters toward east and north.
  mutating func corners(_ form: Form) -> [SIMD2<Double>] {
    switch form {
    case .grid: grid()
    case .curved: curved()
    case .hairpins: hairpins()
    case .figureEight: figureEight()
    case .sameBlockTwice: sameBlockTwice()
    }
  }

  private mutating func number(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &random)
  }

  private mutating func turned(_ path: [SIMD2<Double>]) -> [SIMD2<Double>] {
    let angle = number(0...6.28)
    let (sine, cosine) = (angle.sine, angle.cosine)
    return path.map { [cosine * $0.x - sine * $0.y, sine * $0.x + cosine * $0.y] }
  }

  /// Streets whose parallels are 30 m apart or a multiple of that.
  private mutating func grid() -> [SIMD2<Double>] {
    var path: [SIMD2<Double>] = [.zero]
    var direction = SIMD2<Double>(0, 1)
    for _ in 0..<Int.random(in: 4...8, using: &random) {
      let blocks = Double(Int.random(in: 1...4, using: &random))
      path.append(path[path.count - 1] + 30 * blocks * direction)
      let side: Double = Bool.random(using: &random) ? 1 : -1
      direction = [side * direction.y, -side * direction.x]
    }
    return turned(path)
  }

  /// A path of a park, a point about each 10 m.
  private mutating func curved() -> [SIMD2<Double>] {
    var path: [SIMD2<Double>] = [.zero]
    var (angle, bend) = (number(0...6.28), 0.0)
    for _ in 0..<Int.random(in: 30...55, using: &random) {
      bend = 0.8 * bend + number(-0.09...0.09)
      angle += bend
      path.append(path[path.count - 1] + number(8...12) * SIMD2(angle.sine, angle.cosine))
    }
    return path
  }

  /// Up one street, and down the one 30 m beside it.
  private mutating func hairpins() -> [SIMD2<Double>] {
    var path: [SIMD2<Double>] = [.zero]
    let length = number(80...140)
    for turn in 0..<Int.random(in: 3...4, using: &random) {
      let up: Double = turn % 2 == 0 ? length : 0
      path.append([Double(turn) * 30, up])
      path.append([Double(turn + 1) * 30, up])
    }
    path.append([path[path.count - 1].x, length / 2])
    return turned(path)
  }

  private mutating func figureEight() -> [SIMD2<Double>] {
    let size = number(60...120)
    return turned([
      [0, -size], [0, 0], [0, size], [size, size], [size, 0], [0, 0], [-size, 0], [-size, -size],
      [-size / 3, -size],
    ])
  }

  private mutating func sameBlockTwice() -> [SIMD2<Double>] {
    let (a, b) = (number(60...100), number(50...80))
    return turned([
      [0, -50], [0, 0], [0, a], [b, a], [b, 0], [0, 0], [0, a], [-60, a],
    ])
  }
}

extension Double {
  var sine: Double { Degree.sinCos(self).sin }
  var cosine: Double { Degree.sinCos(self).cos }
}
