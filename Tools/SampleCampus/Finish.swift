/// The material of a surface, and the openings in it.
struct Finish {
  enum Pattern {
    case plain, brick, blocks, panels, curtain, tiles, seams, foliage, planks, posters, fluted,
      bicycle
  }

  var pattern = Pattern.plain
  var color: Vector
  var trim = Vector(0.6, 0.56, 0.48)
  var windows = Openings.none
  var upper = Openings.none
  var door = Openings.none
  var plinth = 0.0
  var cornice = 0.0
  var course = 0.0
  var quoins = false
  var gloss = 0.0
  var lamp = 0.0

  init(_ pattern: Pattern = .plain, _ color: Vector) {
    self.pattern = pattern
    self.color = color
  }

  func paint(_ spot: Spot, lit: Double) -> Paint {
    if spot.face != .top {
      if spot.face == .front || spot.face == .round, let found = door.paint(spot, lit: lit) {
        return found
      }
      if let found = windows.paint(spot, lit: lit) { return found }
      if let found = upper.paint(spot, lit: lit) { return found }
      if let edge = edgeColor(spot) { return Paint(color: edge) }
    }
    var paint = texture(spot, lit: lit)
    if lamp > 0, lit > 0 { paint.glow = paint.glow + Vector(1, 0.8, 0.45) * lamp }
    return paint
  }

  private func edgeColor(_ spot: Spot) -> Vector? {
    if plinth > 0, spot.v < plinth { return trim * 0.7 }
    if cornice > 0, spot.v > spot.height - cornice {
      return trim * (spot.v > spot.height - cornice * 0.3 ? 1.05 : 0.85)
    }
    if course > 0 {
      let near = spot.v - course * (spot.v / course).rounded()
      if abs(near) < 0.14, spot.v > 1 { return trim }
    }
    if quoins, spot.face != .round {
      let long = Noise.floor(spot.v / 0.55) & 1 == 0
      if abs(spot.u) > spot.width / 2 - (long ? 0.95 : 0.55) { return trim * 0.95 }
    }
    return nil
  }

  private func texture(_ s: Spot, lit: Double) -> Paint {
    let weather = 0.88 + 0.24 * Noise.smooth(s.u * 0.23, s.v * 0.23, s.seed)
    let base = color * weather
    switch pattern {
    case .plain: return Paint(color: base, gloss: gloss)
    case .brick: return Paint(color: masonry(s, base, long: 0.42, high: 0.16, joint: 0.035))
    case .blocks: return Paint(color: masonry(s, base, long: 1.5, high: 0.62, joint: 0.05))
    case .tiles: return Paint(color: masonry(s, base, long: 0.5, high: 0.42, joint: -0.07))
    case .panels: return Paint(color: masonry(s, base, long: 3, high: 1.8, joint: 0.06))
    case .curtain: return curtain(s, lit: lit)
    case .seams: return Paint(color: base * (1 - 0.35 * repeated(s.u, 0.8, 0.08, s)), gloss: gloss)
    case .fluted: return Paint(color: base * (1 - 0.3 * repeated(s.u, 0.4, 0.14, s)))
    case .planks: return Paint(color: base * (1 - 0.5 * repeated(s.v, 0.16, 0.02, s)))
    case .foliage:
      let leaf = Noise.fractal(s.u * 2.1, s.v * 2.1, s.seed)
      return Paint(color: color * (0.2 + 1.5 * leaf))
    case .posters: return Paint(color: poster(s))
    case .bicycle:
      let x = abs(s.u) - Bicycle.hub
      let y = s.v - Bicycle.hubHeight
      let isWheel = x * x + y * y > 0.075 && x * x + y * y < 0.13
      return Paint(color: isWheel ? Vector(gray: 0.03) : color)
    }
  }

  private func repeated(_ x: Double, _ step: Double, _ width: Double, _ s: Spot) -> Double {
    stripe(x - step * (x / step).rounded(), 0, width, s.footprint)
  }

  /// Courses of bricks, stones or tiles. A negative joint is the dark lower edge of a roof tile.
  private func masonry(
    _ s: Spot, _ base: Vector, long: Double, high: Double, joint: Double
  ) -> Vector {
    let fade = (1.3 - s.footprint / high * 2).clamped
    if fade == 0 { return base }
    let row = Noise.floor(s.v / high)
    let shifted = s.u + (row & 1 == 0 ? 0 : long / 2)
    let column = Noise.floor(shifted / long)
    let tint = 1 + (Noise.hash(column, row, s.seed) - 0.5) * 0.3 * fade
    let bed = repeated(s.v, high, abs(joint), s)
    if joint < 0 { return base * (tint - 0.45 * bed * fade) }
    let head = repeated(shifted, long, joint, s)
    return (base * tint).mixed(with: trim * 0.7, max(bed, head) * 0.6 * fade)
  }

  /// Glass panes between thin bars. Lamps illuminate whole rooms.
  private func curtain(_ s: Spot, lit: Double) -> Paint {
    let column = Noise.floor(s.u / 1.6)
    let row = Noise.floor(s.v / 1.9)
    let chance = Noise.hash(column, row, s.seed)
    let bars = max(repeated(s.u, 1.6, 0.12, s), repeated(s.v, 1.9, 0.14, s))
    let glass = color * (0.75 + 0.5 * chance)
    let floor = Noise.hash(column / 4, row / 2, s.seed + 5)
    let warm = floor < lit ? Vector(0.95, 0.75, 0.42) * (0.3 + 0.5 * chance) : Vector(gray: 0)
    return Paint(
      color: glass.mixed(with: trim, bars), gloss: gloss * (1 - bars), glow: warm * (1 - bars))
  }

  private func poster(_ s: Spot) -> Vector {
    let column = Noise.floor(s.u / 0.36)
    let row = Noise.floor(s.v / 0.46)
    let kind = Noise.hash(column, row, s.seed)
    let x = s.u / 0.36 - Double(column) - 0.5 + (kind - 0.5) * 0.12
    let y = s.v / 0.46 - Double(row) - 0.5
    if kind < 0.15 || abs(x) > 0.38 || abs(y) > 0.4 { return color }
    let paper =
      kind < 0.55
      ? Vector(0.8, 0.79, 0.74)
      : Vector(0.25 + Noise.hash(column, row, 7), Noise.hash(column, row, 8), 0.3) * 0.7
    let line = repeated(s.v, 0.05, 0.02, s) > 0.4 && abs(x) < 0.3 && abs(y) < 0.28
    return line ? paper * 0.35 : paper
  }
}
