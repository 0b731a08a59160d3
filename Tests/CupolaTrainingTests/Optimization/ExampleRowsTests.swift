import CupolaTestSupport
import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("Example rows")
struct ExampleRowsTests {
  /// Five photos of two views and seven values.
  private static let material: (rows: ExampleRows, matrix: Matrix) = {
    var generator = SplitMix64(seed: 12)
    let matrix = generator.matrix(10, 7).halved
    let tensors = (0..<5).map { photo in
      SafeTensors.Tensor(
        halves: Array(matrix.values[photo * 14..<(photo + 1) * 14]), shape: [2, 7])
    }
    return (ExampleRows(tensors, columns: 7), matrix)
  }()

  @Test("rows, columns and all of it are those that were stored")
  func parts() {
    let (rows, matrix) = Self.material
    #expect(rows.rows == 10 && rows.all == matrix)
    #expect(rows.matrix(rows: 3..<8) == matrix.selecting(rows: Array(3..<8)))
    #expect(
      rows.matrix(columns: 2..<6)
        == matrix.transposed.selecting(rows: Array(2..<6)).transposed)
    #expect(rows.row(9) == Array(matrix.values[63...]))
    #expect(ExampleRows(matrix) == rows)
  }

  @Test("photos may have different numbers of views")
  func views() {
    let matrix = Self.material.matrix
    let tensors = [0..<1, 1..<4, 4..<4, 4..<6, 6..<10].map { rows in
      SafeTensors.Tensor(
        halves: rows.flatMap(matrix.row), shape: [rows.count, 7])
    }
    #expect(ExampleRows(tensors, columns: 7).all == matrix)
  }

  @Test("weights count wherever a block begins", arguments: [0, 3, 7])
  func weights(first: Int) {
    let (rows, matrix) = Self.material
    var expected = matrix
    for row in 0..<10 {
      for column in 0..<7 { expected[row, column] *= column < first ? 0.5 : 3 }
    }
    let weighed = rows.multiplied(first: first, by: 0.5, rest: 3)
    #expect(weighed.all == expected && weighed != rows)
    for columns in [0..<2, 2..<5, 5..<7] {
      #expect(
        weighed.matrix(columns: columns)
          == expected.transposed.selecting(rows: Array(columns)).transposed)
    }
  }

  @Test("blocks cover everything once, and are bounded", arguments: [1, 64, 100, 5000])
  func blocks(rows count: Int) {
    let tensor = SafeTensors.Tensor(halves: [Float](repeating: 0, count: 3000), shape: [1, 3000])
    let rows = ExampleRows(
      [SafeTensors.Tensor](repeating: tensor, count: count), columns: 3000)
    #expect(rows.rowBlocks.flatMap(Array.init) == Array(0..<count))
    #expect(rows.columnBlocks.flatMap(Array.init) == Array(0..<3000))
    #expect(rows.rowBlocks.allSatisfy { $0.count * 3000 * 4 <= 16 << 20 })
    #expect(rows.rowBlocks.dropLast().allSatisfy { $0.count % 64 == 0 })
  }
}
