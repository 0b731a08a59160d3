/// The outline of a bicycle on an upright board, in meters from the center of its base.
enum Bicycle {
  static let halfWidth = 0.95
  static let height = 1.1
  static let hub = 0.55
  static let hubHeight = 0.35

  private struct Tube {
    let x0: Double
    let y0: Double
    let x1: Double
    let y1: Double
    let half: Double
  }

  private static let tubes = [
    Tube(x0: -0.55, y0: 0.35, x1: -0.1, y1: 0.33, half: 0.02),
    Tube(x0: -0.1, y0: 0.33, x1: -0.26, y1: 0.9, half: 0.025),
    Tube(x0: -0.55, y0: 0.35, x1: -0.22, y1: 0.75, half: 0.018),
    Tube(x0: -0.22, y0: 0.76, x1: 0.36, y1: 0.8, half: 0.025),
    Tube(x0: -0.1, y0: 0.33, x1: 0.37, y1: 0.75, half: 0.028),
    Tube(x0: 0.55, y0: 0.35, x1: 0.34, y1: 0.95, half: 0.022),
    Tube(x0: 0.34, y0: 0.97, x1: 0.52, y1: 1.0, half: 0.022),
    Tube(x0: -0.38, y0: 0.92, x1: -0.14, y1: 0.93, half: 0.04),
  ]

  static func covers(_ x: Double, _ y: Double) -> Bool {
    for side in [-hub, hub] {
      let dx = x - side
      let dy = y - hubHeight
      let square = dx * dx + dy * dy
      if square < 0.1225 && square > 0.095 { return true }
      if square < 0.004 { return true }
      if square < 0.1 {
        let spoke = min(abs(dx), abs(dy), min(abs(dx - dy), abs(dx + dy)) * 0.7)
        if spoke < 0.006 { return true }
      }
    }
    return tubes.contains { tube in
      let alongX = tube.x1 - tube.x0
      let alongY = tube.y1 - tube.y0
      let t =
        ((x - tube.x0) * alongX + (y - tube.y0) * alongY) / (alongX * alongX + alongY * alongY)
      let offX = x - tube.x0 - t.clamped * alongX
      let offY = y - tube.y0 - t.clamped * alongY
      return offX * offX + offY * offY < tube.half * tube.half
    }
  }
}
