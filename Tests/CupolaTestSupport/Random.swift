package import Cupola

extension SplitMix64 {
  /// A normally distributed number, by the sum of twelve uniform ones.
  package mutating func normal() -> Float {
    (0..<12).reduce(Float(-6)) { sum, _ in sum + Float.random(in: 0..<1, using: &self) }
  }

  /// A matrix of normally distributed numbers.
  package mutating func matrix(_ rows: Int, _ columns: Int) -> Matrix {
    Matrix(rows: rows, columns: columns, values: (0..<rows * columns).map { _ in normal() })
  }
}

extension Matrix {
  /// The largest difference to another matrix of the same shape.
  package func largestDifference(to other: Matrix) -> Float {
    precondition(rows == other.rows && columns == other.columns)
    return zip(values, other.values).map { abs($0 - $1) }.max() ?? 0
  }

  /// The largest magnitude.
  package var largest: Float { values.map(abs).max() ?? 0 }
}
