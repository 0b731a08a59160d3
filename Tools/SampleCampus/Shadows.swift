/// Tests whether sunlight reaches a point, using the solids as discs as seen from the sun.
struct Shadows {
  private struct Disc {
    let x: Double
    let y: Double
    let square: Double
    let solid: Int
  }

  private let sun: Vector
  private let right: Vector
  private let up: Vector
  private var discs: [Disc] = []

  /// Uses only solids within `reach` meters of a place.
  init(_ scene: Scene, around place: Vector, reach: Double) {
    sun = scene.light.sun
    right = Vector(sun.y, -sun.x, 0).normalized
    up = right.cross(sun)
    guard scene.light.castsShadows else { return }
    for (index, solid) in scene.solids.enumerated() {
      let center = solid.center
      let offset = center - place
      if offset.dot(offset) > reach * reach { continue }
      discs.append(
        Disc(
          x: center.dot(right), y: center.dot(up), square: solid.radius * solid.radius,
          solid: index))
    }
  }

  func covers(_ place: Vector, in scene: Scene) -> Bool {
    let x = place.dot(right)
    let y = place.dot(up)
    for disc in discs {
      let dx = disc.x - x
      let dy = disc.y - y
      if dx * dx + dy * dy > disc.square { continue }
      let ray = Ray(origin: place, direction: sun)
      if scene.solids[disc.solid].crossing(ray).distance < 200 { return true }
    }
    return false
  }
}
