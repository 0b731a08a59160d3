/// A position (east, north and up in meters), a direction or a linear-light color.
struct Vector {
  var x: Double
  var y: Double
  var z: Double

  init(_ x: Double, _ y: Double, _ z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  init(gray: Double) { self.init(gray, gray, gray) }

  var length: Double { dot(self).squareRoot() }
  var normalized: Vector { self * (1 / length) }

  func dot(_ b: Vector) -> Double { x * b.x + y * b.y + z * b.z }

  func cross(_ b: Vector) -> Vector {
    Vector(y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x)
  }

  func mixed(with b: Vector, _ share: Double) -> Vector { self * (1 - share) + b * share }

  static func + (a: Vector, b: Vector) -> Vector { Vector(a.x + b.x, a.y + b.y, a.z + b.z) }
  static func - (a: Vector, b: Vector) -> Vector { Vector(a.x - b.x, a.y - b.y, a.z - b.z) }
  static func * (a: Vector, s: Double) -> Vector { Vector(a.x * s, a.y * s, a.z * s) }
  static func * (a: Vector, b: Vector) -> Vector { Vector(a.x * b.x, a.y * b.y, a.z * b.z) }
}

extension Double {
  var clamped: Double { self < 0 ? 0 : (self > 1 ? 1 : self) }
}
