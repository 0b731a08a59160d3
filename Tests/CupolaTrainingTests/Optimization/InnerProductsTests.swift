import CupolaTestSupport
import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("Inner products of examples") struct InnerProductsTests {
  /// Of several tiles of rows.
  private static let examples: Matrix = {
    var generator = SplitMix64(seed: 4)
    return generator.matrix(530, 40)
  }()

  private static func expectTriangle(_ found: Matrix, of examples: Matrix) {
    #expect(found.rows == examples.rows && found.columns == examples.rows)
    let wanted = BLAS.product(examples, examples, transposeB: true)
    var (rounding, largest): (Float, Float) = (0, 0)
    for row in 0..<found.rows {
      for column in 0...row {
        rounding = max(rounding, abs(found[row, column] - wanted[row, column]))
      }
      for column in row + 1..<max(row + 1, found.columns) {
        largest = max(largest, abs(found[row, column]))
      }
    }
    #expect(rounding <= 1e-5 * wanted.largest && largest == 0)
  }

  @Test("the lower triangle is that of the whole product, above are zeros")
  func whole() async {
    let products = await InnerProducts(of: ExampleRows(Self.examples), threads: 2)
    Self.expectTriangle(products.matrix(weights: nil), of: Self.examples)
  }

  @Test(
    "made once, they are those of the examples with any weights", arguments: [0, 1, 17, 40, 50])
  func weights(split: Int) async {
    let rows = ExampleRows(Self.examples)
    let weighed = rows.multiplied(first: split, by: 3, rest: 0.5)
    let products = await InnerProducts(of: weighed, threads: 2)
    Self.expectTriangle(products.matrix(weights: nil), of: Self.examples)
    for (first, rest) in [(3, 0.5), (0.25, 2), (0, 1), (1, 0)] as [(Float, Float)] {
      let other = rows.multiplied(first: split, by: first, rest: rest)
      Self.expectTriangle(products.matrix(weights: other.weights), of: other.all)
    }
  }

  @Test("any number of threads gives the same bits")
  func threads() async {
    let rows = ExampleRows(Self.examples)
    let one = await InnerProducts(of: rows, threads: 1).matrix(weights: nil)
    for threads in [2, 3, 7] {
      #expect(await InnerProducts(of: rows, threads: threads).matrix(weights: nil) == one)
    }
  }

  @Test("no examples, and examples without values, have none")
  func nothing() async {
    let none = await InnerProducts(of: ExampleRows([SafeTensors.Tensor](), columns: 3), threads: 2)
    #expect(none.matrix(weights: nil).rows == 0)
    let empty = await InnerProducts(of: ExampleRows(Matrix(rows: 2, columns: 0)), threads: 2)
    #expect(empty.matrix(weights: nil) == Matrix(rows: 2, columns: 2))
  }
}
