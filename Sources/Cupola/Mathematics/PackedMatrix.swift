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
