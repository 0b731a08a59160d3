package import Cupola

extension SplitMix64 {
  /// An approximately standard normal number: the sum of 12 uniform ones.
  package mutating func normal() -> Float {
    (0..<12).reduce(Float(-6)) { sum, _ in sum + Float.random(in: 0..<1, using: &self) }
  }

  package mutating func matrix(_ rows: Int, _ columns: Int) -> Matrix {
    Matrix(rows: rows, columns: columns, values: (0..<rows * columns).map { _ in normal() })
  }
}

extension Matrix {
  /// The largest absolute difference from a matrix of the same shape.
  package func largestDifference(to other: Matrix) -> Float {
    precondition(rows == other.rows && columns == other.columns)
    return zip(values, other.values).map { abs($0 - $1) }.max() ?? 0
  }

  /// The largest absolute value.
  package var largest: Float { values.map(abs).max() ?? 0 }
}
