/// A dense matrix of 32-bit floats, row-major.
package struct Matrix: Equatable, Sendable {
  /// Rows.
  package private(set) var rows: Int
  /// Columns.
  package let columns: Int
  /// `rows * columns` values, row after row.
  package var values: [Float]

  /// Wraps values that are already in memory.
  package init(rows: Int, columns: Int, values: [Float]) {
    precondition(
      values.count == rows * columns, "\(values.count) values given, \(rows)x\(columns) needed")
    self.rows = rows
    self.columns = columns
    self.values = values
  }

  /// A matrix of zeros.
  package init(rows: Int, columns: Int) {
    self.init(rows: rows, columns: columns, values: [Float](repeating: 0, count: rows * columns))
  }

  /// The value at a place.
  package subscript(row: Int, column: Int) -> Float {
    get { values[row * columns + column] }
    set { values[row * columns + column] = newValue }
  }

  /// Where row `index` stands in `values`.
  package func range(ofRow index: Int) -> Range<Int> { index * columns..<(index + 1) * columns }

  /// The values of a row.
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

  /// Rows as columns.
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
