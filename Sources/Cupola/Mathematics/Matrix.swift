#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. `Matrix` is a dense, row-major matrix.
// 2. `PackedMatrix` stores a matrix for fast multiplication with many others.
// 3. `VectorMath` adds in a fixed order, so results are the same on all platforms.
// 4. `FastMath` computes a fast exponential function and a row's softmax in single precision.
// 5. `Softmax` turns logits into probabilities in double precision.

package struct Matrix: Equatable, Sendable {
  package private(set) var rows: Int
  package let columns: Int
  package var values: [Float]

  package init(rows: Int, columns: Int, values: [Float]) {
    precondition(
      values.count == rows * columns, "\(values.count) values, expected \(rows)x\(columns)")
    self.rows = rows
    self.columns = columns
    self.values = values
  }

  package init(rows: Int, columns: Int) {
    self.init(rows: rows, columns: columns, values: [Float](repeating: 0, count: rows * columns))
  }

  package subscript(row: Int, column: Int) -> Float {
    get { values[row * columns + column] }
    set { values[row * columns + column] = newValue }
  }

  package func range(ofRow index: Int) -> Range<Int> { index * columns..<(index + 1) * columns }

  package func row(_ index: Int) -> [Float] { Array(values[range(ofRow: index)]) }

  package func selecting(rows chosen: [Int]) -> Matrix {
    var selected: [Float] = []
    selected.reserveCapacity(chosen.count * columns)
    for row in chosen { selected += values[range(ofRow: row)] }
    return Matrix(rows: chosen.count, columns: columns, values: selected)
  }

  mutating func resize(rows: Int) {
    values.resize(to: rows * columns, filledWith: 0)
    self.rows = rows
  }

  package var transposed: Matrix {
    var result = Matrix(rows: columns, columns: rows)
    for row in 0..<rows {
      for column in 0..<columns { result[column, row] = self[row, column] }
    }
    return result
  }
}

extension Array {
  /// Removes elements from the end, or appends `element`. Reuses allocated memory.
  mutating func resize(to count: Int, filledWith element: Element) {
    if count < self.count {
      removeLast(self.count - count)
    } else {
      append(contentsOf: repeatElement(element, count: count - self.count))
    }
  }
}

/// A matrix stored for fast multiplication with many others.
/// Apple platforms use BLAS, which uses their matrix hardware. Elsewhere, small products take 3/4 of the time that
/// OpenBLAS takes, and the results are the same on all processors with fused multiply-add.
package struct PackedMatrix: Equatable, Sendable {
  /// Number of rows, which is the number of columns in a product.
  let rows: Int
  let columns: Int

  #if canImport(Darwin)
    private let matrix: Matrix
  #else
    /// Panels of rows, each stored column by column and padded with zeros.
    let panels: [Float]
  #endif

  package init(_ matrix: Matrix) {
    (rows, columns) = (matrix.rows, matrix.columns)
    #if canImport(Darwin)
      self.matrix = matrix
    #else
      let width = WideRows.panel
      var panels = [Float](
        repeating: 0, count: (rows + width - 1) / width * width * columns)
      for row in 0..<rows {
        let start = row / width * width * columns + row % width
        for column in 0..<columns { panels[start + column * width] = matrix[row, column] }
      }
      self.panels = panels
    #endif
  }

  /// Identifies how products are rounded: processors with the same value compute the same bits.
  package static var kernel: String {
    #if canImport(Darwin)
      BLAS.kernel
    #else
      WideRows.fusesProducts ? "fused" : "unfused"
    #endif
  }

  package func product(_ left: Matrix) -> Matrix {
    var product = Matrix(rows: left.rows, columns: rows)
    multiply(left, into: &product)
    return product
  }

  func multiply(_ left: Matrix, into product: inout Matrix) {
    precondition(left.columns == columns, "rows of \(left.columns), expected \(columns)")
    precondition(
      product.rows == left.rows && product.columns == rows,
      "a product of \(left.rows)x\(rows) into \(product.rows)x\(product.columns)")
    #if canImport(Darwin)
      BLAS.multiply(left, matrix, transposeB: true, into: &product)
    #else
      WideRows.multiply(left, panels: panels, into: &product)
    #endif
  }
}

package enum VectorMath {
  /// Returns the vector scaled to L2 norm 1; a zero vector is unchanged.
  package static func unit(_ vector: [Float]) -> [Float] {
    let norm = dot(vector.span, vector.span).squareRoot()
    return norm > 0 ? vector.map { $0 / norm } : vector
  }

  static func normalize(_ vector: inout MutableSpan<Float>) {
    let norm = dot(vector.span, vector.span).squareRoot()
    guard norm > 0 else { return }
    for index in 0..<vector.count { vector[index] /= norm }
  }

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

  /// Returns the inner product, accumulated in eight 64-bit lanes.
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

  package static func difference(_ a: [Float], _ b: [Float]) -> [Float] {
    zip(a, b).map { $0 - $1 }
  }

  package static func add(_ vector: [Float], times factor: Float, to target: inout [Float]) {
    precondition(vector.count == target.count)
    var output = target.mutableSpan
    let input = vector.span
    for index in 0..<output.count { output[index] += factor * input[index] }
  }

  /// Sets `target` to `base + factor * vector`.
  package static func add(
    _ vector: [Float], times factor: Float, to base: [Float], into target: inout [Float]
  ) {
    precondition(vector.count == target.count && base.count == target.count)
    var output = target.mutableSpan
    let (input, start) = (vector.span, base.span)
    for index in 0..<output.count { output[index] = start[index] + factor * input[index] }
  }

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

enum FastMath {
  /// Adds constants to scores, replaces them by their softmax, and returns the log of the sum of the exponentials.
  static func softmax(
    _ scores: inout MutableSpan<Float>, adding constants: Span<Float>
  ) -> Float {
    let (top, lanes) = WideRows.powers(&scores, adding: constants)
    let sum = lanes.sum()
    let scale = 1 / sum
    for index in 0..<scores.count { scores[index] *= scale }
    return top + logf(sum)
  }

  /// Returns `exp(x)` for `x <= 0`, within 2 units in the last place; 0 for `x < -69`.
  /// Values below exp(-69), about 1e-30, are rounded to 0 because their products could be subnormal, which takes 75
  /// times as long on Intel processors. For a typical patch, most components are below this value. Splits `x = n log 2
  /// + r`, rounding by adding a large number. Computes `exp(r)` with a polynomial (Cephes) and `2^n` from its bits.
  /// Loops vectorize, because there are no branches or conversions.
  @inline(__always)
  static func exponential(_ x: Float) -> Float {
    // Clamp to avoid subnormal intermediate values where the result is 0.
    let clamped = x > -87 ? x : -87
    let rounder: Float = 12_582_912
    let shifted = clamped * 1.442_695 + rounder
    let n = shifted - rounder
    let r = (clamped - n * 0.693_359_375) - n * -2.121_944_4e-4
    var p: Float = 1.987_569_2e-4
    p = p * r + 1.398_2e-3
    p = p * r + 8.333_452e-3
    p = p * r + 4.166_579_6e-2
    p = p * r + 0.166_666_66
    p = p * r + 0.5
    let power = p * (r * r) + r + 1
    let exponent = (Int32(bitPattern: shifted.bitPattern) &- 0x4B40_0000 &+ 127) &<< 23
    return x < -69 ? 0 : power * Float(bitPattern: UInt32(bitPattern: exponent))
  }
}

package enum Softmax {
  /// Returns probabilities that are proportional to `exp(logit / temperature)` and sum to 1.
  /// - Parameters:
  ///   - logits: One per label; at least one must be finite.
  ///   - temperature: Greater than 0. Values above 1 make the probabilities more equal.
  package static func probabilities(_ logits: [Float], temperature: Double = 1) -> [Double] {
    var probabilities = [Double](repeating: 0, count: logits.count)
    write(&probabilities, of: logits, temperature: temperature)
    return probabilities
  }

  static func write(
    _ probabilities: inout [Double], of logits: [Float], temperature: Double = 1
  ) {
    precondition(temperature > 0, "temperature \(temperature) is not positive")
    precondition(probabilities.count == logits.count)
    var largest = -Float.infinity
    for logit in logits { largest = max(largest, logit) }
    var sum = 0.0
    for index in logits.indices {
      probabilities[index] = exp((Double(logits[index]) - Double(largest)) / temperature)
      sum += probabilities[index]
    }
    for index in logits.indices { probabilities[index] /= sum }
  }
}
