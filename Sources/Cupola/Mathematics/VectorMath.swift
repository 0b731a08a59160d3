/// Small operations on vectors, in a fixed order of summation.
package enum VectorMath {
  /// The vector scaled to L2 norm 1; a zero vector stays.
  package static func unit(_ vector: [Float]) -> [Float] {
    let norm = dot(vector.span, vector.span).squareRoot()
    return norm > 0 ? vector.map { $0 / norm } : vector
  }

  /// The inner product, summed in eight lanes.
  package static func dot(_ a: Span<Float>, _ b: Span<Float>) -> Float {
    precondition(a.count == b.count, "vectors of \(a.count) and \(b.count) values")
    var lanes = SIMD8<Float>.zero
    let whole = a.count & ~7
    var index = 0
    while index < whole {
      for lane in 0..<8 { lanes[lane] += a[index + lane] * b[index + lane] }
      index += 8
    }
    var sum = lanes.sum()
    while index < a.count {
      sum += a[index] * b[index]
      index += 1
    }
    return sum
  }
}
