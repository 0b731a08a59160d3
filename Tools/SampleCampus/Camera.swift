struct Ray {
  let origin: Vector
  let direction: Vector
}

/// A handheld pinhole camera.
struct Camera {
  let place: Vector
  /// The compass heading in degrees, clockwise from north.
  let heading: Double
  let width: Int
  let height: Int
  private let forward: Vector
  private let right: Vector
  private let up: Vector
  let focal = 310.0

  init(
    place: Vector, heading: Double, pitch: Double, roll: Double = 0, portrait: Bool
  ) {
    self.place = place
    self.heading = heading
    width = portrait ? 300 : 400
    height = portrait ? 400 : 300
    let east = Angle.sine(heading)
    let north = Angle.cosine(heading)
    let level = Angle.cosine(pitch)
    forward = Vector(east * level, north * level, Angle.sine(pitch))
    let side = Vector(north, -east, 0)
    let top = side.cross(forward)
    right = side * Angle.cosine(roll) + top * Angle.sine(roll)
    up = top * Angle.cosine(roll) - side * Angle.sine(roll)
  }

  /// The viewing direction (a unit vector) for a point in the image, in pixels from the top left corner.
  func direction(_ x: Double, _ y: Double) -> Vector {
    let across = (x - Double(width) / 2) / focal
    let down = (y - Double(height) / 2) / focal
    return (forward + right * across - up * down).normalized
  }
}
