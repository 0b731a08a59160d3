/// Weights as whole numbers from -127 to 127 with one scale a row.
///
/// `weight = value * scale`, symmetric about 0. Scales have 17 significant bits, so that these
/// products are exact in single precision: every runtime gets the same weights, and rounding twice
/// is rounding once.
package struct Int8Weights: Equatable, Sendable {
  /// Rows.
  let rows: Int
  /// Columns.
  let columns: Int
  /// Rows x columns.
  package let values: [Int8]
  /// One a row, positive.
  package let scales: [Float]

  /// Joins parts that fit each other.
  init(rows: Int, columns: Int, values: [Int8], scales: [Float]) {
    precondition(
      values.count == rows * columns, "\(values.count) values given, \(rows)x\(columns) needed")
    precondition(scales.count == rows, "\(scales.count) scales for \(rows) rows")
    self.rows = rows
    self.columns = columns
    self.values = values
    self.scales = scales
  }

  /// Each weight as the nearest multiple of its row's scale, ties to even; weights must be finite.
  package init(_ weights: Matrix) {
    var scales: [Float] = []
    let source = weights.values.span
    let values = [Int8](capacity: weights.values.count) { output in
      for row in 0..<weights.rows {
        let part = source.extracting(weights.range(ofRow: row))
        let scale = Self.scale(of: part)
        scales.append(scale)
        for column in part.indices {
          output.append(Int8((part[column] / scale).rounded(.toNearestOrEven)))
        }
      }
    }
    self.init(rows: weights.rows, columns: weights.columns, values: values, scales: scales)
  }

  /// The weights that the numbers stand for.
  package var matrix: Matrix {
    let source = values.span
    let weights = [Float](capacity: values.count) { output in
      for row in 0..<rows {
        let scale = scales[row]
        for index in row * columns..<(row + 1) * columns {
          output.append(Float(source[index]) * scale)
        }
      }
    }
    return Matrix(rows: rows, columns: columns, values: weights)
  }

  /// The row's largest magnitude over 127, less the last 7 bits; 1 for a row of zeros.
  private static func scale(of row: Span<Float>) -> Float {
    var largest: Float = 0
    for index in row.indices { largest = max(largest, row[index].magnitude) }
    guard largest > 0 else { return 1 }
    let share = max(largest / 127, .leastNormalMagnitude)
    return Float(bitPattern: share.bitPattern & ~0x7F)
  }
}

extension SafeTensors.Tensor {
  /// Whole numbers as a tensor of type `I8`.
  package init(int8s values: [Int8], shape: [Int]) {
    precondition(values.count == shape.reduce(1, *), "\(values.count) values of shape \(shape)")
    self.init(type: "I8", shape: shape, bytes: values.map { UInt8(bitPattern: $0) })
  }

  /// The elements of a tensor of type `I8`; `nil` for other types.
  var int8s: [Int8]? {
    type == "I8" ? bytes.map { Int8(bitPattern: $0) } : nil
  }
}
