import CupolaTestSupport
import Testing

@testable import Cupola

@Suite("Matrix") struct MatrixTests {
  static let matrix = Matrix(rows: 2, columns: 3, values: [1, 2, 3, 4, 5, 6])

  @Test("Values are stored row by row")
  func layout() {
    var matrix = Self.matrix
    #expect(matrix[0, 2] == 3 && matrix[1, 0] == 4)
    #expect(matrix.range(ofRow: 1) == 3..<6)
    matrix[1, 1] = 50
    #expect(matrix.values == [1, 2, 3, 4, 50, 6])
  }

  @Test("A matrix without values is all zeros")
  func zeros() { #expect(Matrix(rows: 2, columns: 2).values == [0, 0, 0, 0]) }

  @Test("Rows are selected in the given order, also repeatedly")
  func selection() {
    #expect(Self.matrix.selecting(rows: [1, 0, 1]).values == [4, 5, 6, 1, 2, 3, 4, 5, 6])
    #expect(Self.matrix.selecting(rows: []) == Matrix(rows: 0, columns: 3))
  }

  @Test("Transposing swaps rows and columns")
  func transposed() {
    #expect(Self.matrix.transposed == Matrix(rows: 3, columns: 2, values: [1, 4, 2, 5, 3, 6]))
    #expect(Self.matrix.transposed.transposed == Self.matrix)
  }

  @Test("A wrong number of values traps")
  func wrongCount() async {
    await #expect(processExitsWith: .failure) {
      _ = Matrix(rows: 2, columns: 2, values: [1, 2, 3])
    }
  }
}

@Suite("Packed matrix") struct PackedMatrixTests {
  /// Rows, inner dimension and columns.
  static let shapes = [
    (1, 1, 1), (4, 3, 15), (5, 7, 16), (6, 9, 17), (13, 2, 32), (27, 132, 33), (264, 5, 48),
    (256, 128, 64), (271, 68, 24), (529, 3, 130), (3, 0, 2), (0, 3, 2), (2, 3, 0),
  ]

  static func product(_ left: Matrix, _ right: Matrix, fused: Bool) -> Matrix {
    var product = Matrix(rows: left.rows, columns: right.rows)
    for row in 0..<left.rows {
      for column in 0..<right.rows {
        product[row, column] = (0..<left.columns).reduce(0) { sum, at in
          let (a, b) = (left[row, at], right[column, at])
          return fused ? sum.addingProduct(a, b) : sum + a * b
        }
      }
    }
    return product
  }

  @Test("A product matches three loops", arguments: shapes)
  func product(rows: Int, inner: Int, columns: Int) {
    let left = SampleFisher.matrix(rows, inner, in: -2...2, seed: 1)
    let right = SampleFisher.matrix(columns, inner, in: -2...2, seed: 2)
    var product = SampleFisher.matrix(rows, columns, in: 5...6, seed: 3)
    PackedMatrix(right).multiply(left, into: &product)
    #expect(product == PackedMatrix(right).product(left))
    let expected = Self.product(left, right, fused: true)
    for (a, b) in zip(product.values, expected.values) { #expect(abs(a - b) < 1e-4) }
  }

  #if !canImport(Darwin)
    /// Covers all vector widths that this processor supports.
    @Test("Products match bit for bit at every vector width", arguments: shapes)
    func widths(rows: Int, inner: Int, columns: Int) {
      let left = SampleFisher.matrix(rows, inner, in: -2...2, seed: 1)
      let right = SampleFisher.matrix(columns, inner, in: -2...2, seed: 2)
      let panels = PackedMatrix(right).panels
      for width in 0...WideRows.widestProduct {
        #if arch(x86_64)
          let isFused = width > 0
        #else
          let isFused = true
        #endif
        var product = SampleFisher.matrix(rows, columns, in: 5...6, seed: 3)
        WideRows.multiply(left, panels: panels, into: &product, width: width)
        #expect(product == Self.product(left, right, fused: isFused), "width \(width)")
      }
    }

    @Test("The kernel name states whether products are fused")
    func kernel() {
      var product = Matrix(rows: 1, columns: 1)
      // Without fusing, (1 + 2^-12)^2 is rounded to 1 + 2^-11 before 1 + 2^-11 is subtracted.
      let left = Matrix(rows: 1, columns: 2, values: [-1 - 0x1p-11, 1 + 0x1p-12])
      let right = Matrix(rows: 1, columns: 2, values: [1, 1 + 0x1p-12])
      PackedMatrix(right).multiply(left, into: &product)
      #expect(product[0, 0] == (PackedMatrix.kernel == "fused" ? 0x1p-24 : 0))
    }
  #endif

  @Test("Products of selected rows do not depend on other rows")
  func parts() {
    let left = SampleFisher.matrix(40, 20, in: -2...2, seed: 1)
    let packed = PackedMatrix(SampleFisher.matrix(30, 20, in: -2...2, seed: 2))
    let whole = packed.product(left)
    for count in [1, 4, 6, 11, 12, 39] {
      let some = packed.product(left.selecting(rows: Array(40 - count..<40)))
      #expect(some.values == Array(whole.values.suffix(30 * count)))
    }
  }

  @Test("Mismatched sides trap")
  func sides() async {
    await #expect(processExitsWith: .failure) {
      _ = PackedMatrix(Matrix(rows: 2, columns: 3)).product(Matrix(rows: 2, columns: 2))
    }
  }
}
