/// A part of a building in local coordinates, in meters. Seen by a person who faces the front, x points to the right, y
/// away from the person, and z up.
struct Part {
  var shape: Solid.Shape
  var x: Double
  var y: Double
  var z: Double
  var width: Double
  var depth: Double
  var height: Double
  var insetX = 0.0
  var insetY = 0.0
  /// The rotation in degrees counterclockwise, seen from above.
  var turn = 0.0
  var edge = Solid.Edge.sharp
  var wall: Finish
  var roof: Finish
}

struct Massing {
  private(set) var parts: [Part] = []

  mutating func box(
    _ x: Double, _ y: Double, _ z: Double, _ width: Double, _ depth: Double,
    _ height: Double, _ wall: Finish, roof: Finish = Finish(.panels, Vector(gray: 0.3)),
    turn: Double = 0, edge: Solid.Edge = .sharp
  ) {
    parts.append(
      Part(
        shape: .frustum, x: x, y: y, z: z, width: width, depth: depth, height: height, turn: turn,
        edge: edge, wall: wall, roof: roof))
  }

  /// Adds a roof whose sides are inset by fractions of half the width and half the depth.
  mutating func roof(
    _ x: Double, _ y: Double, _ z: Double, _ width: Double, _ depth: Double,
    _ height: Double, leanX: Double, leanY: Double, _ finish: Finish, gable: Finish? = nil
  ) {
    parts.append(
      Part(
        shape: .frustum, x: x, y: y, z: z, width: width, depth: depth, height: height,
        insetX: leanX * width / 2, insetY: leanY * depth / 2, wall: gable ?? finish, roof: finish))
  }

  /// Adds a round shaft, dome, ball or spire. `taper` is the fraction by which the radius decreases toward the top.
  mutating func round(
    _ shape: Solid.Shape, _ x: Double, _ y: Double, _ z: Double, _ width: Double,
    _ height: Double, _ wall: Finish, depth: Double? = nil, taper: Double = 0,
    edge: Solid.Edge = .sharp
  ) {
    parts.append(
      Part(
        shape: shape, x: x, y: y, z: z, width: width, depth: depth ?? width, height: height,
        insetX: taper, edge: edge, wall: wall, roof: wall))
  }

  mutating func vault(
    _ x: Double, _ y: Double, _ z: Double, length: Double, span: Double, _ height: Double,
    _ wall: Finish
  ) {
    parts.append(
      Part(
        shape: .barrel, x: x, y: y, z: z, width: span, depth: length, height: height, turn: 90,
        wall: wall, roof: wall))
  }
}

/// An object's position, and the direction that its front faces.
struct Frame {
  let origin: Vector
  /// The direction that the front faces, in compass degrees.
  let facing: Double
  let axisX: Double
  let axisY: Double

  init(_ east: Double, _ north: Double, facing: Double) {
    origin = Vector(east, north, 0)
    self.facing = facing
    axisX = -Angle.cosine(facing)
    axisY = Angle.sine(facing)
  }

  func place(_ x: Double, _ y: Double, _ z: Double = 0) -> Vector {
    origin + Vector(x * axisX - y * axisY, x * axisY + y * axisX, z)
  }
}
