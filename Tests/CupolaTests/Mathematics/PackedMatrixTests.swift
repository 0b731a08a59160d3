import CupolaTestSupport
import Testing

@testable import Cupola

@Suite("Packed matrix") struct PackedMatrixTests {
  @Test(
    "A product is that of three loops, bit by bit",
    arguments: [
      (1, 1, 1), (4, 3, 15), (5, 7, 16), (6, 9, 17), (13, 2, 32), (27, 132, 33), (252, 5, 48),
      (256, 128, 64), (259, 68, 24), (505, 3, 130), (3, 0, 2), (0, 3, 2), (2, 3, 0),
    ])
  func product(rows: Int, inner: Int, columns: Int) {
    let left = SampleFisher.matrix(rows, inner, in: -2...2, seed: 1)
    let right = SampleFisher.matrix(columns, inner, in: -2...2, seed: 2)
    var product = SampleFisher.matrix(rows, columns, in: 5...6, seed: 3)
    PackedMatrix(right).multiply(left, into: &product)
    #expect(product == PackedMatrix(right).product(left))
    for row in 0..<rows {
      for column in 0..<columns {
        var sum: Float = 0
        for at in 0..<inner {
          let factor = left[row, at]
          #if canImport(Darwin)
            sum += factor * right[column, at]
          #else
            sum =
              WideRows.fusesProducts
              ? sum.addingProduct(factor, right[column, at]) : sum + factor * right[column, at]
          #endif
        }
        #if canImport(Darwin)
          #expect(abs(product[row, column] - sum) < 1e-4)
        #else
          #expect(product[row, column] == sum, "at \(row), \(column)")
        #endif
      }
    }
  }

  @Test("What is beside a part of a matrix does not change it")
  func parts() {
    let left = SampleFisher.matrix(40, 20, in: -2...2, seed: 1)
    let packed = PackedMatrix(SampleFisher.matrix(30, 20, in: -2...2, seed: 2))
    let whole = packed.product(left)
    for count in [1, 4, 6, 11, 12, 39] {
      let some = packed.product(left.selecting(rows: Array(40 - count..<40)))
      #expect(some.values == Array(whole.values.suffix(30 * count)))
    }
  }

  @Test("The kernel has a name") func kernel() { #expect(!PackedMatrix.kernel.isEmpty) }

  @Test("Sides that do not fit end the process")
  func sides() async {
    await #expect(processExitsWith: .failure) {
      _ = PackedMatrix(Matrix(rows: 2, columns: 3)).product(Matrix(rows: 2, columns: 2))
    }
  }
}
