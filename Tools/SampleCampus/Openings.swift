/// The appearance of a point on a surface, without lighting.
struct Paint {
  var color: Vector
  var gloss = 0.0
  var glow = Vector(gray: 0)
}

/// A grid of windows, doors or other openings in a wall.
struct Openings {
  enum Kind { case none, glass, door, void, clock, rose }
  enum Head { case flat, arch, pointed, disc }

  var kind = Kind.none
  var head = Head.flat
  var width = 1.2
  var height = 1.8
  /// The distance between the centers of adjacent openings.
  var bay = 3.0
  var floor = 3.6
  /// The height of the lowest sill above the solid's base.
  var sill = 1.2
  var rows = 1
  /// The maximum number of openings per row. If they do not fit, there are fewer.
  var columns = 99
  var panesX = 2.0
  var panesY = 2.0
  var trim = 0.16
  var frame = Vector(0.8, 0.78, 0.72)
  var leaf = Vector(0.16, 0.08, 0.04)

  static let none = Openings()

  /// The paint at a spot; `nil` outside the openings.
  func paint(_ spot: Spot, lit: Double) -> Paint? {
    if kind == .none { return nil }
    let fitting = min(columns, Noise.floor((spot.width - 0.4) / bay + 0.25))
    if fitting < 1 { return nil }
    let along = spot.u + Double(fitting) * bay / 2
    let column = Noise.floor(along / bay)
    let rise = (spot.v - sill + trim) / floor
    let row = Noise.floor(rise)
    if column < 0 || column >= fitting || row < 0 || row >= rows { return nil }
    let x = along - (Double(column) + 0.5) * bay
    let y = spot.v - sill - Double(row) * floor
    if !contains(x, y, grown: trim) { return nil }
    if !contains(x, y, grown: 0) { return Paint(color: frame * (y < 0 ? 1.1 : 0.95)) }
    let chance = Noise.hash(column, row, spot.seed)
    return inside(x, y, chance: chance, lit: lit, footprint: spot.footprint)
  }

  private func contains(_ x: Double, _ y: Double, grown: Double) -> Bool {
    let half = width / 2 + grown
    if abs(x) > half || y < -grown || y > height + grown { return false }
    switch head {
    case .flat: return true
    case .disc:
      let z = y - height / 2
      return x * x + z * z < half * half
    case .arch:
      let z = y - (height - width / 2)
      return z < 0 || x * x + z * z < half * half
    case .pointed:
      let z = y - (height - width * 0.87)
      let far = abs(x) + width / 2
      return z < 0 || far * far + z * z < (width + grown) * (width + grown)
    }
  }

  private func inside(
    _ x: Double, _ y: Double, chance: Double, lit: Double, footprint: Double
  ) -> Paint {
    switch kind {
    case .void: return Paint(color: Vector(0.035, 0.03, 0.03) + leaf * (y < 0.5 ? 0.3 : 0.05))
    case .clock: return clock(x, y - height / 2)
    case .door:
      let seam = max(stripe(x, 0, 0.06, footprint), stripe(y - height * 0.7, 0, 0.08, footprint))
      return Paint(color: leaf * (1 - 0.6 * seam), gloss: 0.05)
    case .rose, .glass, .none:
      let bars = mullions(x, y, footprint)
      var pane = Vector(0.045, 0.055, 0.065) + Vector(0.25, 0.23, 0.2) * (chance > 0.8 ? 0.5 : 0)
      if y > height - 0.2 { pane = pane * 0.4 }
      let warm = Vector(1.0, 0.66, 0.26) * (chance < lit ? 0.75 + 0.9 * chance : 0)
      return Paint(
        color: pane.mixed(with: frame, bars), gloss: 0.3 * (1 - bars), glow: warm * (1 - bars))
    }
  }

  private func mullions(_ x: Double, _ y: Double, _ footprint: Double) -> Double {
    if kind == .rose {
      let z = y - height / 2
      let diagonal = min(abs(x + z), abs(x - z)) * 0.7
      let spoke = min(min(abs(x), abs(z)), diagonal)
      let radius = (x * x + z * z).squareRoot()
      return spoke < 0.09 || abs(radius - width * 0.22) < 0.09 ? 0.9 : 0
    }
    let stepX = width / panesX
    let stepY = height / panesY
    let column = x + width / 2
    let nearX = column - stepX * (column / stepX).rounded()
    let nearY = y - stepY * (y / stepY).rounded()
    return max(stripe(nearX, 0, 0.09, footprint), stripe(nearY, 0, 0.09, footprint))
  }

  private func clock(_ x: Double, _ y: Double) -> Paint {
    let radius = (x * x + y * y).squareRoot() / (width / 2)
    let minute = abs(x - y * 0.3) < 0.09 * width / 2 && y > 0 && radius < 0.8
    let hour = abs(y + x * 0.4) < 0.12 * width / 2 && x > 0 && radius < 0.55
    let ticks = radius > 0.78 && radius < 0.92 && min(abs(x), abs(y)) < 0.06 * width
    let dark = minute || hour || ticks || radius > 0.96
    return Paint(
      color: dark ? Vector(gray: 0.03) : Vector(0.85, 0.83, 0.75),
      glow: dark ? Vector(gray: 0) : Vector(0.5, 0.45, 0.3))
  }
}

/// The fraction of a sample that a line covers, so that thin lines fade instead of flickering.
func stripe(_ x: Double, _ middle: Double, _ width: Double, _ footprint: Double) -> Double {
  let reach = footprint > 0.01 ? footprint : 0.01
  let share = ((width / 2 - abs(x - middle)) / reach + 0.5).clamped
  return share * min(1, width / reach)
}
