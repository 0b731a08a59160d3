/// The side of a solid that a ray intersects. `front` faces the local -y axis.
enum Face {
  case none, front, right, back, left, top, round
}

/// A point on a surface, in meters along the surface.
struct Spot {
  let face: Face
  /// The position along the wall from left to right, seen from outside. 0 is in the middle.
  let u: Double
  /// The height above the solid's base.
  let v: Double
  let width: Double
  let height: Double
  let seed: Int
  /// The size of a sample in meters. Finer details fade out.
  var footprint = 0.0
}

/// A convex part of a building, a tree or an object.
struct Solid {
  enum Shape { case frustum, cone, ball, dome, barrel }
  /// The outline. Foliage is ragged, and a bicycle is drawn on a board.
  enum Edge { case sharp, ragged, bicycle }

  let shape: Shape
  let base: Vector
  let axisX: Double
  let axisY: Double
  let halfX: Double
  let halfY: Double
  let height: Double
  /// How far the sides are inset at the top. For cones, the fraction by which the radius decreases.
  let insetX: Double
  let insetY: Double
  let edge: Edge
  let finish: Int
  let roof: Int
  let owner: Int
  let seed: Int

  var center: Vector { base + Vector(0, 0, height / 2) }

  var radius: Double {
    let x = halfX * (insetX < 0 && shape == .cone ? 1 - insetX : 1)
    let y = halfY * (insetX < 0 && shape == .cone ? 1 - insetX : 1)
    let z = height / 2
    return (x * x + y * y + z * z).squareRoot()
  }

  func local(_ v: Vector) -> Vector {
    Vector(v.x * axisX + v.y * axisY, v.y * axisX - v.x * axisY, v.z)
  }

  func world(_ v: Vector) -> Vector {
    Vector(v.x * axisX - v.y * axisY, v.x * axisY + v.y * axisX, v.z)
  }

  /// The finish of a face. Inclined faces and the top have the finish of the roof.
  func finish(of face: Face) -> Int {
    switch (shape, face) {
    case (_, .top), (.barrel, .round): roof
    case (.frustum, .left), (.frustum, .right): insetX > 0 ? roof : finish
    case (.frustum, .front), (.frustum, .back): insetY > 0 ? roof : finish
    default: finish
    }
  }

  func spot(at p: Vector, _ face: Face) -> Spot {
    switch face {
    case .front: Spot(face: face, u: p.x, v: p.z, width: halfX * 2, height: height, seed: seed)
    case .back: Spot(face: face, u: -p.x, v: p.z, width: halfX * 2, height: height, seed: seed)
    case .right: Spot(face: face, u: p.y, v: p.z, width: halfY * 2, height: height, seed: seed)
    case .left: Spot(face: face, u: -p.y, v: p.z, width: halfY * 2, height: height, seed: seed)
    case .top, .none: Spot(face: .top, u: p.x, v: p.y, width: 0, height: 0, seed: seed)
    case .round:
      if shape == .barrel {
        Spot(
          face: face, u: p.y, v: Angle.radians(x: p.z, y: p.x) * halfX, width: halfY * 2,
          height: height, seed: seed)
      } else {
        Spot(
          face: face, u: Angle.radians(x: -p.y, y: p.x) * halfX, v: p.z,
          width: halfX * 360 * Angle.degree, height: height, seed: seed)
      }
    }
  }

  func normal(at p: Vector, _ face: Face) -> Vector {
    switch face {
    case .right: world(Vector(height, 0, insetX).normalized)
    case .left: world(Vector(-height, 0, insetX).normalized)
    case .back: world(Vector(0, shape == .barrel ? 1 : height, insetY).normalized)
    case .front: world(Vector(0, shape == .barrel ? -1 : -height, insetY).normalized)
    case .top, .none: Vector(0, 0, 1)
    case .round: world(roundNormal(at: p))
    }
  }

  func roundNormal(at p: Vector) -> Vector {
    let x = p.x / (halfX * halfX)
    let y = p.y / (halfY * halfY)
    switch shape {
    case .cone: return Vector(x, y, insetX * (1 - insetX * p.z / height) / height).normalized
    case .ball: return Vector(x, y, (p.z - height / 2) * 4 / (height * height)).normalized
    case .barrel: return Vector(x, 0, p.z / (height * height)).normalized
    default: return Vector(x, y, p.z / (height * height)).normalized
    }
  }
}
