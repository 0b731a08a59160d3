#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. `Matrix` is a dense, row-major matrix.
// 2. `PackedMatrix` stores one matrix so that many others can be multiplied with it quickly.
// 3. `VectorMath` sums over vectors in a fixed order, so that the results are the same everywhere.
// 4. `FastMath` is a fast exponential function, and the softmax of a row in single precision.
// 5. `Softmax` turns logits into probabilities in double precision.

/// A dense matrix of 32-bit floats, row-major.
package struct Matrix: Equatable, Sendable {
  package private(set) var rows: Int
  package let columns: Int
  /// `rows * columns` values, row after row.
  package var values: [Float]

  package init(rows: Int, columns: Int, values: [Float]) {
    precondition(
      values.count == rows * columns, "\(values.count) values given, \(rows)x\(columns) needed")
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

  /// Where row `index` stands in `values`.
  package func range(ofRow index: Int) -> Range<Int> { index * columns..<(index + 1) * columns }

  package func row(_ index: Int) -> [Float] { Array(values[range(ofRow: index)]) }

  /// The chosen rows, in the order given.
  package func selecting(rows chosen: [Int]) -> Matrix {
    var selected: [Float] = []
    selected.reserveCapacity(chosen.count * columns)
    for row in chosen { selected += values[range(ofRow: row)] }
    return Matrix(rows: chosen.count, columns: columns, values: selected)
  }

  /// Leaves out the last rows, or adds rows of zeros.
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
  /// Leaves out the last elements, or adds some; memory that is there is used again.
  mutating func resize(to count: Int, filledWith element: Element) {
    if count < self.count {
      removeLast(self.count - count)
    } else {
      append(contentsOf: repeatElement(element, count: count - self.count))
    }
  }
}

/// A matrix that many are multiplied with, laid out for that.
///
/// On Apple platforms BLAS multiplies, which has units of its own for it there. Elsewhere small matrices take three
/// quarters of OpenBLAS's time here, and the numbers are the same on all processors that fuse products and sums.
package struct PackedMatrix: Equatable, Sendable {
  /// Rows of the matrix: columns of a product.
  let rows: Int
  let columns: Int

  #if canImport(Darwin)
    private let matrix: Matrix
  #else
    /// Panel by panel, of each column by column; zeros where rows are missing.
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

  /// What decides the last bits of products: the same on processors of which it is the same.
  package static var kernel: String {
    #if canImport(Darwin)
      BLAS.kernel
    #else
      WideRows.fusesProducts ? "fused" : "unfused"
    #endif
  }

  /// `left * matrix'` as a new matrix.
  package func product(_ left: Matrix) -> Matrix {
    var product = Matrix(rows: left.rows, columns: rows)
    multiply(left, into: &product)
    return product
  }

  /// Writes `left * matrix'`.
  func multiply(_ left: Matrix, into product: inout Matrix) {
    precondition(left.columns == columns, "rows of \(left.columns), \(columns) needed")
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

/// Row functions that vectorize.
enum FastMath {
  /// Turns scores plus constants into probabilities; returns the logarithm of their sum of powers.
  static func softmax(
    _ scores: inout MutableSpan<Float>, adding constants: Span<Float>
  ) -> Float {
    let (top, lanes) = WideRows.powers(&scores, adding: constants)
    let sum = lanes.sum()
    let scale = 1 / sum
    for index in 0..<scores.count { scores[index] *= scale }
    return top + logf(sum)
  }

  /// `exp(x)` for `x <= 0`, within 2 units in the last place; 0 below -69, where it is 1e-30.
  ///
  /// Products with smaller powers would be subnormal, for which Intel's processors take 75 times as long: of a patch most
  /// components have no more.
  ///
  /// `x = n log 2 + r` by the rounding of a large addition, a polynomial for `exp(r)` (Cephes), and
  /// `2^n` by its bits: no branch, no conversion, so loops over it vectorize.
  @inline(__always)
  static func exponential(_ x: Float) -> Float {
    // What is thrown away below is not to be subnormal on the way either.
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
  /// Probabilities that are proportional to `exp(logit / temperature)` and sum to 1.
  ///
  /// - Parameters:
  ///   - logits: at least one finite value.
  ///   - temperature: more than 0; above 1 the probabilities are more alike.
  package static func probabilities(_ logits: [Float], temperature: Double = 1) -> [Double] {
    var probabilities = [Double](repeating: 0, count: logits.count)
    write(&probabilities, of: logits, temperature: temperature)
    return probabilities
  }

  /// The same, written over what was there, one a logit.
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
