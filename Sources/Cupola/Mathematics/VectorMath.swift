/// Small operations on vectors, in a fixed order of summation.
package enum VectorMath {
  /// The vector scaled to L2 norm 1; a zero vector stays.
  package static func unit(_ vector: [Float]) -> [Float] {
    let norm = dot(vector.span, vector.span).squareRoot()
    return norm > 0 ? vector.map { $0 / norm } : vector
  }

  /// Scales a vector to L2 norm 1; a zero vector stays.
  static func normalize(_ vector: inout MutableSpan<Float>) {
    let norm = dot(vector.span, vector.span).squareRoot()
    guard norm > 0 else { return }
    for index in 0..<vector.count { vector[index] /= norm }
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

  /// The inner product, summed in eight lanes of 64 bits.
  package static func preciseDot(_ a: [Float], _ b: [Float]) -> Double {
    precondition(a.count == b.count, "vectors of \(a.count) and \(b.count) values")
    var lanes = SIMD8<Double>.zero
    let whole = a.count & ~7
    let (left, right) = (a.span.extracting(0..<whole), b.span.extracting(0..<whole))
    var index = 0
    while index < whole {
      for lane in 0..<8 { lanes[lane] += Double(left[index + lane]) * Double(right[index + lane]) }
      index += 8
    }
    return (whole..<a.count).reduce(lanes.sum()) { $0 + Double(a[$1]) * Double(b[$1]) }
  }

  /// `a - b`.
  package static func difference(_ a: [Float], _ b: [Float]) -> [Float] {
    zip(a, b).map { $0 - $1 }
  }

  /// `target += factor * vector`.
  package static func add(_ vector: [Float], times factor: Float, to target: inout [Float]) {
    precondition(vector.count == target.count)
    var output = target.mutableSpan
    let input = vector.span
    for index in 0..<output.count { output[index] += factor * input[index] }
  }

  /// `target = base + factor * vector`.
  package static func add(
    _ vector: [Float], times factor: Float, to base: [Float], into target: inout [Float]
  ) {
    precondition(vector.count == target.count && base.count == target.count)
    var output = target.mutableSpan
    let (input, start) = (vector.span, base.span)
    for index in 0..<output.count { output[index] = start[index] + factor * input[index] }
  }

  /// The squared Euclidean distance, summed in eight lanes.
  package static func squaredDistance(_ a: Span<Float>, _ b: Span<Float>) -> Float {
    precondition(a.count == b.count, "vectors of \(a.count) and \(b.count) values")
    var lanes = SIMD8<Float>.zero
    let whole = a.count & ~7
    var index = 0
    while index < whole {
      for lane in 0..<8 {
        let difference = a[index + lane] - b[index + lane]
        lanes[lane] += difference * difference
      }
      index += 8
    }
    var sum = lanes.sum()
    while index < a.count {
      sum += (a[index] - b[index]) * (a[index] - b[index])
      index += 1
    }
    return sum
  }
}
