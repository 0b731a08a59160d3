/// The intersection of a ray with a solid.
struct Crossing {
  var distance: Double
  var face: Face

  static let miss = Crossing(distance: .infinity, face: .none)
}

extension Solid {
  /// The nearest intersection in front of the ray's origin, which must be outside the solid.
  func crossing(_ ray: Ray) -> Crossing {
    let origin = local(ray.origin - base)
    let direction = local(ray.direction)
    if shape == .frustum { return frustumCrossing(origin, direction) }
    let hit = quadricCrossing(origin, direction)
    if edge == .ragged, hit.face == .round {
      let p = origin + direction * hit.distance
      let facing = abs(roundNormal(at: p).dot(direction))
      let leaf = Noise.smooth(p.x * 3.9 + p.y * 1.3, p.z * 3.7 - p.y * 2.9, seed)
      if facing < leaf * 0.75 { return .miss }
    }
    return hit
  }

  private func frustumCrossing(_ o: Vector, _ d: Vector) -> Crossing {
    var near = 0.0
    var far = Double.infinity
    var face = Face.none
    func clip(_ distance: Double, _ slope: Double, _ side: Face) {
      if slope < 0 {
        let t = -distance / slope
        if t > near {
          near = t
          face = side
        }
      } else if slope > 0 {
        far = min(far, -distance / slope)
      } else if distance > 0 {
        far = -1
      }
    }
    let leanX = insetX * o.z - height * halfX
    let leanY = insetY * o.z - height * halfY
    clip(height * o.x + leanX, height * d.x + insetX * d.z, .right)
    clip(-height * o.x + leanX, -height * d.x + insetX * d.z, .left)
    clip(height * o.y + leanY, height * d.y + insetY * d.z, .back)
    clip(-height * o.y + leanY, -height * d.y + insetY * d.z, .front)
    clip(o.z - height, d.z, .top)
    clip(-o.z, -d.z, .top)
    if near >= far || face == .none { return .miss }
    if edge == .bicycle {
      let p = o + d * near
      if !Bicycle.covers(p.x, p.z) { return .miss }
    }
    return Crossing(distance: near, face: face)
  }

  private func quadricCrossing(_ o: Vector, _ d: Vector) -> Crossing {
    let scale = shape == .ball ? 2 / height : 1 / height
    var p = Vector(o.x / halfX, o.y / halfY, o.z * scale - (shape == .ball ? 1 : 0))
    var q = Vector(d.x / halfX, d.y / halfY, d.z * scale)
    // Each curved shape is x² + y² + z² = 1 with one term replaced.
    let end = Vector(p.y, q.y, 0)
    let rise = Vector(p.z, q.z, 0)
    let a: Double
    let b: Double
    let c: Double
    switch shape {
    case .cone:
      let r = 1 - insetX * p.z
      let s = -insetX * q.z
      a = q.x * q.x + q.y * q.y - s * s
      b = p.x * q.x + p.y * q.y - r * s
      c = p.x * p.x + p.y * p.y - r * r
    default:
      if shape == .barrel {
        p.y = 0
        q.y = 0
      }
      a = q.dot(q)
      b = p.dot(q)
      c = p.dot(p) - 1
    }
    let root = b * b - a * c
    if root < 0 || a == 0 { return .miss }
    let first = (-b - root.squareRoot()) / a
    let second = (-b + root.squareRoot()) / a
    return nearest(min(first, second), max(first, second), rise: rise, end: end, p, q)
  }

  /// Chooses between the two roots of the quadratic equation and the flat ends.
  private func nearest(
    _ first: Double, _ second: Double, rise: Vector, end: Vector, _ p: Vector, _ q: Vector
  ) -> Crossing {
    var best = Crossing.miss
    if accepts(first, rise, end) {
      best = Crossing(distance: first, face: .round)
    } else if accepts(second, rise, end) {
      best = Crossing(distance: second, face: .round)
    }
    if shape == .cone {
      let t = (1 - rise.x) / rise.y
      let x = p.x + q.x * t
      let y = p.y + q.y * t
      let r = 1 - insetX
      if t > 1e-6, t < best.distance, x * x + y * y < r * r {
        best = Crossing(distance: t, face: .top)
      }
    }
    if shape == .barrel {
      let t = ((end.y > 0 ? -1 : 1) - end.x) / end.y
      let x = p.x + q.x * t
      let z = rise.x + rise.y * t
      if t > 1e-6, t < best.distance, z >= 0, x * x + z * z < 1 {
        best = Crossing(distance: t, face: end.y > 0 ? .front : .back)
      }
    }
    return best
  }

  private func accepts(_ t: Double, _ rise: Vector, _ end: Vector) -> Bool {
    if t < 1e-6 { return false }
    let z = rise.x + rise.y * t
    switch shape {
    case .ball: return true
    case .barrel: return z >= 0 && abs(end.x + end.y * t) <= 1
    case .cone: return z >= 0 && z <= 1
    default: return z >= 0
    }
  }
}
