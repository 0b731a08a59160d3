/// On which side of a line a point lies, without rounding errors.
///
/// A rounded result with a bound of its error decides nearly always; where it cannot, the determinant
/// is summed exactly (J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
/// Geometric Predicates", 1997). Only differences in longitude and latitude that are both below 1e-280
/// degrees are beyond it.
package enum ExactOrientation {
  /// 1 when `c` lies left of the way from `a` to `b`, -1 when right, 0 when on their line.
  package static func sign(_ a: MapPoint, _ b: MapPoint, _ c: MapPoint) -> Int {
    let (ay, by) = (a.y - c.y, b.y - c.y)
    let left = (a.x - c.x) * by
    let right = ay * (b.x - c.x)
    let determinant = left - right
    // Shewchuk's bound, and what the products lose when they are close to the smallest numbers.
    var bound = 3.330669073875472e-16 * (left.magnitude + right.magnitude) + 1e-290
    if a.tail != 0 || b.tail != 0 || c.tail != 0 {
      // Longitudes below 1024 degrees lack less than 1.2e-13 each.
      bound += 1e-12 * (ay.magnitude + by.magnitude)
    }
    if determinant > bound { return 1 }
    if determinant < -bound { return -1 }
    return exactSign(a, b, c)
  }

  @inline(never)
  private static func exactSign(_ a: MapPoint, _ b: MapPoint, _ c: MapPoint) -> Int {
    // Scaled, so that products of the smallest numbers are not lost below the range of doubles.
    func across(_ p: MapPoint) -> Expansion {
      Expansion([p.x, p.tail, -c.x, -c.tail].map { $0 * 0x1p380 })
    }
    func up(_ p: MapPoint) -> Expansion { Expansion([p.y, -c.y].map { $0 * 0x1p600 }) }
    return (across(a) * up(b) - up(a) * across(b)).sign
  }
}

/// A number held exactly, as the sum of doubles that do not overlap (Shewchuk 1997, section 2).
struct Expansion {
  /// From the smallest to the largest magnitude.
  private var parts: [Double] = []

  /// The exact sum of some doubles.
  init(_ numbers: [Double]) {
    for number in numbers { add(number) }
  }

  /// -1, 0 or 1.
  var sign: Int {
    // The largest part outweighs all others together.
    guard let largest = parts.last(where: { $0 != 0 }) else { return 0 }
    return largest > 0 ? 1 : -1
  }

  private mutating func add(_ number: Double) {
    guard number != 0 else { return }
    var carry = number
    for index in parts.indices {
      let sum = carry + parts[index]
      let share = sum - carry
      parts[index] = (carry - (sum - share)) + (parts[index] - share)
      carry = sum
    }
    parts.append(carry)
    parts.removeAll { $0 == 0 }
  }

  static func - (a: Expansion, b: Expansion) -> Expansion {
    var result = a
    for part in b.parts { result.add(-part) }
    return result
  }

  static func * (a: Expansion, b: Expansion) -> Expansion {
    var result = Expansion([])
    for x in a.parts {
      for y in b.parts {
        let product = x * y
        // The fused operation gives what the rounded product lacks.
        result.add((-product).addingProduct(x, y))
        result.add(product)
      }
    }
    return result
  }
}
