enum Ground {
  case campus, lawn, gravelPath, paving, floor, desk, meadow

  /// A straight paved walk, in meters east and north.
  private struct Walk {
    let startX: Double
    let startY: Double
    let endX: Double
    let endY: Double
    let half: Double

    func contains(_ x: Double, _ y: Double) -> Bool {
      let alongX = endX - startX
      let alongY = endY - startY
      let square = alongX * alongX + alongY * alongY
      let t = (((x - startX) * alongX + (y - startY) * alongY) / square).clamped
      let offX = x - startX - t * alongX
      let offY = y - startY - t * alongY
      return offX * offX + offY * offY < half * half
    }
  }

  private static let walks = avenues + Campus.buildings.flatMap { forecourt($0) }

  private static func forecourt(_ building: Building) -> [Walk] {
    let half = building.width / 2
    let front = -building.depth / 2
    func walk(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, half: Double) -> Walk {
      let start = building.frame.place(x0, y0)
      let end = building.frame.place(x1, y1)
      return Walk(startX: start.x, startY: start.y, endX: end.x, endY: end.y, half: half)
    }
    return [
      walk(-half, front - 1.5, half, front - 1.5, half: 3.2),
      walk(0, front, 0, front - 42, half: 2.2),
    ]
  }

  private static let avenues = [
    Walk(startX: -250, startY: 62, endX: 250, endY: 62, half: 3.5),
    Walk(startX: -250, startY: -72, endX: 250, endY: -72, half: 3.5),
    Walk(startX: -122, startY: -200, endX: -122, endY: 200, half: 3),
    Walk(startX: 2, startY: -200, endX: 2, endY: 200, half: 4),
    Walk(startX: 128, startY: -200, endX: 128, endY: 200, half: 3),
    Walk(startX: -122, startY: 62, endX: 2, endY: -72, half: 1.6),
    Walk(startX: 2, startY: 62, endX: 128, endY: -72, half: 1.6),
  ]

  /// The paint at a point, given the size of a sample and the leaf color of the season.
  func paint(_ x: Double, _ y: Double, footprint: Double, light: Light) -> Paint {
    switch self {
    case .campus:
      let isWalk = Self.walks.contains { $0.contains(x, y) }
      return isWalk ? slabs(x, y, footprint, light) : grass(x, y, footprint, light)
    case .lawn: return grass(x, y, footprint, light)
    case .meadow: return grass(x * 1.5, y * 1.5, footprint, light)
    case .gravelPath:
      let bend = x - 1.4 * Angle.sine(y * 4) - 0.25 * Noise.smooth(y * 0.8, 0, 6)
      return abs(bend) < 1.7 ? gravel(x, y, footprint, light) : grass(x, y, footprint, light)
    case .paving: return bricks(x, y, footprint, light)
    case .floor:
      let odd = (Noise.floor(x / 0.6) + Noise.floor(y / 0.6)) & 1 == 0
      return Paint(color: odd ? Vector(0.42, 0.4, 0.36) : Vector(0.3, 0.29, 0.27), gloss: 0.14)
    case .desk:
      let grain = Noise.smooth(x * 3, y * 60, 3) * 0.6 + Noise.smooth(x * 1.2, y * 14, 4) * 0.4
      return Paint(color: Vector(0.4, 0.25, 0.13) * (0.75 + 0.5 * grain), gloss: 0.06)
    }
  }

  private func grass(_ x: Double, _ y: Double, _ footprint: Double, _ light: Light) -> Paint {
    let patch = Noise.smooth(x * 0.12, y * 0.12, 1)
    let fade = (1.2 - footprint * 9).clamped
    let blade = (Noise.smooth(x * 5, y * 5, 2) - 0.5) * 0.55 * fade
    let stalk = (Noise.smooth(x * 16, y * 16, 22) - 0.5) * 0.5 * (1.2 - footprint * 26).clamped
    let dry = Vector(0.24, 0.22, 0.08)
    let green = Vector(0.1, 0.2, 0.045).mixed(with: light.leaf, 0.15)
    return Paint(color: green.mixed(with: dry, patch * 0.3) * (0.85 + 0.3 * patch + blade + stalk))
  }

  private func slabs(_ x: Double, _ y: Double, _ footprint: Double, _ light: Light) -> Paint {
    let column = Noise.floor(x / 0.9)
    let row = Noise.floor(y / 0.9)
    let tint = 0.9 + 0.2 * Noise.hash(column, row, 4) * (1.3 - footprint * 2).clamped
    let joint = max(
      stripe(x - 0.9 * (x / 0.9).rounded(), 0, 0.05, footprint),
      stripe(y - 0.9 * (y / 0.9).rounded(), 0, 0.05, footprint))
    let puddle = Noise.smooth(x * 0.4, y * 0.4, 11)
    let color = Vector(0.4, 0.38, 0.35) * (tint * (1 - 0.4 * joint) * (1 - 0.4 * light.wet))
    return Paint(color: color, gloss: light.wet * (0.12 + 0.45 * puddle * puddle))
  }

  private func gravel(_ x: Double, _ y: Double, _ footprint: Double, _ light: Light) -> Paint {
    let fade = (1.2 - footprint * 9).clamped
    let grain = (Noise.smooth(x * 9, y * 9, 12) - 0.5) * 0.35 * fade
    let worn = Noise.smooth(x * 0.5, y * 0.5, 13)
    let color = Vector(0.42, 0.36, 0.27) * ((0.85 + 0.25 * worn + grain) * (1 - 0.35 * light.wet))
    return Paint(color: color, gloss: light.wet * 0.2)
  }

  private func bricks(_ x: Double, _ y: Double, _ footprint: Double, _ light: Light) -> Paint {
    let row = Noise.floor(y / 0.1)
    let shifted = x + (row & 1 == 0 ? 0 : 0.1)
    let tint = 0.75 + 0.5 * Noise.hash(Noise.floor(shifted / 0.2), row, light.seed)
    let joint = max(
      stripe(shifted - 0.2 * (shifted / 0.2).rounded(), 0, 0.012, footprint),
      stripe(y - 0.1 * (y / 0.1).rounded(), 0, 0.012, footprint))
    let brick = Vector(0.34, 0.17, 0.11).mixed(
      with: Vector(0.32, 0.3, 0.28), Double(light.seed & 1))
    let color = (brick * tint).mixed(with: Vector(0.22, 0.2, 0.17), joint)
    return Paint(color: color * (1 - 0.35 * light.wet), gloss: light.wet * 0.2)
  }
}
